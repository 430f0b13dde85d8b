'use client'

import { tookText } from '../../../lib/client/time/time-text.ts'
import type { LeaseDetail } from '../../../lib/contract/leases/lease.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { Code } from '../../ui/text/code.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { expiryFormula } from './expiry-formula.ts'

/** What Cassandra was asked, and what it said, letter for letter. */
export function LeaseEvidence({ lease, stale }: { lease: LeaseDetail; stale: boolean }) {
  const { evidence } = lease
  const formula = expiryFormula(evidence.cells)
  return (
    <section className="sect evidence" aria-label="What Cassandra said">
      <div className="head">
        <h2>What Cassandra said</h2>
      </div>
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
    </section>
  )
}
