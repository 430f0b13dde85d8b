'use client'

import { quarantineOf } from '../../lib/contract/leases/quarantine.ts'
import type { Problem } from '../../lib/contract/problem.ts'
import type { ReleaseMode } from '../../lib/contract/releases/release.ts'
import { Instant } from '../shell/time/instant.tsx'
import { useTitle } from '../shell/truth/browser-title.tsx'
import { useLockReason } from '../shell/truth/use-connection.ts'
import { DialogLead, DialogTitle } from '../ui/control/dialog.tsx'
import { LockedButton } from '../ui/control/locked-button.tsx'
import { Say } from '../ui/text/say.tsx'
import { howFreed, isOfTenure } from './holder/how-freed.ts'
import { LeaseDiff } from './holder/lease-diff.tsx'
import { LeaseName } from './holder/lease-name.tsx'
import { WhoBroke } from './holder/who-broke.tsx'
import { OtherAct } from './modes/other-act.tsx'
import { OverlapLeft } from './outcome/overlap-left.tsx'

interface ChangedStepProps {
  name: string
  problem: Problem
  onPlan: (mode: ReleaseMode | null) => void
  onClose: () => void
}

/** Refused, because the holder is not the planned one any more: old and new side by side, and who did it, where a person did. */
export function ChangedStep({ name, problem, onPlan, onClose }: ChangedStepProps) {
  const lock = useLockReason()
  const { planned, current, release } = problem
  const broken = current ? quarantineOf(current.owner, current.value) !== null : false
  const replan = current !== null && !broken
  const safeAt = release?.safeAt ?? current?.expiresAt
  useTitle(`Nothing was released: ${name}`)
  return (
    <div className="body first-step">
      <div role="status">
        <DialogTitle>
          Nothing was released: <LeaseName name={name} />,{' '}
          {current === null ? 'free already' : broken ? 'already broken' : 'the holder changed'}
        </DialogTitle>
        <DialogLead>
          {current === null
            ? `The lease is free: ${howFreed(planned, release)}`
            : current === undefined
              ? problem.detail
              : broken
                ? 'Another person broke the lease after you looked.'
                : 'The holder changed after you looked. The new holder was left alone.'}
          {broken && safeAt && (
            <>
              {' '}
              It cannot be acquired before <Instant at={safeAt} zoned />. Until then the old holder may act.
            </>
          )}
        </DialogLead>
      </div>
      {(release || (broken && current)) && (
        <div className="mt-4">
          <Say tone="warn" icon="person" title="Another person acted on this lease.">
            {release ? <OtherAct release={release} /> : current && <WhoBroke lease={current} />}
          </Say>
        </div>
      )}
      {release?.outcome === 'released' && isOfTenure(planned, release) && <OverlapLeft release={release} />}
      {current === undefined && (
        <div className="mt-4">
          <Say title="The lease could not be read again.">Look at the lease before you plan again.</Say>
        </div>
      )}
      {planned && current !== undefined && (
        <LeaseDiff planned={planned} current={current} readAt={current?.read.at ?? <>read at SERIAL</>} />
      )}
      {replan && current && (
        <div className="mt-4">
          <Say title="The old holder no longer holds it.">
            To release the <b>new</b> holder, plan again.
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
