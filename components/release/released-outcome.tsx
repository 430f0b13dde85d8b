'use client'

import { useQuery } from '@tanstack/react-query'
import { clockLease } from '../../lib/client/countdown.ts'
import { leaseQuery } from '../../lib/client/queries.ts'
import { durationText } from '../../lib/client/time-text.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { tableParam } from '../leases/lease-link.ts'
import { ReadPill } from '../leases/read-pill.tsx'
import { Instant } from '../shell/instant.tsx'
import { NameText } from '../ui/name-text.tsx'
import { Say } from '../ui/say.tsx'
import { OwnerText } from './owner-text.tsx'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'
import { usePast } from './use-past.ts'

/** It was deleted. Who holds it now is watched on, so that the next holder appears here. */
export function ReleasedOutcome({ release }: { release: Release }) {
  const { planned } = release
  const reading = useQuery(leaseQuery(planned.name, tableParam(planned.table))).data
  // Only what was read after the answer counts, or what the server itself read after the delete.
  const seen = reading?.held && reading.sighting.lease.read.at > release.now ? reading.sighting : null
  const owner = (seen?.lease ?? release.current)?.owner ?? null
  return (
    <>
      <ResultHead
        title={
          owner === null ? (
            'Released. Nobody holds it yet.'
          ) : (
            <>
              Released. <OwnerText owner={owner} /> holds it now.
            </>
          )
        }
      >
        <span className="mono break-all capped" title={planned.name}>
          <NameText name={planned.name} />
        </span>{' '}
        was deleted under <OwnerText owner={planned.owner} />.{' '}
        {release.currentReadAt === null ? (
          'Who holds it now could not be read.'
        ) : (
          <>
            Read again at SERIAL at <Instant at={release.currentReadAt} digits={1} zoned />.
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

/** For as long as the old holder may still believe in it. Without an expiry that has no end. */
function OverlapLeft({ release: { overlapMs, mode, steps, now } }: { release: Release }) {
  const killedMs = Date.parse(steps.findLast(({ ok }) => ok)?.at ?? now)
  const past = usePast(overlapMs === null ? null : killedMs + overlapMs)
  if (mode !== 'kill' || past) return null
  return (
    <div className="mt-3">
      <Say tone="danger" icon="risk" title="The old holder may not know it yet.">
        {overlapMs === null ? (
          'Without an expiry it has no deadline: it goes on until somebody stops it, or its next renewal is refused.'
        ) : (
          <>
            It may go on until <Instant at={killedMs + overlapMs} zoned /> at the latest,{' '}
            {durationText(overlapMs)} after the delete; usually until its next renewal is refused.
          </>
        )}
      </Say>
    </div>
  )
}
