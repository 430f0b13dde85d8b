import type { AuditPage } from '../../contract/audit.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../router.ts'

export const listAudit: Handler<Routes['listAudit']> = async ({ query }, { audit }) => {
  const { entries, nextCursor } = await audit.page(query)
  const body: AuditPage = { entries, nextCursor, pending: [...audit.pending] }
  return { status: 200, body }
}
