'use client'

import type { ComponentProps } from 'react'
import { isOwnerless } from '../../../lib/client/time/countdown.ts'
import { leftText } from '../../../lib/client/time/time-text.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { LeaseBar } from '../../leases/row/lease-bar.tsx'
import { Countdown, unreadableExpiry } from '../../leases/row/time-left.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Age } from '../../ui/text/age.tsx'
import { LeaseMarks } from '../lease-marks.tsx'
import { LeaseSentence } from '../lease-sentence.tsx'

type LeaseNowProps = ComponentProps<typeof LeaseSentence> & { row: LiveRow }

/** The one large countdown of the page, its marks, and what it means. */
export function LeaseNow({ row, still, isTold, acting }: LeaseNowProps) {
  const stale = still !== null
  return (
    <div>
      <p className="big" role="timer">
        <Figure row={row} stale={stale} />
      </p>
      <div className="scale">
        <LeaseBar row={row} stale={stale} />
        {!stale && <LeaseMarks row={row} />}
      </div>
      <LeaseSentence row={row} still={still} isTold={isTold} acting={acting} />
    </div>
  )
}

function Figure({ row, stale }: { row: LiveRow; stale: boolean }) {
  const { state, clock, lease, reading } = row
  if (stale)
    return (
      <>
        {clock.endsAtMs === null ? 'unknown' : `was ${leftText(clock.endsAtMs - reading.atMs)}`}
        <small>
          when last read, <Age sinceMs={reading.atMs} after=" ago" />
        </small>
      </>
    )
  if (state === 'verifying')
    return (
      <>
        verifying…<small>its time is up or its row is missing; a SERIAL read is checking</small>
      </>
    )
  if (state === 'zombie')
    return (
      <>
        no owner
        <small>
          {lease.value === null
            ? 'the owner is gone; only the row’s marker is left'
            : 'the owner is gone; its value is still there'}
        </small>
      </>
    )
  if (isOwnerless(lease))
    return (
      <>
        unknown<small>{unreadableExpiry}</small>
      </>
    )
  if (clock.endsAtMs === null)
    return (
      <>
        no expiry<small>only a release frees it</small>
      </>
    )
  return (
    <>
      <Countdown endsAtMs={clock.endsAtMs} />
      <small>
        {state !== 'quarantined' ? (
          'until Cassandra drops the row'
        ) : lease.expiresAt === null ? (
          'until it can be acquired'
        ) : (
          <>
            safe at <Instant at={lease.expiresAt} zoned />
          </>
        )}
      </small>
    </>
  )
}
