'use client'

import { boundText } from '../../../lib/client/time/time-text.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { Say } from '../../ui/text/say.tsx'
import { usePast } from '../progress/use-past.ts'

/** For as long as the old holder may still act. Without an expiry that has no end. */
export function OverlapLeft({ release: { overlapMs, mode, steps, now } }: { release: Release }) {
  const killedMs = Date.parse(steps.findLast(({ ok }) => ok)?.at ?? now)
  const past = usePast(overlapMs === null ? null : killedMs + overlapMs)
  if (mode !== 'kill' || past) return null
  return (
    <div className="mt-3">
      <Say tone="danger" icon="risk" title="The old holder may not know yet.">
        {overlapMs === null ? (
          'The lease had no expiry, so the old holder has no deadline: it goes on until you stop it, or until its next renewal is refused.'
        ) : (
          <>
            It must have stopped by <Instant at={killedMs + overlapMs} zoned />, {boundText(overlapMs)} after
            the delete, if it keeps to its deadline. Usually it stops when its next renewal is refused.
          </>
        )}
      </Say>
    </div>
  )
}
