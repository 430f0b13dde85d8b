import { expect, it } from 'vitest'
import { auditPageSchema } from '../../contract/audit.ts'
import type { Input } from '../http/handler.ts'
import { type AuditServices, listAudit } from './audit-handlers.ts'
import { event } from './chain/test-audit.ts'

async function told(pending: number) {
  const waiting = Array.from({ length: pending }, (_, i) => event(`${i}`))
  const audit = { pending: waiting, alarms: [], page: async () => ({ entries: [], nextCursor: null }) }
  const context = { audit, releases: { pending: [] } } as unknown as AuditServices
  const { body } = await listAudit({ query: {} } as Input<never>, context)
  return auditPageSchema.parse(body)
}

it('shows 200 unwritten entries, and how many more there are', async () => {
  expect(await told(200)).toMatchObject({ pending: { length: 200 } })
  expect((await told(200)).pendingMore).toBeUndefined()
  const { pending, pendingMore } = await told(1_203)
  expect([pending.length, pending[0]?.id, pendingMore]).toEqual([200, '0', 1_003])
})
