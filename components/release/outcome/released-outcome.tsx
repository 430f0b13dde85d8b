'use client'

import { clockLease } from '../../../lib/client/time/countdown.ts'
import { ReadPill } from '../../leases/row/read-pill.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { LeaseName } from '../holder/lease-name.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import type { OutcomeProps } from '../progress/headline.ts'
import type { Progress } from '../progress/progress.ts'
import { OverlapLeft } from './overlap-left.tsx'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

interface ReleasedOutcomeProps extends OutcomeProps {
  progress: Progress & { of: 'released' }
}

/** It was deleted. Who holds it now is watched on, so that the next holder appears here. */
export function ReleasedOutcome({ release, headline, progress }: ReleasedOutcomeProps) {
  const { planned } = release
  const { known, seen, isStale } = progress
  return (
    <>
      <ResultHead headline={headline} name={planned.name}>
        Deleted <LeaseName name={planned.name} />, held by <OwnerText owner={planned.owner} />.{' '}
        {known === 'unread' ? (
          'The lease could not be read again yet. Until it is, it may be free or held.'
        ) : release.currentReadAt === null ? null : (
          <>
            Leasehold read the lease again at <Instant at={release.currentReadAt} digits={3} zoned />.
          </>
        )}
      </ResultHead>
      {seen && (
        <p className="mt-2">
          <ReadPill of={clockLease(seen)} stale={isStale} />
        </p>
      )}
      <OverlapLeft release={release} />
      <ReleaseSteps release={release} />
    </>
  )
}
