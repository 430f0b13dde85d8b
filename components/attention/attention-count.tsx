'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { troubleView } from '../../lib/client/view/lease-view.ts'
import { attention, pageList } from '../../lib/client/watch/shared-watch.ts'
import { useLiveLeases } from '../leases/state/use-live-leases.ts'
import { useLost } from '../shell/truth/use-connection.ts'
import { useClocksApart } from '../shell/truth/use-distrust.ts'
import { attentionPath } from './attention-link.ts'

/** On the pages that have a list of their own, which says the same: it is given this long to appear. */
const ownAfterMs = 1000
const isOfList = (path: string) => path === '/' || path === attentionPath(undefined)
const one = { offset: 0, limit: 1 }

/**
 * How many leases need attention. It comes with the stream of the page's list; a page without one, or with one that is
 * filtered by text, has a stream for it alone.
 */
export function AttentionCount({ table }: { table: string | undefined }) {
  const count = useSyncExternalStore(
    attention.subscribe,
    () => attention.count(table),
    () => null,
  )
  const hasOther = useSyncExternalStore(pageList.subscribe, pageList.countsAll, () => true)
  const [needsOwn, setNeedsOwn] = useState(false)
  const mayCome = isOfList(usePathname())
  useEffect(() => {
    if (hasOther) return setNeedsOwn(false)
    const timer = setTimeout(() => setNeedsOwn(true), mayCome ? ownAfterMs : 0)
    return () => clearTimeout(timer)
  }, [hasOther, mayCome])
  const lost = useLost()
  useLiveLeases(troubleView(table), needsOwn ? one : null, lost !== null)
  const all = (count ?? 0) + (useClocksApart() === null ? 0 : 1)
  if (all === 0) return null
  return (
    <span className="n">
      {all}
      <span className="vh"> {all === 1 ? 'needs' : 'need'} a look</span>
    </span>
  )
}
