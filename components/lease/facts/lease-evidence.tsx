'use client'

import type { Row } from '../../../lib/client/row/row-board.ts'
import { tookText } from '../../../lib/client/time/time-text.ts'
import type { Lease, LeaseDetail } from '../../../lib/contract/leases/lease.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { Code } from '../../ui/text/code.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { expiryFormula } from './expiry-formula.ts'

interface LeaseEvidenceProps {
  row: Row
  /** The last read in full; null: none found the lease held. */
  detail: LeaseDetail | null
  stale: boolean
  isReading: boolean
  onRead: () => void
}

/** What Cassandra was asked, and what it said, letter for letter: when the page was opened, and when the operator asks. */
export function LeaseEvidence({ row, detail, stale, isReading, onRead }: LeaseEvidenceProps) {
  return (
    <section className="sect evidence" aria-label="What Cassandra said">
      <div className="head">
        <h2>What Cassandra said</h2>
        {detail !== null && <span className="note small mut">{sinceText(detail, row.lease)}</span>}
        <div className="push">
          <button
            type="button"
            className="btn quiet sm"
            aria-disabled={isReading || undefined}
            onClick={() => isReading || onRead()}
          >
            {isReading ? 'Reading…' : 'Read again'}
          </button>
        </div>
      </div>
      {detail === null ? (
        <p className="mut">
          {isReading
            ? 'Cassandra’s answer is being read.'
            : 'Cassandra’s answer was not read in full since the lease is held.'}
        </p>
      ) : (
        <Answer lease={detail} stale={stale} />
      )}
    </section>
  )
}

/** What the row has become since it was read in full. */
function sinceText(read: Lease, now: Lease): string {
  if (read.owner !== now.owner) return 'The holder changed since.'
  return read.version === now.version ? '' : 'The row was written again since.'
}

function Answer({ lease, stale }: { lease: LeaseDetail; stale: boolean }) {
  const { evidence } = lease
  const formula = expiryFormula(evidence.cells)
  return (
    <>
      <div className="cql">
        <header>
          <span className={stale ? 'read stale' : 'read confirmed'}>
            <Icon name={stale ? 'stale' : 'confirmed'} />
            {stale ? <b>{evidence.consistency}</b> : evidence.consistency}
          </span>
          <span className="dim">
            {stale ? 'last read at ' : 'read at '}
            <Instant at={lease.read.at} digits={1} /> by {evidence.coordinator}, {tookText(evidence.tookMs)}
          </span>
          <span className="push">
            <CopyButton text={evidence.cql} label="Copy the statement" />
          </span>
        </header>
        <pre>
          <Code text={evidence.cql} />
        </pre>
        <dl className="cells">
          {evidence.cells.map(({ column, value }) => (
            <div key={column}>
              <dt>{column}</dt>
              <dd>
                {value === null ? (
                  <span className="dim">null</span>
                ) : (
                  <bdi className="seen">
                    <SeenText text={value} lines />
                  </bdi>
                )}
              </dd>
            </div>
          ))}
        </dl>
        {formula && (
          <pre>
            <span className="cm">
              {formula.text} = <Instant at={formula.expiresAtMs} zoned />
            </span>
          </pre>
        )}
      </div>
      <p className="small dim mt-2">
        Whole seconds, by the coordinator’s clock. The countdown runs on this browser’s own steady clock from
        the moment of the reply.
      </p>
    </>
  )
}
