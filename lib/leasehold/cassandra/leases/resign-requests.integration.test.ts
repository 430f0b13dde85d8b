import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testSession } from '../../test/node-session.ts'
import { resignContract } from '../../testing/index.ts'
import { tables } from '../schema/tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { defaultMapping } from './mapping.ts'
import { CassandraResignRequests } from './resign-requests.ts'

const keyspace = 'resign_test'
let session: CassandraSession
let names = 0
const fresh = () => `resign/${process.pid}/${Date.now().toString(36)}/${++names}`

beforeAll(async () => {
  session = await testSession(keyspace)
  await session.client.execute(tables.resign_requests.replaceAll('$k', keyspace))
})
afterAll(() => session?.close())

describe('Cassandra keeps the contract of requests to resign', () => {
  for (const { title, run } of resignContract)
    it(title, () => run(new CassandraResignRequests(session), fresh()))
})

it('keeps the tables of leases apart, and their requests for a day', async () => {
  const name = fresh()
  const request = { id: 'r1', name, owner: 'o', requestedBy: 'ana', reason: 'why', requestedAtMs: Date.now() }
  await new CassandraResignRequests(session).ask(request)
  const other = new CassandraResignRequests(session, { ...defaultMapping, table: 'locks' })
  expect(await other.of(name)).toEqual([])
  const { rows } = await session.client.execute(
    `SELECT lease_table, ttl(reason) AS left FROM ${keyspace}.resign_requests WHERE lease_table = ? AND name = ?`,
    [`${keyspace}.leases`, name],
    { prepare: true },
  )
  expect(rows[0]?.lease_table).toBe(`${keyspace}.leases`)
  expect(rows[0]?.left).toBeGreaterThan(86_000)
})
