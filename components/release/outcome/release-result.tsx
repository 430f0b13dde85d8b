'use client'

import type { Release, ReleaseMode, ReleaseOutcome } from '../../../lib/contract/releases/release.ts'
import { Say } from '../../ui/text/say.tsx'
import { headlineOf } from '../progress/headline.ts'
import type { Progress } from '../progress/progress.ts'
import { AskedOutcome } from './asked-outcome.tsx'
import { AwaitingOutcome } from './awaiting-outcome.tsx'
import { BrokenOutcome } from './broken-outcome.tsx'
import { OtherOutcomeResult } from './other-outcome.tsx'
import { PendingOutcome } from './pending-outcome.tsx'
import { ReleasedOutcome } from './released-outcome.tsx'
import { RenewedBeforeAct } from './renewed-before-act.tsx'

interface ReleaseResultProps {
  release: Release
  progress: Progress
  /** What asking for it failed with last. */
  error: unknown
  /** Plans another release of the same lease; null: not possible from here. */
  onPlan: ((mode: ReleaseMode) => void) | null
}

/** Only of these a renewal before the act says that the holder was alive when it lost the lease. */
const tookEffect: readonly ReleaseOutcome[] = ['released', 'broken']

/** What became of a release, live: the same in the dialog and on its permalink's page. */
export function ReleaseResult(props: ReleaseResultProps) {
  const { release, progress } = props
  const { renewedSincePlan, outcome } = release
  return (
    <>
      <Outcome {...props} />
      {progress.of !== 'none' && progress.isStale && (
        <div className="mt-3">
          <Say tone="warn" icon="stale" title="The lease cannot be read now.">
            Here it is as the last read showed it; it may have changed since.
          </Say>
        </div>
      )}
      {renewedSincePlan && tookEffect.includes(outcome) && <RenewedBeforeAct />}
    </>
  )
}

function Outcome({ release, progress, error, onPlan }: ReleaseResultProps) {
  const said = { release, headline: headlineOf(release, progress) }
  switch (progress.of) {
    case 'asked':
      return <AskedOutcome {...said} progress={progress} onPlan={onPlan} />
    case 'broken':
      return <BrokenOutcome {...said} progress={progress} />
    case 'released':
      return <ReleasedOutcome {...said} progress={progress} />
  }
  switch (release.outcome) {
    case 'awaiting-approval':
      return <AwaitingOutcome {...said} error={error} />
    case 'pending':
      return <PendingOutcome {...said} error={error} />
    default:
      return <OtherOutcomeResult {...said} />
  }
}
