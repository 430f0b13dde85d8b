'use client'

import { countText } from '../../lib/client/time/time-text.ts'
import type { UrlPatch } from '../leases/address/use-url-state.ts'
import { PageLink } from '../shell/page-link.tsx'
import { Age } from '../ui/text/age.tsx'
import { type Act, begunEarlier } from './entries/act-of.ts'
import { type AuditFilter, askedFor, auditPath } from './filter/audit-filter.ts'

interface AuditFootProps {
  filter: AuditFilter
  acts: readonly Act[]
  /** Where older entries begin; null: nowhere. */
  next: string | null
  /** Acts that newer pages show already. */
  continued: ReadonlySet<string>
  /** When the page was read, by the page's clock; undefined: not yet. */
  readAtMs: number | undefined
  stale: boolean
  change: (patch: UrlPatch) => void
}

/** How many acts this page has, what it leaves out, how old it is, and the way to older ones. */
export function AuditFoot({ filter, acts, next, continued, readAtMs, stale, change }: AuditFootProps) {
  const first = filter.cursor === undefined
  const count = acts.length
  const leavesOutPlans = filter.chain === 'main' && askedFor(filter).without !== undefined
  return (
    <div className="foot">
      <span>
        {count === 0 ? 'No act' : `${countText(count)} ${count === 1 ? 'act' : 'acts'}`}
        {first && next === null ? '' : ' on this page'}
        {count > 0 && ', newest first'}
        {readAtMs !== undefined && (
          <>
            {stale ? ', as they were ' : ', read '}
            <Age sinceMs={readAtMs} after=" ago" whole />
          </>
        )}
        .{leavesOutPlans && <LeftOut filter={filter} />}
      </span>
      {!(first && next === null) && (
        <span className="push flex gap-2">
          <button
            type="button"
            className="btn sm"
            disabled={first}
            title={first ? 'These are the newest' : undefined}
            onClick={() => change({ cursor: undefined, above: undefined, entry: undefined })}
          >
            Newest
          </button>
          <button
            type="button"
            className="btn sm"
            disabled={next === null}
            title={next === null ? 'These are the oldest' : undefined}
            onClick={() => {
              // An act that ended on this page or a newer one and began before is not shown as begun there.
              const above = [...continued, ...begunEarlier(acts)].join(',')
              if (next !== null) change({ cursor: next, above, entry: undefined })
            }}
          >
            Older
          </button>
        </span>
      )}
    </div>
  )
}

/** Plans that led to no act have no row: the count says so, and leads to them. */
function LeftOut({ filter }: { filter: AuditFilter }) {
  const plans: Partial<AuditFilter> = { ...filter, act: 'release-plan', cursor: undefined }
  return (
    <>
      {' '}
      Release plans are not counted:{' '}
      <PageLink className="link" href={auditPath(plans)}>
        show plans
      </PageLink>
      .
    </>
  )
}
