'use client'

import { countText } from '../../lib/client/time-text.ts'
import type { AuditPage } from '../../lib/contract/audit.ts'
import type { UrlPatch } from '../leases/use-url-state.ts'
import { Age } from '../ui/age.tsx'
import type { AuditFilter } from './audit-filter.ts'

interface AuditFootProps {
  filter: AuditFilter
  page: AuditPage | undefined
  /** When the page was read, by `performance.now()`; undefined: not yet. */
  readAtMs: number | undefined
  stale: boolean
  change: (patch: UrlPatch) => void
}

/** How many entries there are here, how old that is, and the way to older ones. */
export function AuditFoot({ filter, page, readAtMs, stale, change }: AuditFootProps) {
  const next = page?.nextCursor ?? null
  const first = filter.cursor === undefined
  const count = page?.entries.length ?? 0
  return (
    <div className="foot">
      <span>
        {page && (count === 0 ? 'No entry here' : `${countText(count)} ${count === 1 ? 'entry' : 'entries'}`)}
        {count > 0 && ', newest first'}
        {readAtMs !== undefined && (
          <>
            {stale ? ', as they were ' : ', read '}
            <Age sinceMs={readAtMs} after=" ago" />.
          </>
        )}
      </span>
      {!(first && next === null) && (
        <span className="push flex gap-2">
          <button
            type="button"
            className="btn sm"
            disabled={first}
            title={first ? 'These are the newest' : undefined}
            onClick={() => change({ cursor: undefined, entry: undefined })}
          >
            Newest
          </button>
          <button
            type="button"
            className="btn sm"
            disabled={next === null}
            title={next === null ? 'There is nothing older' : undefined}
            onClick={() => next !== null && change({ cursor: next, entry: undefined })}
          >
            Older
          </button>
        </span>
      )}
    </div>
  )
}
