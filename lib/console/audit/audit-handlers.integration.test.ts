import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditPageSchema } from '../../contract/audit.ts'
import { type TestConsole, testConsole } from '../test/test-console.ts'
import { emptiedKeyspace } from '../test/test-keyspace.ts'
import { shellOf } from './chain/end/test-shell.ts'
import { event } from './chain/test-audit.ts'
import type { StoredAuditLog } from './stored-audit-log.ts'

let console_: TestConsole
beforeAll(async () => {
  // New each time: a log that is emptied is one that was changed.
  console_ = await testConsole(await emptiedKeyspace())
})
afterAll(async () => {
  await console_?.context.audit.close()
  console_?.context.close()
  await console_?.context.session.close()
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

it('GET /v1/audit marks an entry that was edited in Cassandra, with an alarm until an operator restarts the log', async () => {
  const { audit, session } = console_.context
  const { bucket, seq } = await audit.append(event('edited'))
  await audit.append(event('after it'))
  const partition = `main:${bucket}`
  const { rows } = await session.client.execute(
    `SELECT body FROM "${session.keyspace}".audit_log WHERE bucket = ? AND seq = ?`,
    [partition, seq],
    { prepare: true },
  )
  const edited = { ...JSON.parse(rows[0]?.body), reason: 'nothing' }
  await session.client.execute(
    `UPDATE "${session.keyspace}".audit_log SET body = ? WHERE bucket = ? AND seq = ?`,
    [JSON.stringify(edited), partition, seq],
    { prepare: true },
  )
  const page = async () =>
    auditPageSchema.parse((await console_.api('GET', '/v1/audit?act=release&limit=2')).body)
  const { entries, alarms } = await page()
  expect(entries.map(({ id, unverified }) => [id, unverified])).toEqual([
    ['after it', undefined],
    ['edited', 'altered'],
  ])
  expect(alarms).toMatchObject([{ chain: 'main', kind: 'altered', bucket, seq }])
  const restarted = await shellOf(console_, ['restart', '--reason', 'an entry was edited'])
  expect([restarted.code, restarted.err]).toEqual([0, expect.stringContaining('goes on in')])
  await audit.follow()
  await (audit as StoredAuditLog).lookForChanges()
  expect((await page()).alarms).toBeUndefined()
})
