import { type AuditPage, pendingMax } from '../../contract/audit.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../router.ts'

export const listAudit: Handler<Routes['listAudit']> = async ({ query }, { audit }) => {
  const { entries, nextCursor } = await audit.page(query)
  const { pending } = audit
  const more = pending.length - pendingMax
  const body: AuditPage = {
    entries,
    nextCursor,
    pending: pending.slice(0, pendingMax),
    ...(more > 0 && { pendingMore: more }),
  }
  return { status: 200, body }
}
