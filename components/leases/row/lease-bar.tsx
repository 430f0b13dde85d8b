'use client'

import { useEffect, useRef } from 'react'
import type { Row } from '../../../lib/client/row/row-board.ts'
import { isOwnerless, shareLeft } from '../../../lib/client/time/countdown.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { useHydrating } from '../../ui/control/use-hydrating.ts'
import { BarFill } from './bar-fill.tsx'

/** From so many seconds on a row's bar, which is 200 px wide at most, moves by less than a pixel a second. */
const slowTtlSeconds = 200

/**
 * What is left of the TTL. Each end has a fill of its own, so that a renewal starts a new one, from where the one
 * before had come to; between two replies no script touches it. `stale`: its length when it was last read, standing
 * still. `calm`: in a list, where far ends are drawn once a second.
 */
export function LeaseBar({ row, stale, calm = false }: { row: Row; stale: boolean; calm?: boolean }) {
  const hydrating = useHydrating()
  const { clock, lease, state } = row
  const live =
    !stale && clock.endsAtMs !== null && state !== 'verifying' && state !== 'zombie' && state !== 'gone'
  const slow = calm && live && (lease.ttlSeconds ?? 0) >= slowTtlSeconds
  const stillAtMs = stale ? clock.readAtMs : null
  const before = useRef<{ endsAtMs: number | null; ttlSeconds: number | null } | null>(null)
  useEffect(() => {
    if (hydrating) return
    before.current = { endsAtMs: clock.endsAtMs, ttlSeconds: lease.ttlSeconds }
  }, [clock.endsAtMs, lease.ttlSeconds, hydrating])
  // How long it is depends on when the page is shown: not on the server's side.
  if (hydrating) return <span className="bar" aria-hidden="true" />
  const shareBefore = () =>
    before.current && shareLeft(before.current.endsAtMs, before.current.ttlSeconds, pageNow())
  return (
    <span
      className={isOwnerless(lease) ? 'bar unknown' : state === 'quarantined' ? 'bar none' : 'bar'}
      data-live={(live && !slow) || undefined}
      aria-hidden="true"
    >
      <BarFill
        key={`${clock.endsAtMs} ${stale}`}
        endsAtMs={clock.endsAtMs}
        ttlSeconds={lease.ttlSeconds}
        stillAtMs={stillAtMs}
        slow={slow}
        from={live ? shareBefore : undefined}
      />
      {state === 'partial' && (
        <BarFill
          key={`value ${clock.valueEndsAtMs} ${stale}`}
          endsAtMs={clock.valueEndsAtMs}
          ttlSeconds={lease.ttlSeconds}
          stillAtMs={stillAtMs}
          slow={slow}
        />
      )}
    </span>
  )
}
