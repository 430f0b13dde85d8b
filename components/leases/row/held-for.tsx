'use client'

import { useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import type { Pace } from '../../../lib/client/time/ticker.ts'
import { wholeAgeText } from '../../../lib/client/time/time-text.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'

const seconds = (): Pace => 'seconds'

/** For how long its holder has held a lease; of a quarantined one, when it is safe to acquire; of a zombie, nothing. `stale`: as it was last read. */
export function HeldFor({ row: { lease, state, reading }, stale }: { row: LiveRow; stale: boolean }) {
  if (state === 'quarantined' && lease.expiresAt !== null)
    return (
      <span className="text-hold">
        safe at <Instant at={lease.expiresAt} />
      </span>
    )
  const { heldSince } = lease
  // A zombie has no holder: what is known of it is since when there is none.
  if (state === 'gone' || lease.state === 'zombie' || heldSince === undefined)
    return <span className="dim">–</span>
  if (heldSince === null)
    return (
      <span className="dim" title="Since before this console began to watch">
        not seen
      </span>
    )
  return <Since atMs={Date.parse(heldSince)} untilMs={stale ? reading.atMs : null} />
}

interface SinceProps {
  /** Epoch milliseconds by the server's clock. */
  atMs: number
  /** A moment of the page's clock, at which it stands still; null: it goes on. */
  untilMs: number | null
}

/** How long ago a moment is. */
export function Since({ atMs, untilMs }: SinceProps) {
  const text = useCallback((nowMs: number) => wholeAgeText(serverNow(nowMs) - atMs), [atMs])
  // As the time left of such a row: whether it goes on is not known.
  if (untilMs !== null) return <span className="dim">was {text(untilMs)}</span>
  return <Ticking text={text} pace={seconds} />
}
