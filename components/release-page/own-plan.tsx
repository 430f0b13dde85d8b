'use client'

import type { Release } from '../../lib/contract/releases/release.ts'
import { useLockReason } from '../shell/use-connection.ts'
import { LockedButton } from '../ui/locked-button.tsx'

/** A plan is carried out by the person who made it, in the window where it was made. Other people make their own. */
export function OwnPlan({ release, onPlan }: { release: Release; onPlan: () => void }) {
  const lock = useLockReason()
  return (
    <div className="acts mt-4">
      <LockedButton className="btn" lock={lock} onClick={onPlan}>
        Plan your own release…
      </LockedButton>
      <span className="small dim">
        Only {release.plannedBy} can carry out this plan, in the window where it was made.
      </span>
    </div>
  )
}
