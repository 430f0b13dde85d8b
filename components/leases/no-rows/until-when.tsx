'use client'

import type { ReactNode } from 'react'
import type { Shown } from '../../../lib/client/watch/live-list.ts'
import { Age } from '../../ui/text/age.tsx'

/** Until when it is known that a page has no rows. */
export interface UntilWhen extends Pick<Shown, 'paused' | 'scan'> {
  /** Nothing is read now; the page says why, and since when. */
  isStale?: boolean
}

/** The moment until which it is known that there are no rows; null: now. */
export function untilWhen({ paused, scan, isStale }: UntilWhen): string | null {
  if (isStale) return 'when this table was last read'
  // Of a lease that another client acquires, only a scan tells.
  if (scan?.isBehind === true) return 'at the last scan'
  return paused === null ? null : 'when this page was paused'
}

/** What follows of it for leases to come. `children`: what is said while the page is live. */
export function Appears({ paused, scan, isStale, children }: UntilWhen & { children: ReactNode }) {
  if (isStale) return 'A lease that needs attention now would not be shown here.'
  const isBehind = scan !== null && scan.atMs !== null && scan.isBehind
  if (paused === null && !isBehind) return children
  return (
    <>
      {isBehind && (
        <>
          The last scan of this table ended <Ago sinceMs={scan.atMs as number} />. A lease that came since may
          be missing here.
        </>
      )}
      {paused !== null && (
        <>
          {isBehind && ' '}Paused <Ago sinceMs={paused.sinceMs} />. Nothing appears here until you go live.
        </>
      )}
    </>
  )
}

/** It counts on, and stands where a screen reader would read each change. */
function Ago({ sinceMs }: { sinceMs: number }) {
  return (
    <>
      <span aria-hidden="true">
        <Age sinceMs={sinceMs} after=" ago" whole />
      </span>
      <span className="vh">some time ago</span>
    </>
  )
}
