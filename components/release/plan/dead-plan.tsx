'use client'

import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { Say } from '../../ui/text/say.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import { WhoBroke } from '../holder/who-broke.tsx'
import type { PlanState } from './plan-state.ts'
import { deadWords } from './words/plan-words.ts'

interface DeadPlanProps {
  state: Exclude<PlanState, 'good'>
  reading: LeaseReading | undefined
}

/** Why the plan can no longer be carried out, and the lease's present holder. */
export function DeadPlan({ state, reading }: DeadPlanProps) {
  const { title, detail } = deadWords[state]
  const lease = reading?.held ? reading.sighting.lease : null
  const isExpired = state === 'expired'
  return (
    <Say tone="warn" icon={isExpired ? 'clock' : 'risk'} title={title} role={isExpired ? 'status' : 'alert'}>
      {state === 'broken' && lease && <WhoBroke lease={lease} />}
      {state === 'changed' && lease && (
        <>
          Now held by <OwnerText owner={lease.owner} />.{' '}
        </>
      )}
      {detail}
    </Say>
  )
}
