'use client'

import { serverNow } from '../../../lib/client/call/call.ts'
import type { Row } from '../../../lib/client/row/row-board.ts'
import { isOwnerless } from '../../../lib/client/time/countdown.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { noOwnerColumn } from '../../leases/row/cell-text.tsx'
import { unreadableExpiry } from '../../leases/row/time-left.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Age } from '../../ui/text/age.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { lastHolder } from '../memory/last-holder.ts'
import { TenureAge } from './tenure-age.tsx'

interface LeaseFactsProps {
  row: LiveRow
  /** The lease as it was last seen under an owner of its own. */
  owned: Lease | null
  /** Nothing is read now, so that no time may run. */
  stale: boolean
}

/** All facts that Cassandra has of the lease, in full. Of a quarantine, those of the holder before; the mark stands below, as it was read. */
export function LeaseFacts({ row, owned, stale }: LeaseFactsProps) {
  const { lease, clock, renewed } = row
  const isMark = lease.state === 'quarantined'
  const was = isMark ? lastHolder(lease, owned) : null
  return (
    <dl className="facts">
      <div className="wide">
        <dt>Owner</dt>
        <dd className="mono long">
          <div className="well">
            {isOwnerless(lease) ? (
              <span className="dim sans">– {noOwnerColumn}</span>
            ) : lease.owner === null ? (
              <span className="dim">null</span>
            ) : isMark ? (
              <>
                <span className="sans">quarantine</span>
                {was?.owner != null && (
                  <span className="mut">
                    {' · was '}
                    <bdi className="seen">
                      <SeenText text={was.owner} />
                    </bdi>
                  </span>
                )}
              </>
            ) : (
              <bdi className="seen">
                <SeenText text={lease.owner} />
              </bdi>
            )}
          </div>
          {lease.owner !== null && <CopyButton text={lease.owner} label="Copy the owner" />}
        </dd>
      </div>
      {(!isMark || was?.value !== undefined) && (
        <div className="wide">
          <dt>{isMark ? 'Value before the break' : 'Value'}</dt>
          <dd className="mono long">
            <div className="well">
              <Value value={isMark ? (was?.value ?? null) : lease.value} />
            </div>
            {!isMark && lease.value && <CopyButton text={lease.value} label="Copy the value" />}
          </dd>
        </div>
      )}
      <div className="wide">
        <dt>Version</dt>
        <dd className="mono">{lease.version ?? <span className="dim">–</span>}</dd>
      </div>
      <div className="wide">
        <dt>Written</dt>
        <dd>
          {lease.writtenAt === null || clock.writtenAtMs === null ? (
            <span className="dim">–</span>
          ) : (
            <>
              <span className="mono">
                <Instant at={lease.writtenAt} digits={3} />
              </span>
              , <Age sinceMs={clock.writtenAtMs} after=" ago" />
              {renewed && ', by a renewal'}
            </>
          )}
        </dd>
      </div>
      {!isMark && lease.owner !== null && (
        <div className="wide">
          <dt>Held for</dt>
          <dd>
            <TenureAge row={row} stale={stale} />
          </dd>
        </div>
      )}
      <div>
        <dt>{isMark ? 'Quarantine ends' : 'Lease expires'}</dt>
        <dd>
          <Expiry row={row} />
        </dd>
      </div>
      <div>
        <dt>TTL</dt>
        <dd>
          {lease.owner === null ? (
            <span className="dim">–</span>
          ) : lease.ttlSeconds === null ? (
            <span className="dim">none</span>
          ) : (
            durationText(lease.ttlSeconds * 1000)
          )}
        </dd>
      </div>
    </dl>
  )
}

/** When Cassandra stops showing the row, as far as is known. */
function Expiry({ row: { lease, clock } }: { row: Row }) {
  const at = lease.expiresAt ?? (clock.endsAtMs === null ? null : serverNow(clock.endsAtMs))
  if (at !== null)
    return (
      <>
        <span className="mono">
          <Instant at={at} />
        </span>
        {lease.owner === null && ' (of the value)'}
      </>
    )
  if (isOwnerless(lease)) return <span className="dim">{unreadableExpiry}</span>
  // Of a row's marker Cassandra tells neither TTL nor time of writing.
  if (lease.owner === null && lease.value === null) return <span className="dim">Cassandra does not say</span>
  return <span className="dim">never</span>
}

function Value({ value }: { value: string | null }) {
  if (value === null) return <span className="dim">null</span>
  if (value === '') return <span className="dim sans">empty text</span>
  return (
    <bdi className="seen">
      <SeenText text={value} lines />
    </bdi>
  )
}
