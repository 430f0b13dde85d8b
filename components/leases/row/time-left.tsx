'use client'

import { useCallback } from 'react'
import type { Row } from '../../../lib/client/row/row-board.ts'
import { isOwnerless } from '../../../lib/client/time/countdown.ts'
import { type Pace, slowTickMs } from '../../../lib/client/time/ticker.ts'
import { leftText, pastLeftText, tenthsBelowMs } from '../../../lib/client/time/time-text.ts'
import { isLibraryOwner, riskShare } from '../../../lib/contract/leases/lease-state.ts'
import { Ticking } from '../../ui/text/ticking.tsx'

/** Of a table without an owner column. */
export const unreadableExpiry = 'expiry cannot be read in this table'

/** The time of a row. At zero it says only "verifying…". */
export function TimeLeft({ row, stale }: { row: Row; stale: boolean }) {
  const { state, clock, lease } = row
  // The state says it all; there is no time left to show.
  if (state === 'gone') return <span className="left">–</span>
  if (stale)
    return (
      <span className="left">
        {clock.endsAtMs === null || state === 'zombie'
          ? '–'
          : `was ${pastLeftText(clock.endsAtMs - clock.readAtMs)}`}
      </span>
    )
  if (state === 'verifying') return <span className="left">verifying…</span>
  if (state === 'zombie') return <span className="left">no owner</span>
  if (isOwnerless(lease))
    return (
      <span className="left dim" title={unreadableExpiry}>
        unknown
      </span>
    )
  if (clock.endsAtMs === null) return <span className="left">no expiry</span>
  // Without a rhythm no renewal is missing: the lease ends.
  const endsBelowMs =
    state === 'held' && !row.renewed && !isLibraryOwner(lease.owner) && lease.ttlSeconds !== null
      ? lease.ttlSeconds * 1000 * riskShare
      : 0
  return <Countdown className="left" endsAtMs={clock.endsAtMs} endsBelowMs={endsBelowMs} calm />
}

interface CountdownProps {
  /** A moment of the page's clock. */
  endsAtMs: number
  className?: string
  /** Tenths only in the last minute, as suits a list: what is far is written once a second. */
  calm?: boolean
  /** "ends in" goes before it once so little is left. */
  endsBelowMs?: number
}

/** mm:ss.s until a moment. */
export function Countdown({ endsAtMs, className, calm = false, endsBelowMs = 0 }: CountdownProps) {
  const isFar = useCallback((nowMs: number) => calm && endsAtMs - nowMs > tenthsBelowMs, [endsAtMs, calm])
  const text = useCallback(
    (nowMs: number) => {
      if (nowMs >= endsAtMs) return 'verifying…'
      // It stands for a second: it says what will be left at its end, never more than there is.
      const left = isFar(nowMs) ? pastLeftText(endsAtMs - nowMs - slowTickMs) : leftText(endsAtMs - nowMs)
      return endsAtMs - nowMs < endsBelowMs ? `ends in ${left}` : left
    },
    [endsAtMs, endsBelowMs, isFar],
  )
  const pace = useCallback((nowMs: number): Pace => (isFar(nowMs) ? 'seconds' : 'tenths'), [isFar])
  return <Ticking className={className} text={text} pace={pace} inHtml={calm} />
}
