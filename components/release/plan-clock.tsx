'use client'

import { useCallback } from 'react'
import { planLifetimeSeconds } from '../../lib/contract/releases/release.ts'
import { BarFill } from '../leases/bar-fill.tsx'
import { Ticking } from '../ui/ticking.tsx'
import type { PlanState } from './plan-state.ts'
import type { HeldPlan } from './use-release-plan.ts'

/** For how long the plan is still good. Nothing runs on a plan that is dead. */
export function PlanClock({ held, state }: { held: HeldPlan; state: PlanState }) {
  const { arrivedAtMs, expiresAtMs } = held
  const text = useCallback(
    (nowMs: number) =>
      `Your plan: checked ${Math.max(0, Math.floor((nowMs - arrivedAtMs) / 1000))} s ago, valid for ${Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000))} s`,
    [arrivedAtMs, expiresAtMs],
  )
  if (state !== 'good')
    return (
      <span className="plan text-warn">
        {state === 'expired' ? 'your plan expired' : 'your plan is no longer valid'}
      </span>
    )
  return (
    <span
      className="plan"
      title="The plan holds the lease as it was checked. After that, plan again to re-read the holder"
    >
      <Ticking text={text} />
      <span className="bar none" data-state="held" data-live aria-hidden="true">
        <BarFill key={expiresAtMs} endsAtMs={expiresAtMs} ttlSeconds={planLifetimeSeconds} />
      </span>
    </span>
  )
}
