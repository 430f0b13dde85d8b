'use client'

import { quarantineOf } from '../../lib/contract/leases/quarantine.ts'
import type { Problem } from '../../lib/contract/problem.ts'
import type { ReleaseMode } from '../../lib/contract/releases/release.ts'
import { useLockReason } from '../shell/use-connection.ts'
import { DialogLead, DialogTitle } from '../ui/dialog.tsx'
import { LockedButton } from '../ui/locked-button.tsx'
import { Say } from '../ui/say.tsx'
import { LeaseDiff } from './lease-diff.tsx'
import { OtherAct } from './other-act.tsx'
import { WhoBroke } from './who-broke.tsx'

interface ChangedStepProps {
  problem: Problem
  onPlan: (mode: ReleaseMode | null) => void
  onClose: () => void
}

/** Refused, because the holder is not the planned one any more: old and new side by side, and who did it, if anybody. */
export function ChangedStep({ problem, onPlan, onClose }: ChangedStepProps) {
  const lock = useLockReason()
  const { planned, current, release } = problem
  const broken = current ? quarantineOf(current.owner, current.value) !== null : false
  const replan = current !== null && !broken
  return (
    <div className="body first-step">
      <DialogTitle>Nothing was released</DialogTitle>
      <DialogLead>
        {current === null
          ? 'Nobody holds it now: it expired, was given back, or was released by somebody else. Nothing was deleted by this.'
          : current === undefined
            ? problem.detail
            : broken
              ? 'The lease was broken after you looked. Nobody may acquire it yet, and this changed nothing.'
              : 'The holder changed after you looked. The lease is held by somebody else now, and was left alone.'}
      </DialogLead>
      {(release || (broken && current)) && (
        <div className="mt-4">
          <Say tone="warn" icon="person" title="Another person acted on this lease.">
            {release ? <OtherAct release={release} /> : current && <WhoBroke lease={current} />}
          </Say>
        </div>
      )}
      {current === undefined && (
        <div className="mt-4">
          <Say title="What is there now could not be read.">Look at the lease before you plan again.</Say>
        </div>
      )}
      {planned && current !== undefined && (
        <LeaseDiff planned={planned} current={current} readAt={current?.read.at ?? <>read at SERIAL</>} />
      )}
      {replan && current && (
        <div className="mt-4">
          <Say title="The old holder does not hold it any more.">
            If you still want to release the <b>new</b> one, make a new plan for it.
          </Say>
        </div>
      )}
      <div className="acts mt-4 pb-4">
        {replan && (
          <LockedButton className="btn push" lock={lock} onClick={() => onPlan(null)}>
            Plan again for the new holder
          </LockedButton>
        )}
        <button type="button" className={replan ? 'btn primary' : 'btn primary push'} onClick={onClose}>
          {replan ? 'Leave it alone' : 'Done'}
        </button>
      </div>
    </div>
  )
}
