'use client'

import type { FreeReading } from '../../lib/client/watch/one-lease.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { listPath } from '../leases/address/lease-link.ts'
import { PageLink } from '../shell/page-link.tsx'
import { Instant } from '../shell/time/instant.tsx'
import { Age } from '../ui/text/age.tsx'
import { SeenText } from '../ui/text/seen-text.tsx'
import { FreeSentence } from './free-sentence.tsx'
import { lastHolder } from './memory/last-holder.ts'
import type { LeaseMemory } from './memory/use-lease-memory.ts'
import type { Still } from './still.tsx'

interface NotHeldProps {
  table: string | undefined
  reading: FreeReading
  /** The lease that was seen here until it went. */
  was: Lease | null
  /** When a read showed it last, on the monotonic clock; null: not known. */
  lastSeenAtMs: number | null
  /** The lease as it was last seen under an owner of its own. */
  owned: Lease | null
  memory: LeaseMemory
  still: Still
}

/** A SERIAL read found no row. The page keeps watching: the next holder appears here. */
export function NotHeld({ table, reading, was, lastSeenAtMs, owned, memory, still }: NotHeldProps) {
  const holder = was && lastHolder(was, owned)
  return (
    <section className="now" aria-label="Now" data-stale={still !== null || undefined}>
      <div>
        <p className="big" role="status">
          Free
          <small>
            {still !== null ? 'when last read, ' : 'read '}
            <Age sinceMs={reading.readAtMs} after=" ago" />
          </small>
        </p>
        <FreeSentence reading={reading} was={was} lastSeenAtMs={lastSeenAtMs} memory={memory} still={still} />
        <p className="mt-4">
          <PageLink className="btn" href={listPath(table)}>
            All leases
          </PageLink>
        </p>
      </div>
      {holder && (
        <dl className="facts">
          <div className="wide">
            <dt>{holder.wasBroken ? 'Owner before the break' : 'Last owner'}</dt>
            <dd className="mono">
              <bdi className="seen">
                {holder.owner === null ? <span className="dim">null</span> : <SeenText text={holder.owner} />}
              </bdi>
            </dd>
          </div>
          {holder.value !== undefined && (
            <div className="wide">
              <dt>{holder.wasBroken ? 'Value before the break' : 'Last value'}</dt>
              <dd className="mono long">
                <div className="well">
                  <bdi className="seen">
                    {holder.value === null ? (
                      <span className="dim">null</span>
                    ) : (
                      <SeenText text={holder.value} lines />
                    )}
                  </bdi>
                </div>
              </dd>
            </div>
          )}
          {holder.writtenAt !== null && (
            <div className="wide">
              <dt>Written</dt>
              <dd className="mono">
                <Instant at={holder.writtenAt} digits={3} zoned />
              </dd>
            </div>
          )}
        </dl>
      )}
    </section>
  )
}
