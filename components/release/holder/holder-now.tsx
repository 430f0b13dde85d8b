'use client'

import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { renewals } from '../../../lib/client/row/renewals.ts'
import { clockLease, stateAt } from '../../../lib/client/time/countdown.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import { ReadPill } from '../../leases/row/read-pill.tsx'
import { Countdown } from '../../leases/row/time-left.tsx'
import { Age } from '../../ui/text/age.tsx'
import type { PlanState } from '../plan/plan-state.ts'
import type { HeldPlan } from '../plan/use-release-plan.ts'
import { OwnerText } from './owner-text.tsx'

interface HolderNowProps {
  held: HeldPlan
  reading: LeaseReading | undefined
  state: PlanState
  stale: boolean
}

/** The holder that the plan is bound to, with its facts as they are at this moment; of a dead plan, as they were. */
export function HolderNow({ held, reading, state, stale }: HolderNowProps) {
  const { plan, arrivedAtMs } = held
  const planned = clockLease(renewals.mark({ lease: plan.lease, now: plan.now, arrivedAtMs }))
  const seen = reading?.held ? clockLease(renewals.mark(reading.sighting)) : null
  const shown = seen?.lease.owner === plan.lease.owner ? seen : planned
  const { clock, lease } = shown
  const isOld = stale || (state !== 'good' && state !== 'expired')
  return (
    <section className="who" aria-label="Who holds it" data-state={stateAt(shown, pageNow())}>
      <span className="min-w-0">
        <span className="ow">
          <OwnerText owner={lease.owner} />
        </span>
        <ReadPill of={shown} stale={isOld} />
      </span>
      <span className="r">
        {clock.endsAtMs === null ? (
          'no expiry'
        ) : stale || state !== 'good' ? null : (
          <>
            <b>
              <Countdown endsAtMs={clock.endsAtMs} />
            </b>{' '}
            {lease.ttlSeconds !== null && (
              <span className="mut">of {durationText(lease.ttlSeconds * 1000)}</span>
            )}
          </>
        )}
      </span>
      <span className="small mut">
        version <span className="mono">{lease.version}</span>
      </span>
      <span className="r small mut">
        {clock.writtenAtMs !== null && (
          <>
            {lease.version === plan.lease.version ? 'written ' : 'renewed '}
            <Age sinceMs={clock.writtenAtMs} after=" ago" />
          </>
        )}
      </span>
    </section>
  )
}
