'use client'

import type { ReactNode } from 'react'
import type { Release, ReleaseOutcome } from '../../lib/contract/release.ts'
import { useLockReason } from '../shell/use-connection.ts'
import { DialogLead, DialogTitle } from '../ui/dialog.tsx'
import { LockedButton } from '../ui/locked-button.tsx'
import { OwnerText } from './owner-text.tsx'
import { ReleaseSteps } from './release-steps.tsx'
import { RenewedMeanwhile } from './renewed-meanwhile.tsx'

type Other = Exclude<ReleaseOutcome, 'pending' | 'released'>

const titles: Record<Other, string> = {
  superseded: 'The planned holder does not hold it any more',
  'not-released': 'Nothing was released',
  unknown: 'The outcome is unknown',
}

function leadOf(outcome: Other, { current }: Release): ReactNode {
  switch (outcome) {
    case 'superseded':
      return (
        <>
          The answer of Cassandra was lost. Whether the holder lost it by this delete, by itself or by expiry,
          nobody can tell.{' '}
          {current === null ? (
            'Nobody holds it now.'
          ) : (
            <>
              <OwnerText owner={current.owner} /> holds it now.
            </>
          )}
        </>
      )
    case 'not-released':
      return 'Cassandra’s answer is final: the delete did not take effect. The planned holder still holds it.'
    case 'unknown':
      return 'Cassandra never answered, and the holder is still there. The delete may yet take effect, on this holder alone: nobody else can lose the lease by it.'
  }
}

interface OtherOutcomeStepProps {
  release: Release
  outcome: Other
  onPlanAgain: () => void
  onClose: () => void
}

/** Ends that are neither a clean release nor a changed holder. */
export function OtherOutcomeStep({ release, outcome, onPlanAgain, onClose }: OtherOutcomeStepProps) {
  const lock = useLockReason()
  return (
    <div className="body first-step">
      <div role="status">
        <DialogTitle>{titles[outcome]}</DialogTitle>
        <DialogLead>{leadOf(outcome, release)}</DialogLead>
      </div>
      <ReleaseSteps release={release} />
      {release.renewedSincePlan && <RenewedMeanwhile />}
      <div className="acts mt-4 pb-4">
        {outcome === 'not-released' && (
          <LockedButton className="btn push" lock={lock} onClick={onPlanAgain}>
            Plan again
          </LockedButton>
        )}
        <button
          type="button"
          className={outcome === 'not-released' ? 'btn primary' : 'btn primary push'}
          onClick={onClose}
        >
          {outcome === 'unknown' ? 'Close, go on watching' : 'Done'}
        </button>
      </div>
    </div>
  )
}
