'use client'

import type { LeaseReading } from '../../lib/client/queries.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { listPath } from '../leases/lease-link.ts'
import { Instant } from '../shell/instant.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { Age } from '../ui/age.tsx'
import { SeenText } from '../ui/seen-text.tsx'
import { FreeSentence } from './free-sentence.tsx'
import type { LeaseMemory } from './use-lease-memory.ts'

interface NotHeldProps {
  table: string | undefined
  reading: Extract<LeaseReading, { held: false }>
  /** The lease that was seen here until it went. */
  was: Lease | null
  memory: LeaseMemory
  stale: boolean
}

/** A SERIAL read found no row. The page keeps watching: the next holder appears here. */
export function NotHeld({ table, reading, was, memory, stale }: NotHeldProps) {
  return (
    <section className="now" aria-label="Now" data-stale={stale || undefined}>
      <div>
        <p className="big" role="status">
          Free
          <small>
            {stale ? 'when last read, ' : 'read '}
            <Age sinceMs={reading.readAtMs} after=" ago" />
          </small>
        </p>
        <FreeSentence reading={reading} was={was} memory={memory} stale={stale} />
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
