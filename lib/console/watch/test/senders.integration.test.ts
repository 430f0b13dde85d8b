/** Who may watch is looked at as long as they watch: what that costs, and how soon a revoked one ends. On a real Cassandra. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { peopleStatements } from '../../people/people-statements.ts'
import { sessionIdHash } from '../../people/sessions/session-row.ts'
import { tokenStatements } from '../../programs/tokens/token-statements.ts'
import { openSession, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { TestStream } from '../test-stream.ts'

const viewers = 40
let console: TestConsole
const open: TestStream[] = []
/** What Cassandra is asked of sessions, users and tokens, as CQL. */
const asked: string[] = []
let underWay = 0
let mostUnderWay = 0
/** For their answers, in sum. */
let waitedMs = 0

beforeAll(async () => {
  console = await testConsole(await emptiedKeyspace())
  const { session } = console.context
  const execute = session.execute.bind(session)
  session.execute = async (statement, ...rest) => {
    const isOfSenders = / IN \?$/.test(statement.cql) || /FROM \S+\.sessions WHERE/.test(statement.cql)
    if (!isOfSenders) return execute(statement, ...rest)
    asked.push(statement.cql)
    const isOfSessions = statement.cql.includes('.sessions')
    if (isOfSessions) mostUnderWay = Math.max(mostUnderWay, ++underWay)
    const sentMs = performance.now()
    return execute(statement, ...rest).finally(() => {
      waitedMs += performance.now() - sentMs
      if (isOfSessions) underWay--
    })
  }
})
afterAll(async () => {
  await Promise.all(open.map((stream) => stream.close()))
  console?.context.close()
  await console?.context.session.close()
})

async function watch(
  headers: Record<string, string>,
  query: Record<string, string> = {},
): Promise<TestStream> {
  const stream = await TestStream.open(console.context, query, headers)
  open.push(stream)
  return stream
}
const looksAt = (table: string) => asked.filter((cql) => / IN \?$/.test(cql) && cql.includes(table)).length
const looksAtSessions = () => looksAt('.sessions')
/** How many looks there are until this one has ended: one slow read holds up its own sender alone. */
async function looksUntilEnd(table: string, stream: TestStream | undefined): Promise<number> {
  const before = looksAt(table)
  await stream?.done
  return looksAt(table) - before
}

it('reads forty sessions by one statement a round, and ends a revoked one within two rounds', async () => {
  const { context } = console
  // A person may have twenty streams. One after the other: a password takes a while.
  const people = ['vera', 'vince', 'viola']
  for (const username of people) await context.users.create(username, 'a long password', 'viewer')
  const ids = await Promise.all(
    Array.from({ length: viewers }, (_, i) => openSession(context, people[i % 3] as string)),
  )
  const { body: token } = await console.api('POST', '/v1/tokens', {
    name: 'sees',
    role: 'viewer',
    prefixes: ['t/'],
  })
  const streams: TestStream[] = []
  for (const id of ids) streams.push(await watch({ cookie: `leasehold-3000=${id}` }))
  const program = await watch({ authorization: `Bearer ${token.token}` }, { prefix: 't/' })
  // Those that were opened first are looked at alone.
  const before = looksAtSessions()
  await expect.poll(looksAtSessions).toBeGreaterThan(before)
  asked.length = 0
  mostUnderWay = 0
  await expect.poll(looksAtSessions, { interval: 20 }).toBeGreaterThanOrEqual(3)
  // None for one session alone.
  expect(asked.filter((cql) => cql.includes('.sessions'))).toHaveLength(looksAtSessions())
  expect(mostUnderWay).toBe(1)

  // As another instance does it: this one hears nothing.
  const { session } = context
  const { deleteSession } = peopleStatements(session.keyspace, session.serial)
  const { deleteToken } = tokenStatements(session.keyspace, session.serial)
  await session.execute(deleteSession, [sessionIdHash(ids[7] as string)])
  await session.execute(deleteToken, [token.id])
  const revokedMs = performance.now()
  waitedMs = 0
  const looks = await Promise.all([
    looksUntilEnd('.sessions', streams[7]),
    looksUntilEnd('.api_tokens', program),
  ])
  const tookMs = performance.now() - revokedMs
  expect(Math.max(...looks)).toBeLessThanOrEqual(2)
  // 2 s on an idle machine: a round each 1.5 s, and its read. On a busy one the number of rounds counts, which is above.
  expect(tookMs).toBeLessThan(15_000 + waitedMs)
  for (const each of [streams[7], program])
    expect(each?.events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'session' } })
  const others = streams.filter((_, i) => i !== 7)
  expect(others.some(({ events }) => events.some(({ event }) => event === 'end'))).toBe(false)
  process.stdout.write(`a revoked session and a revoked token ended after ${Math.round(tookMs)} ms\n`)
})
