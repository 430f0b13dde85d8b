'use client'

import type { Release } from '../../lib/contract/releases/release.ts'
import { useLockReason } from '../shell/use-connection.ts'
import { LockedButton } from '../ui/locked-button.tsx'

/** A plan is carried out by whoever made it, in the window where it was made. Everybody else makes one of their own. */
export function OwnPlan({ release, onPlan }: { release: Release; onPlan: () => void }) {
  const lock = useLockReason()
  return (
    <div className="acts mt-4">
      <LockedButton className="btn" lock={lock} onClick={onPlan}>
        Make a plan of your own…
      </LockedButton>
      <span className="small dim">
        The plan of {release.plannedBy} is carried out in the window where it was made.
      </span>
    </div>
  )
}
