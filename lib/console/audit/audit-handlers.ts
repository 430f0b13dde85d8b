import { type AuditEvent, type AuditPage, pendingMax } from '../../contract/audit.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import type { AuditLog } from './audit-entry.ts'

/** What these handlers need. */
export interface AuditServices {
  readonly audit: AuditLog
  /** Outcomes of forced releases that are not written yet. */
  readonly releases: { readonly pending: readonly AuditEvent[] }
}

export const listAudit: Handler<Routes['listAudit'], AuditServices> = async (
  { query },
  { audit, releases },
) => {
  const { entries, nextCursor } = await audit.page(query)
  // Outcomes of releases are written after they are kept beside their plans.
  const pending = [...audit.pending, ...releases.pending]
  const more = pending.length - pendingMax
  const body: AuditPage = {
    entries,
    nextCursor,
    pending: pending.slice(0, pendingMax),
    pendingMore: more > 0 ? more : undefined,
    alarms: audit.alarms.length > 0 ? [...audit.alarms] : undefined,
  }
  return { status: 200, body }
}
