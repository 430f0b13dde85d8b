'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { serverNow } from '../../lib/client/call.ts'
import { leaseQuery } from '../../lib/client/queries.ts'
import { durationText } from '../../lib/client/time-text.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { quarantineOwner } from '../../lib/contract/leases/quarantine.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { BarFill } from '../leases/bar-fill.tsx'
import { tableParam } from '../leases/lease-link.ts'
import { Countdown } from '../leases/time-left.tsx'
import { Instant } from '../shell/instant.tsx'
import { Icon } from '../ui/icon.tsx'
import { breakStage } from './break-stage.ts'
import { OwnerText } from './owner-text.tsx'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'
import { usePast } from './use-past.ts'

/** Broken: counts down to "safe at", and tells who acquires it then. */
export function BrokenOutcome({ release }: { release: Release }) {
  const { planned, safeAt } = release
  const { data: reading, refetch } = useQuery(leaseQuery(planned.name, tableParam(planned.table)))
  const safeAtMs = safeAt === null ? null : Date.parse(safeAt)
  const past = usePast(safeAtMs)
  // At zero the lease is read at once, not at the next beat.
  useEffect(() => {
    if (past) refetch()
  }, [past, refetch])
  const brokenAt = release.steps.findLast(({ ok }) => ok)?.at ?? release.requestedAt ?? release.now
  const stage = breakStage({ mark: quarantineOwner(release.id), safeAt, past, brokenAt, reading })
  return (
    <div data-state={stage.at === 'quarantined' ? 'quarantined' : undefined}>
      {stage.at === 'quarantined' && (
        <>
          <ResultHead title="Broken. Safe in" />
          <SafeIn release={release} safeAtMs={safeAtMs} />
          {safeAt !== null && (
            <p className="mut">
              At{' '}
              <b>
                <Instant at={safeAt} zoned />
              </b>{' '}
              the old holder has stopped by its own clock, and the row goes. Whoever waits for it acquires it
              then.
            </p>
          )}
        </>
      )}
      {stage.at === 'verifying' && (
        <ResultHead title="Its time is up: verifying…">
          A SERIAL read says whether the row is gone.
        </ResultHead>
      )}
      {stage.at === 'free' && (
        <ResultHead title="Anybody may acquire it now">
          The quarantine is over: a SERIAL read found no row. <OwnerText owner={planned.owner} /> has stopped
          by its own clock.
        </ResultHead>
      )}
      {stage.at === 'taken' && <Taken lease={stage.lease} release={release} />}
      <ReleaseSteps release={release}>
        <li className={stage.at === 'quarantined' || stage.at === 'verifying' ? 'cur' : 'done'}>
          <Icon name={stage.at === 'quarantined' || stage.at === 'verifying' ? 'verifying' : 'check'} />
          <span>Quarantined until the deadline is past</span>
          <span className="mono small">{safeAt !== null && <Instant at={safeAt} digits={3} />}</span>
        </li>
        <li className={stage.at === 'taken' ? 'done' : stage.at === 'free' ? 'cur' : 'todo'}>
          <Icon name={stage.at === 'taken' ? 'check' : 'gone'} />
          <span>{stage.at === 'taken' ? 'Somebody acquired it' : 'Somebody acquires it'}</span>
          <span className="mono small">
            {stage.at === 'taken' && stage.lease.writtenAt !== null && (
              <Instant at={stage.lease.writtenAt} digits={3} />
            )}
          </span>
        </li>
      </ReleaseSteps>
    </div>
  )
}

function SafeIn({ release, safeAtMs }: { release: Release; safeAtMs: number | null }) {
  if (safeAtMs === null) return <p className="big">–</p>
  const nowMs = performance.now()
  const endsAtMs = nowMs + safeAtMs - serverNow(nowMs)
  const brokenAtMs = Date.parse(release.requestedAt ?? release.now)
  return (
    <>
      <p className="big" role="timer">
        <Countdown key={safeAtMs} endsAtMs={endsAtMs} />
      </p>
      <span className="bar none safe-bar" data-live aria-hidden="true">
        <BarFill
          key={safeAtMs}
          endsAtMs={endsAtMs}
          ttlSeconds={Math.max(1, (safeAtMs - brokenAtMs) / 1000)}
        />
      </span>
    </>
  )
}

/** Somebody holds it. How soon after "safe at" is said as long as the row was not written again since. */
function Taken({ lease, release: { planned, safeAt } }: { lease: Lease; release: Release }) {
  const afterMs =
    safeAt === null || lease.writtenAt === null ? null : Date.parse(lease.writtenAt) - Date.parse(safeAt)
  return (
    <ResultHead
      title={
        <>
          <OwnerText owner={lease.owner} /> holds it now
        </>
      }
    >
      {lease.writtenAt !== null && (
        <>
          Its row was written at <Instant at={lease.writtenAt} digits={3} zoned />
          {afterMs !== null && afterMs >= 0 && afterMs < 60_000 && (
            <>, {afterMs < 1000 ? `${afterMs} ms` : durationText(afterMs)} after “safe at”</>
          )}
          .{' '}
        </>
      )}
      <OwnerText owner={planned.owner} /> has stopped by its own clock.
    </ResultHead>
  )
}
