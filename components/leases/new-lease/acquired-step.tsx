'use client'

import type { Answer } from '../../../lib/client/call/call.ts'
import { leasePath } from '../../../lib/contract/path.ts'
import { LeaseName } from '../../release/holder/lease-name.tsx'
import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { DialogHead } from '../../ui/control/dialog.tsx'

interface AcquiredStepProps {
  answer: Answer<'putLock'>
  table: string | undefined
  onClose: () => void
}

/** The lease is acquired: its owner and token, which only this step shows. */
export function AcquiredStep({ answer, table, onClose }: AcquiredStepProps) {
  const { data: lock } = answer
  const token = answer.status === 201 ? answer.data.token : undefined
  return (
    <div role="status">
      <DialogHead title="Acquired" lead={<LeaseName name={lock.name} />} />
      <div className="body">
        <dl className="facts">
          <div className="wide">
            <dt>Owner</dt>
            <dd className="mono">
              {lock.owner === null ? (
                <span className="dim">none: this table does not say whose a lock is</span>
              ) : (
                <>
                  <bdi>{lock.owner}</bdi> <CopyButton text={lock.owner} label="Copy the owner" />
                </>
              )}
            </dd>
          </div>
          <div className="wide">
            <dt>Token</dt>
            <dd className="mono">
              {token ?? '–'} {token && <CopyButton text={token} label="Copy the token" />}
            </dd>
          </div>
          <div className="wide">
            <dt>Lease expires</dt>
            <dd>
              <span className="mono">
                <Instant at={lock.expiresAt} zoned />
              </span>
              , after {lock.ttlSeconds} s
            </dd>
          </div>
        </dl>
        <p className="mut small mt-3">
          {lock.owner === null
            ? 'The table has no owner column, so any program that knows the name can release this lease.'
            : 'Only the owner can renew or release it. The token is the lease’s first version: it grows with every tenure of this name, the version with each renewal too.'}
        </p>
      </div>
      <div className="df">
        <PageLink className="btn push" href={leasePath(lock.name, table)}>
          Open the lease
        </PageLink>
        <button type="button" className="btn primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  )
}
