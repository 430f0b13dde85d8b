'use client'

import { useCallback } from 'react'
import { isOwnerless } from '../../lib/client/countdown.ts'
import type { Row } from '../../lib/client/row-board.ts'
import { leftText, pastLeftText } from '../../lib/client/time-text.ts'
import { Ticking } from '../ui/ticking.tsx'

/** Of a table without an owner column. */
export const unreadableExpiry = 'expiry cannot be read in this table'

/** What a row says of its time. At zero never more than "verifying…". */
export function TimeLeft({ row, stale }: { row: Row; stale: boolean }) {
  const { state, clock, lease } = row
  // The state says it; there is no time left to tell.
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
  return <Countdown className="left" endsAtMs={clock.endsAtMs} />
}

/** mm:ss.s until a moment of `performance.now()`. */
export function Countdown({ endsAtMs, className }: { endsAtMs: number; className?: string }) {
  const text = useCallback(
    (nowMs: number) => (nowMs < endsAtMs ? leftText(endsAtMs - nowMs) : 'verifying…'),
    [endsAtMs],
  )
  return <Ticking className={className} text={text} />
}
