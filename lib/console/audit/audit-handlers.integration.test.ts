import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditPageSchema } from '../../contract/audit.ts'
import { type TestConsole, testConsole } from '../test/test-console.ts'
import { event } from './chain/test-audit.ts'

let console_: TestConsole
beforeAll(async () => {
  // New each time: a log that is emptied is one that was changed.
  console_ = await testConsole(`audit_api_test_${Date.now().toString(36)}`)
})
afterAll(async () => {
  await console_.context.audit.close()
  console_.context.close()
  await console_.context.session.close()
})

it('GET /v1/audit: the entries, newest first, page by page, and by filter', async () => {
  const { audit } = console_.context
  for (const id of ['a', 'b', 'c'])
    await audit.append(event(id, { actor: { ...event('').actor, username: `by-${id}` } }))
  const answer = await console_.api('GET', '/v1/audit?act=release&limit=2')
  expect(answer.status).toBe(200)
  const page = auditPageSchema.parse(answer.body)
  expect(page.entries.map(({ id }) => id)).toEqual(['c', 'b'])
  expect(page.pending).toEqual([])
  const next = await console_.api('GET', `/v1/audit?act=release&limit=2&cursor=${page.nextCursor}`)
  expect(auditPageSchema.parse(next.body).entries.map(({ id }) => id)).toEqual(['a'])
  const filtered = await console_.api('GET', '/v1/audit?act=release&username=by-b')
  expect(auditPageSchema.parse(filtered.body).entries.map(({ id }) => id)).toEqual(['b'])
})

it('GET /v1/audit refuses filters that it does not have', async () => {
  for (const query of ['limit=0', 'act=nap', 'from=yesterday', 'cursor=x', 'colour=red'])
    expect((await console_.api('GET', `/v1/audit?${query}`)).status, query).toBe(400)
})
