import { type AuditPage, pendingMax } from '../../contract/audit.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/router.ts'

export const listAudit: Handler<Routes['listAudit']> = async ({ query }, { audit, releases }) => {
  const { entries, nextCursor } = await audit.page(query)
  // Those of releases are not kept beside their plans yet, and come after that.
  const pending = [...audit.pending, ...releases.pending]
  const more = pending.length - pendingMax
  const body: AuditPage = {
    entries,
    nextCursor,
    pending: pending.slice(0, pendingMax),
    ...(more > 0 && { pendingMore: more }),
  }
  return { status: 200, body }
}
