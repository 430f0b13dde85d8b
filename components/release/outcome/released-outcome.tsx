'use client'

import { clockLease } from '../../../lib/client/time/countdown.ts'
import { boundText } from '../../../lib/client/time/time-text.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { ReadPill } from '../../leases/row/read-pill.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Say } from '../../ui/text/say.tsx'
import { LeaseName } from '../holder/lease-name.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import type { OutcomeProps } from '../progress/headline.ts'
import type { Progress } from '../progress/progress.ts'
import { usePast } from '../progress/use-past.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

interface ReleasedOutcomeProps extends OutcomeProps {
  progress: Progress & { of: 'released' }
}

/** It was deleted. Who holds it now is watched on, so that the next holder appears here. */
export function ReleasedOutcome({ release, headline, progress: { seen } }: ReleasedOutcomeProps) {
  const { planned } = release
  return (
    <>
      <ResultHead headline={headline} name={planned.name}>
        Deleted <LeaseName name={planned.name} />, held by <OwnerText owner={planned.owner} />.{' '}
        {release.currentReadAt === null ? (
          'The lease could not be read again yet.'
        ) : (
          <>
            Leasehold read the lease again at <Instant at={release.currentReadAt} digits={3} zoned />.
          </>
        )}
      </ResultHead>
      {seen && (
        <p className="mt-2">
          <ReadPill of={clockLease(seen)} stale={false} />
        </p>
      )}
      <OverlapLeft release={release} />
      <ReleaseSteps release={release} />
    </>
  )
}

/** For as long as the old holder may still act. Without an expiry that has no end. */
function OverlapLeft({ release: { overlapMs, mode, steps, now } }: { release: Release }) {
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
