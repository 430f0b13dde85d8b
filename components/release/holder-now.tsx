'use client'

import { clockLease, stateAt } from '../../lib/client/countdown.ts'
import type { LeaseReading } from '../../lib/client/queries.ts'
import { quarantineOf } from '../../lib/contract/leases/quarantine.ts'
import type { ReleasePlan } from '../../lib/contract/releases/release.ts'
import { ReadPill } from '../leases/read-pill.tsx'
import { Countdown } from '../leases/time-left.tsx'
import { Age } from '../ui/age.tsx'
import { Say } from '../ui/say.tsx'
import { OwnerText } from './owner-text.tsx'
import type { HeldPlan } from './use-release-plan.ts'
import { WhoBroke } from './who-broke.tsx'

/** What is going on with the lease, in one sentence. */
export function holderSentence(plan: ReleasePlan, reading: LeaseReading | undefined): string {
  if (reading?.held === false) return 'Nobody holds it now: there is nothing left to release.'
  const lease = reading?.held ? reading.sighting.lease : plan.lease
  if (lease.state === 'quarantined')
    return 'It was broken: nobody may acquire it yet. This plan would be refused.'
  if (lease.owner !== plan.lease.owner) return 'Somebody else holds it now. This plan would be refused.'
  switch (lease.state) {
    case 'risk':
      return 'Its renewals are missing. It ends by itself soon; nothing has to be released.'
    case 'eternal':
      return 'It has no expiry: nothing but a release ever frees it.'
    case 'partial':
      return 'It is held, and its value expires first.'
    default:
      return lease.version !== plan.lease.version
        ? 'It is held and being renewed: its work is going on right now.'
        : 'It is held: its work may be going on right now.'
  }
}

interface HolderNowProps {
  held: HeldPlan
  reading: LeaseReading | undefined
  stale: boolean
  onPlanAgain: () => void
}

/** The holder that the plan is bound to, with its facts as they are at this moment. */
export function HolderNow({ held, reading, stale, onPlanAgain }: HolderNowProps) {
  const { plan, arrivedAtMs } = held
  const planned = clockLease({ lease: plan.lease, now: plan.now, arrivedAtMs })
  const seen = reading?.held ? clockLease(reading.sighting) : null
  const same = seen?.lease.owner === plan.lease.owner
  const shown = same ? seen : planned
  const { clock, lease } = shown
  const changed = reading !== undefined && !same && clockReadAt(reading) > arrivedAtMs
  const broken = seen !== null && quarantineOf(seen.lease.owner, seen.lease.value) !== null
  return (
    <>
      <section className="who" aria-label="Who holds it" data-state={stateAt(shown, performance.now())}>
        <span className="min-w-0">
          <span className="ow">
            <OwnerText owner={lease.owner} />
          </span>
          <ReadPill of={shown} stale={stale} />
        </span>
        <span className="r">
          {clock.endsAtMs === null ? (
            'no expiry'
          ) : stale ? null : (
            <>
              <b>
                <Countdown endsAtMs={clock.endsAtMs} />
              </b>{' '}
              <span className="mut">of {lease.ttlSeconds} s</span>
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
      {changed && !stale && (
        <div className="body">
          <Say
            tone="warn"
            icon="risk"
            title={
              broken
                ? 'Another person broke it since this plan.'
                : seen
                  ? 'The holder has changed since this plan.'
                  : 'Nobody holds it any more.'
            }
            role="alert"
          >
            {broken && seen ? (
              <WhoBroke lease={seen.lease} />
            ) : seen ? (
              <>
                It is <OwnerText owner={seen.lease.owner} /> now. The plan is for the holder above and would
                be refused.
              </>
            ) : (
              'A SERIAL read found no row: it expired, was given back, or somebody released it. The plan would be refused.'
            )}{' '}
            {seen && !broken && (
              <button type="button" className="link" onClick={onPlanAgain}>
                Plan again for the new holder
              </button>
            )}
          </Say>
        </div>
      )}
    </>
  )
}

const clockReadAt = (reading: LeaseReading): number =>
  reading.held ? clockLease(reading.sighting).clock.readAtMs : reading.readAtMs
