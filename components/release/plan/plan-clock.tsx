'use client'

import { useCallback } from 'react'
import { planLifetimeSeconds } from '../../../lib/contract/releases/release.ts'
import { BarFill } from '../../leases/row/bar-fill.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import type { PlanState } from './plan-state.ts'
import type { HeldPlan } from './use-release-plan.ts'

/** For how long the plan is still good. Nothing runs on a plan that is dead. */
export function PlanClock({ held, state }: { held: HeldPlan; state: PlanState }) {
  const { expiresAtMs } = held
  const text = useCallback(
    (nowMs: number) => `Your plan: valid for ${Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000))} s`,
    [expiresAtMs],
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
      title="A plan holds the lease as it was read. Once it has expired, plan again to re-read the holder"
    >
      <Ticking text={text} />
      <span className="bar none" data-state="held" data-live aria-hidden="true">
        <BarFill key={expiresAtMs} endsAtMs={expiresAtMs} ttlSeconds={planLifetimeSeconds} />
      </span>
    </span>
  )
}
