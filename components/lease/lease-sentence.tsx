'use client'

import { serverNow } from '../../lib/client/call/call.ts'
import type { Row } from '../../lib/client/row/row-board.ts'
import { isOwnerless } from '../../lib/client/time/countdown.ts'
import { durationText } from '../../lib/client/time/time-text.ts'
import { isLibraryOwner } from '../../lib/contract/leases/lease-state.ts'
import type { LeaseRelease } from '../../lib/contract/releases/lease-release.ts'
import { WhoBroke } from '../release/holder/who-broke.tsx'
import { usePast } from '../release/progress/use-past.ts'
import { Instant } from '../shell/time/instant.tsx'
import { Say } from '../ui/text/say.tsx'
import { rhythmOf } from './facts/lease-rhythm.ts'
import { UntilText } from './facts/until-text.tsx'
import { type Still, StillSentence } from './still.tsx'
import { ZombieSentence } from './zombie/zombie-sentence.tsx'

interface LeaseSentenceProps {
  row: Row
  still: Still
  /** The page says below who brought about this state, when and why. */
  isTold: boolean
  /** The kill whose old holder may still act. */
  acting: LeaseRelease | undefined
}

/** What the state means here: first what is, then what follows, then what to do. The normal stays quiet. */
export function LeaseSentence(props: LeaseSentenceProps) {
  const { acting, still, row } = props
  const isOver = usePast(acting?.safeAt == null ? null : Date.parse(acting.safeAt))
  const two = still === null && acting !== undefined && !isOver
  return (
    <>
      {two && <TwoMayAct until={acting.safeAt} sameOwner={acting.owner === row.lease.owner} />}
      <StateSentence {...props} />
    </>
  )
}

/** After a kill, under the next holder. */
function TwoMayAct({ until, sameOwner }: { until: string | null; sameOwner: boolean }) {
  return (
    <Say
      tone="danger"
      icon="risk"
      title={
        until === null ? (
          'Two holders may act.'
        ) : (
          <>
            Two holders may act until <UntilText at={until} />.
          </>
        )
      }
    >
      {until === null
        ? 'The killed lease had no expiry: the old holder may act until its next renewal is refused.'
        : 'The lease was killed. The old holder must have stopped by then, if it keeps to its deadline.'}
      {sameOwner && ' The holder now has the same owner id.'}
    </Say>
  )
}

function StateSentence({ row, still, isTold }: LeaseSentenceProps) {
  if (still !== null) return <StillSentence still={still} />
  const { lease, clock } = row
  if (isOwnerless(lease) && row.state === 'held')
    return (
      <Say icon="info" title="Held. This table does not say who holds it, or until when.">
        The table has no owner column: a lease is held while its row exists. The console cannot count it down
        or release it.
      </Say>
    )
  const end = lease.expiresAt === null ? null : <Instant at={lease.expiresAt} zoned />
  switch (row.state) {
    case 'risk': {
      const stopsMs = rhythmOf(row)?.stopsMs ?? null
      return (
        <Say tone="warn" icon="risk" title="Renewals are missing.">
          If none arrives, the row is gone at {end} and another program can acquire it.
          {stopsMs !== null && ` A holder that keeps to its deadline stops ${durationText(stopsMs)} earlier.`}{' '}
          You need not release it: it ends by itself.
        </Say>
      )
    }
    case 'verifying':
      return (
        <Say icon="verifying" title="Its time is up. Whether the row is gone is not known yet.">
          A renewal may have arrived at the last moment. A SERIAL read is checking.
        </Say>
      )
    case 'zombie':
      return <ZombieSentence row={row} />
    case 'partial':
      return (
        <Say tone="warn" icon="partial" title="The value expires before the owner.">
          {clock.valueEndsAtMs !== null && (
            <>
              The value is gone at <Instant at={serverNow(clock.valueEndsAtMs)} zoned />. The lease goes on
              without it.{' '}
            </>
          )}
          Its renewals seem to update only the owner. A renewal should set every column.
        </Say>
      )
    case 'eternal':
      return (
        <Say icon="eternal" title="It has no expiry.">
          It was written without a TTL. If its holder dies, only a release frees it.
        </Say>
      )
    case 'quarantined':
      return (
        <Say tone="hold" icon="quarantined" title="Broken. It cannot be acquired yet.">
          {!isTold && <WhoBroke lease={lease} />}
          At zero the row expires, and the old holder must have stopped, if it keeps to its deadline. From
          then on any program can acquire the lease.
        </Say>
      )
    case 'held':
      if (clock.endsAtMs === null || row.renewed || isLibraryOwner(lease.owner)) return null
      return (
        <Say icon="clock" title={<>The lease ends at {end}, unless it is renewed.</>}>
          No renewal was seen since this page was opened, so Leasehold cannot tell whether one is late.
        </Say>
      )
    default:
      return null
  }
}
