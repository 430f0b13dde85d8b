'use client'

import { useCallback } from 'react'
import { planLifetimeSeconds } from '../../lib/contract/releases/release.ts'
import { BarFill } from '../leases/bar-fill.tsx'
import { Ticking } from '../ui/ticking.tsx'
import type { HeldPlan } from './use-release-plan.ts'

/** For how long the plan is still good. */
export function PlanClock({ held, expired }: { held: HeldPlan; expired: boolean }) {
  const { expiresAtMs } = held
  const text = useCallback(
    (nowMs: number) => `plan good for ${Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000))} s`,
    [expiresAtMs],
  )
  if (expired) return <span className="plan text-warn">plan too old</span>
  return (
    <span className="plan" title="After that the plan is made anew, from a fresh SERIAL read">
      <Ticking text={text} />
      <span className="bar none" data-state="held" data-live aria-hidden="true">
        <BarFill key={expiresAtMs} endsAtMs={expiresAtMs} ttlSeconds={planLifetimeSeconds} />
      </span>
    </span>
  )
}
