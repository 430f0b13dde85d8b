'use client'

import { useQuery } from '@tanstack/react-query'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { leaseQuery } from '../../lib/client/call/queries.ts'
import { clockLease } from '../../lib/client/time/countdown.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { tableParam } from '../leases/address/lease-link.ts'
import { ReadPill } from '../leases/row/read-pill.tsx'
import { LeaseDiff } from '../release/holder/lease-diff.tsx'
import { useLost } from '../shell/truth/use-connection.ts'
import { Age } from '../ui/text/age.tsx'
import { Say } from '../ui/text/say.tsx'

/** The lease as it was planned for, and as it is at this moment, side by side. */
export function LeaseNowSection({ planned }: { planned: Lease }) {
  const { data: reading, error } = useQuery(leaseQuery(planned.name, tableParam(planned.table)))
  const lost = useLost() !== null
  const stale = lost || error !== null
  return (
    <section className="sect wide-sect" aria-label="The lease, when planned and now">
      <div className="head">
        <h2>The lease, when planned and now</h2>
      </div>
      {reading !== undefined ? (
        <LeaseDiff
          planned={planned}
          current={reading.held ? reading.sighting.lease : null}
          readAt={
            reading.held ? (
              <ReadPill of={clockLease(reading.sighting)} stale={stale} />
            ) : (
              <>
                {stale ? 'as last read, ' : 'read '}
                <Age sinceMs={reading.readAtMs} after=" ago" />, SERIAL
              </>
            )
          }
        />
      ) : error !== null ? (
        <Say tone="danger" icon="stale" title={errorWords(error).title} role="alert">
          {errorWords(error).detail} Retrying every second.
        </Say>
      ) : (
        <p className="mut" role="status">
          {lost ? 'The lease could not be read yet.' : 'Reading the lease at SERIAL…'}
        </p>
      )}
    </section>
  )
}
