'use client'

import type { LeaseReading } from '../../lib/client/queries.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { listPath } from '../leases/lease-link.ts'
import { Instant } from '../shell/instant.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { Age } from '../ui/age.tsx'
import { Say } from '../ui/say.tsx'
import { SeenText } from '../ui/seen-text.tsx'

interface NotHeldProps {
  table: string | undefined
  reading: Extract<LeaseReading, { held: false }>
  /** The lease that was seen here until it went. */
  was: Lease | null
  stale: boolean
}

/** A SERIAL read found no row. The page goes on watching: whoever acquires it appears here. */
export function NotHeld({ table, reading, was, stale }: NotHeldProps) {
  return (
    <section className="now" aria-label="Now" data-stale={stale || undefined}>
      <div>
        <p className="big" role="status">
          Nobody holds it
          <small>
            {stale ? 'when last read, ' : 'read '}
            <Age sinceMs={reading.readAtMs} after=" ago" />
          </small>
        </p>
        {stale ? (
          <Say icon="stale" title="Nobody can tell now whether it is held.">
            The console reads again every 2 s.
          </Say>
        ) : (
          <Say icon="gone" title="A SERIAL read found no row: anybody may acquire it.">
            The page reads again every second. Once somebody acquires it, the lease appears here by itself.
          </Say>
        )}
        <p className="mt-4">
          <PageLink className="btn" href={listPath(table)}>
            All leases
          </PageLink>
        </p>
      </div>
      {was && (
        <dl className="facts">
          <div className="wide">
            <dt>Last owner</dt>
            <dd className="mono">
              <bdi className="seen">
                {was.owner === null ? <span className="dim">null</span> : <SeenText text={was.owner} />}
              </bdi>
            </dd>
          </div>
          <div className="wide">
            <dt>Last value</dt>
            <dd className="mono long">
              <div className="well">
                <bdi className="seen">
                  <SeenText text={was.value ?? '–'} lines />
                </bdi>
              </div>
            </dd>
          </div>
          {was.writtenAt && (
            <div className="wide">
              <dt>Last written</dt>
              <dd className="mono">
                <Instant at={was.writtenAt} digits={3} zoned />
              </dd>
            </div>
          )}
        </dl>
      )}
    </section>
  )
}
