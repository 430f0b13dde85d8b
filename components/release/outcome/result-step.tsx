'use client'

import { useQuery } from '@tanstack/react-query'
import { releaseQuery } from '../../../lib/client/call/queries.ts'
import { isAddressable, leasePath } from '../../../lib/contract/path.ts'
import type { Release, ReleaseMode, ReleaseOutcome } from '../../../lib/contract/releases/release.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { useLockReason } from '../../shell/truth/use-connection.ts'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { Say } from '../../ui/text/say.tsx'
import { headlineOf, isEnded } from '../progress/headline.ts'
import { useProgress } from '../progress/use-progress.ts'
import { useHeadlineTitle } from '../use-headline-title.ts'
import { CopyLink } from './copy-link.tsx'
import { ReleaseResult } from './release-result.tsx'

interface ResultStepProps {
  first: Release
  /** The plan had been carried out before: this is what became of it then. */
  again: boolean
  onPlan: (mode: ReleaseMode | null) => void
  onClose: () => void
}

/** After these another plan is the next thing to think of. */
const unsettled: readonly ReleaseOutcome[] = [
  'not-released',
  'not-sent',
  'rejected',
  'lapsed',
  'holder-changed',
]
/** What became of a release, in the dialog; while that is being found out, it is asked for again and again. */
export function ResultStep({ first, again, onPlan, onClose }: ResultStepProps) {
  const lock = useLockReason()
  const { data, error } = useQuery({ ...releaseQuery(first.id), initialData: first })
  const { planned, outcome } = data
  const progress = useProgress(data)
  useHeadlineTitle(headlineOf(data, progress), planned.name)
  const replan = unsettled.includes(outcome) && !(outcome === 'holder-changed' && data.current === null)
  return (
    <div className="body first-step">
      {again && (
        <div className="mb-3">
          <Say title="This plan was used before.">
            A plan is good for one act. Nothing was done again; this is its outcome.
          </Say>
        </div>
      )}
      <ReleaseResult release={data} progress={progress} error={error} onPlan={onPlan} />
      <div className="acts mt-4 pb-4">
        <CopyLink id={data.id} text="Copy link to this release" />
        <span className="push" />
        {outcome === 'released' && isAddressable(planned.name) && (
          <PageLink className="btn" href={leasePath(planned.name, planned.table)} onClick={onClose}>
            Open the lease
          </PageLink>
        )}
        {replan && (
          <LockedButton className="btn" lock={lock} onClick={() => onPlan(null)}>
            Plan again
          </LockedButton>
        )}
        <button type="button" className="btn primary" onClick={onClose}>
          {isEnded(data, progress) ? 'Done' : 'Close'}
        </button>
      </div>
    </div>
  )
}
