'use client'

import { Say } from '../ui/text/say.tsx'

/** Why the page shows what was: it cannot be read, or the reader paused it. null: it is live. */
export type Still = 'stale' | 'paused' | null

/** In place of what the state means. */
export function StillSentence({ still }: { still: Exclude<Still, null> }) {
  if (still === 'paused')
    return (
      <Say icon="pause" title="Paused. The lease is shown as it was then.">
        What happened since is not shown until you go live.
      </Say>
    )
  return (
    <Say icon="stale" title="Whether it is held is unknown right now.">
      A holder that cannot renew stops at its own deadline.
    </Say>
  )
}
