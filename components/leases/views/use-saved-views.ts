'use client'

import { useSyncExternalStore } from 'react'
import { type SavedView, savedViews } from '../../../lib/client/view/saved-views.ts'

/** The views that this browser keeps, by their names. */
export const useSavedViews = (): readonly SavedView[] =>
  useSyncExternalStore(savedViews.subscribe, savedViews.read, savedViews.none)
