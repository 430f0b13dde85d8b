'use client'

import { useMemo } from 'react'
import { type LeaseView, viewKey, viewOf } from '../../../lib/client/view/lease-view.ts'
import { useUrlState } from './use-url-state.ts'

/** The view that the page's URL asks for: the same object as long as it is the same view. */
export function useLeaseView(): LeaseView {
  const { params } = useUrlState()
  const view = viewOf((name) => params.get(name))
  const key = viewKey(view)
  return useMemo(() => view, [key])
}
