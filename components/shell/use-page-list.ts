'use client'

import { useSyncExternalStore } from 'react'
import type { LiveList, Shown } from '../../lib/client/watch/live-list.ts'
import { pageList } from '../../lib/client/watch/shared-watch.ts'

/** The live list of the page; null: it has none. */
export const usePageList = (): LiveList | null =>
  useSyncExternalStore(pageList.subscribe, pageList.current, () => null)

const noSubscription = () => () => {}

/** A part of what the page's live list shows. `pick` has to give the same object for the same part. */
export function useOfList<T>(list: LiveList | null, pick: (shown: Shown) => T): T | null {
  return useSyncExternalStore(
    list?.subscribe ?? noSubscription,
    () => (list === null ? null : pick(list.shown())),
    () => null,
  )
}
