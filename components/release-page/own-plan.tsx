'use client'

import type { Release } from '../../lib/contract/releases/release.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { useLockReason } from '../shell/truth/use-connection.ts'
import { LockedButton } from '../ui/control/locked-button.tsx'

/** A plan is carried out by the person who made it, in the browser tab where it was made. Other people make their own. */
export function OwnPlan({ release, onPlan }: { release: Release; onPlan: () => void }) {
  const lock = useLockReason()
  const isMine = useSession().username === release.plannedBy
  return (
    <div className="acts mt-4">
      <LockedButton className="btn" lock={lock} onClick={onPlan}>
        {isMine ? 'Start a new release…' : 'Plan your own release…'}
      </LockedButton>
      <span className="small dim">
        {isMine
          ? 'Go back to the browser tab where you made it, or start a new release.'
          : `This plan is ${release.plannedBy}’s: plan a release of your own.`}
      </span>
    </div>
  )
}
