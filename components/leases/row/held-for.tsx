'use client'

import { useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import type { Pace } from '../../../lib/client/time/ticker.ts'
import { wholeAgeText } from '../../../lib/client/time/time-text.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'

const seconds = (): Pace => 'seconds'

/** For how long its holder has held a lease; of a quarantined one, when it is safe to acquire. */
export function HeldFor({ row: { lease, state } }: { row: LiveRow }) {
  if (state === 'quarantined' && lease.expiresAt !== null)
    return (
      <span className="text-hold">
        safe at <Instant at={lease.expiresAt} />
      </span>
    )
  const { heldSince } = lease
  if (state === 'gone' || heldSince === undefined) return <span className="dim">–</span>
  if (heldSince === null)
    return (
      <span className="dim" title="Since before this console began to watch">
        not seen
      </span>
    )
  return <Since atMs={Date.parse(heldSince)} />
}

function Since({ atMs }: { atMs: number }) {
  const text = useCallback((nowMs: number) => wholeAgeText(serverNow(nowMs) - atMs), [atMs])
  return <Ticking text={text} pace={seconds} />
}
