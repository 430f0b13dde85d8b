import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { testContactPoint, testSession } from '../../test/node-session.ts'
import type { CassandraSession } from '../session/session.ts'
import { levelsOf, readTimeoutMs } from '../session/statement.ts'
import { runStatement } from './run-statement.ts'

/** More than the driver gives at a time. */
const manyRows = 5_001
/** A frame without a body, and what may be around it: less than a statement's id alone. */
const heartbeatBytes = 24
const keyspace = `run_statement_test_${Date.now().toString(36)}`
const statement = (cql: string) => ({
  cql: cql.replaceAll('$k', keyspace),
  consistency: levelsOf('SERIAL').quorum,
  readTimeoutMs: 8 * readTimeoutMs,
})
let session: CassandraSession

beforeAll(async () => {
  session = await testSession(keyspace)
  await session.client.execute(`CREATE TABLE ${keyspace}.numbers (part int, n int, PRIMARY KEY (part, n))`)
  const insert = statement('INSERT INTO $k.numbers (part, n) VALUES (0, ?)')
  for (let from = 0; from < manyRows; from += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, manyRows - from) }, (_, i) =>
        runStatement(session.client, insert, [from + i]),
      ),
    )
})
afterAll(() => session?.close())

it('an answer of several pages is read to its end, and no further than its limit', async () => {
  const all = statement('SELECT n FROM $k.numbers WHERE part = 0')
  const { rows } = await runStatement(session.client, all, [])
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: manyRows }, (_, n) => n))
  const some = statement('SELECT n FROM $k.numbers WHERE part = 0 LIMIT 7')
  expect((await runStatement(session.client, some, [])).rows).toHaveLength(7)
})

it('statements that are asked for in one turn of the event loop leave in one write', async () => {
  const some = statement('SELECT n FROM $k.numbers WHERE part = 0 LIMIT 1')
  await runStatement(session.client, some, [])
  const written = vi.spyOn(Socket.prototype, 'write')
  const asked: Promise<unknown>[] = []
  await new Promise<void>((done) => {
    // What one callback asks for would be written before the next one is called. (Timers may fall into several turns on a busy machine.)
    for (let i = 0; i < 8; i++) setImmediate(() => asked.push(runStatement(session.client, some, [])))
    setImmediate(done)
  })
  await Promise.all(asked)
  expect(asked).toHaveLength(8)
  // Other sockets of this process are none of its business, nor are the driver's heartbeats, which have no body.
  const port = Number(testContactPoint().split(':')[1])
  const sizes = written.mock.calls.flatMap(([chunk], at) =>
    (written.mock.contexts[at] as Socket).remotePort === port ? [Buffer.from(chunk as Buffer).length] : [],
  )
  expect(sizes.filter((size) => size > heartbeatBytes)).toHaveLength(1)
  written.mockRestore()
})

it('what was asked for before the session is closed is sent', async () => {
  const insert = statement('INSERT INTO $k.numbers (part, n) VALUES (1, ?)')
  const closed = await testSession(keyspace)
  await closed.execute(insert, [0])
  // Its answer may be lost: that is no news.
  const asked = Promise.allSettled([1, 2, 3].map((n) => closed.execute(insert, [n])))
  await closed.close()
  await asked
  const all = statement('SELECT n FROM $k.numbers WHERE part = 1')
  await expect.poll(async () => (await session.execute(all, [])).rows.map(({ n }) => n)).toEqual([0, 1, 2, 3])
})
