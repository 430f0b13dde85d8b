'use client'

import type { LiveRow } from '../../lib/client/watch/live-board.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { leaseAuditPath } from '../../lib/contract/path.ts'
import { StateWord } from '../leases/row/lease-state-map.tsx'
import { ReadPill } from '../leases/row/read-pill.tsx'
import { releaseLock } from '../leases/row/release-lock.ts'
import { PageLink } from '../shell/page-link.tsx'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { Instant } from '../shell/time/instant.tsx'
import { CopyButton } from '../ui/control/copy-button.tsx'
import { LockedButton } from '../ui/control/locked-button.tsx'
import { useKey } from '../ui/control/use-key.ts'
import { NameText } from '../ui/text/name-text.tsx'
import { unseenCharacters } from '../ui/text/unseen-characters.ts'
import type { Still } from './still.tsx'

interface LeaseHeadProps {
  name: string
  table: string | undefined
  /** null: it is free, or not read yet. */
  row: LiveRow | null
  still: Still
  lock: string | null
  readOnly: boolean
  onRelease: () => void
}

/** The lease's name, its state, and the one act on it. */
export function LeaseHead({ name, table, row, still, lock, readOnly, onRelease }: LeaseHeadProps) {
  const session = useSession()
  const unseen = unseenCharacters(name)
  const isQuarantine = lock === null && !readOnly && row?.state === 'quarantined'
  const why = lock ?? (readOnly ? 'this table is read-only here' : row && releaseLock(row))
  const mayRelease = row !== null && may(session, endpoints.planRelease)
  useKey('r', mayRelease && why === null, onRelease)
  return (
    <div className="head" data-state={row?.state} data-stale={still !== null || undefined}>
      <h1 className={name.length > 80 ? 'mono wordy' : 'mono'}>
        <NameText name={name} />
      </h1>
      <CopyButton text={name} label="Copy the name" />
      {unseen.length > 0 && (
        <span className="small text-warn">with invisible characters: {unseen.join(', ')}</span>
      )}
      {row !== null && (
        <span className="badge">
          <StateWord state={row.state} />
        </span>
      )}
      {row !== null && (
        <ReadPill of={row} reading={row.reading} stale={still !== null} paused={still === 'paused'} />
      )}
      <div className="push">
        {may(session, endpoints.listAudit) && (
          <PageLink className="btn quiet" href={leaseAuditPath(name, table ?? 'leases')}>
            Audit entries
          </PageLink>
        )}
        {mayRelease && (
          <LockedButton
            className={why === null ? 'btn danger-o' : 'btn worded'}
            lock={why}
            aria-keyshortcuts={why === null ? 'r' : undefined}
            onClick={onRelease}
          >
            {why === null ? 'Release…' : <NotNow row={row} why={why} isQuarantine={isQuarantine} />}
          </LockedButton>
        )}
      </div>
    </div>
  )
}

/** In place of the button's text: why it cannot be pressed, and until when. */
function NotNow({ row, why, isQuarantine }: { row: LiveRow; why: string; isQuarantine: boolean }) {
  const until = isQuarantine ? row.lease.expiresAt : null
  if (until === null) return <>Release: {why}</>
  return (
    // One part of the button: its gap would stand before the colon.
    <span>
      Release not possible until <Instant at={until} />: quarantined
    </span>
  )
}
