'use client'

import { serverNow } from '../../lib/client/call.ts'
import { isOwnerless } from '../../lib/client/countdown.ts'
import type { Row } from '../../lib/client/row-board.ts'
import { durationText } from '../../lib/client/time-text.ts'
import { WhoBroke } from '../release/who-broke.tsx'
import { Instant } from '../shell/instant.tsx'
import { Say } from '../ui/say.tsx'
import { rhythmOf } from './lease-rhythm.ts'
import { ZombieSentence } from './zombie-sentence.tsx'

/** What the state means here: first what is, then what follows, then what to do. The normal stays quiet. */
export function LeaseSentence({ row, stale }: { row: Row; stale: boolean }) {
  if (stale)
    return (
      <Say icon="stale" title="Nobody can tell now whether it is held.">
        The console reads again every 2 s. A holder that cannot renew stops by itself at its deadline.
      </Say>
    )
  const { lease, clock } = row
  if (isOwnerless(lease) && row.state === 'held')
    return (
      <Say icon="info" title="It is held by somebody; this table does not say by whom, nor until when.">
        The table has no owner column: a lease is held there for as long as its row exists. The console can
        see that, and cannot count it down or release it.
      </Say>
    )
  const end = lease.expiresAt === null ? null : <Instant at={lease.expiresAt} zoned />
  switch (row.state) {
    case 'risk': {
      const stopsMs = rhythmOf(row)?.stopsMs ?? null
      return (
        <Say tone="warn" icon="risk" title="Renewals are missing.">
          If none arrives, the row is gone at {end} and anybody may acquire it.
          {stopsMs !== null &&
            ` A holder that keeps to the protocol stops by itself ${durationText(stopsMs)} earlier.`}{' '}
          Nothing has to be released by hand.
        </Say>
      )
    }
    case 'verifying':
      return (
        <Say icon="verifying" title="Its time is up. Whether it is gone is not known yet.">
          A renewal may have come at the last moment. A SERIAL read is under way and says which.
        </Say>
      )
    case 'zombie':
      return <ZombieSentence row={row} />
    case 'partial':
      return (
        <Say tone="warn" icon="partial" title="The value expires before the owner.">
          {clock.valueEndsAtMs !== null && (
            <>
              It is gone at <Instant at={serverNow(clock.valueEndsAtMs)} zoned />, and the lease goes on
              without it.{' '}
            </>
          )}
          Whoever renews it sets the owner only. A renewal should set every column.
        </Say>
      )
    case 'eternal':
      return (
        <Say icon="eternal" title="It has no expiry.">
          It was written without a TTL. If its holder dies, nothing but a release ever frees it.
        </Say>
      )
    case 'quarantined':
      return (
        <Say tone="hold" icon="quarantined" title="It was broken, and nobody may acquire it yet.">
          <WhoBroke lease={lease} />
          At {end} the old holder has stopped by its own clock, and the row goes: from then on anybody may
          acquire it.
        </Say>
      )
    default:
      return null
  }
}
