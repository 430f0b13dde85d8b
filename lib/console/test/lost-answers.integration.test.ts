/** The answer to a client's first `PUT` when Cassandra acquired the lock for it, and Cassandra's answer was lost. */
import { type StatementFault, StatementProxy } from 'leasehold/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { harmless } from '../../leasehold/test/patient-sessions.ts'
import { cookieOf, password, type TestConsole, testConsole } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

let proxy: StatementProxy
let console: TestConsole
/** What becomes of the next statement that acquires for this owner. */
let next: { owner: string; fault: StatementFault } | undefined
/** Whether the answers to plain writes of tickets are lost. */
let losesTickets = false
/** The plain writes of tickets that Cassandra has answered. */
let writtenTickets = 0

beforeAll(async () => {
  const [host = '', port = ''] = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':')
  proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql, values }) => {
      if (losesTickets && /^INSERT INTO \S+lock_tickets/.test(cql)) return { kind: 'swallow-answer' }
      if (next === undefined || !cql.startsWith('UPDATE')) return undefined
      const { owner, fault } = next
      if (!values.some((value) => value?.toString() === owner)) return undefined
      next = undefined
      return fault
    },
    answered: ({ cql }, failed) => {
      if (/^INSERT INTO \S+lock_tickets/.test(cql) && !failed) writtenTickets += 1
    },
  })
  harmless(proxy.contactPoint)
  console = await testConsole(await emptiedKeyspace(), {
    CASSANDRA_CONTACT_POINTS: proxy.contactPoint,
  })
})
afterAll(async () => {
  await console?.context.session.close()
  await proxy?.close()
})

let token: string | undefined
/** Of a program: owners that programs choose are their own. */
async function program(): Promise<Record<string, string>> {
  token ??= (await console.api('POST', '/v1/tokens', { name: 'program', role: 'client', prefixes: [''] }))
    .body.token as string
  return { cookie: '', authorization: `Bearer ${token}` }
}

it.each<[string, StatementFault]>([
  ['is swallowed', { kind: 'swallow-answer' }],
  ['is lost with its connection', { kind: 'cut-after' }],
  ['is a time-out of the node', { kind: 'time-out', arrives: true }],
])('a first PUT with an owner has a token, although the answer to its own write %s', async (how, fault) => {
  const name = `lost/${fault.kind}`
  const owner = `owner of ${fault.kind}`
  next = { owner, fault }
  const path = `/v1/locks/${encodeURIComponent(name)}`
  const answer = await console.api('PUT', path, { owner, ttlSeconds: 60 }, await program())
  expect(next, `the answer ${how}`).toBeUndefined()
  expect(answer.status).toBe(201)
  const lease = (await console.api('GET', `/v1/leases/${encodeURIComponent(name)}`)).body
  expect(lease).toMatchObject({ owner, version: answer.body.token })
})

it('a second PUT by the owner stays a renewal, without a token, although the answer to its write is lost', async () => {
  const lock = { owner: 'again', ttlSeconds: 60 }
  expect((await console.api('PUT', '/v1/locks/again', lock)).status).toBe(201)
  next = { owner: 'again', fault: { kind: 'time-out', arrives: true } }
  const answer = await console.api('PUT', '/v1/locks/again', lock)
  expect(next).toBeUndefined()
  expect([answer.status, answer.body.token]).toEqual([200, undefined])
})

it('a ticket whose answer is lost is not reported as not written', async () => {
  losesTickets = true
  const nowMicros = `${Date.now()}000`
  const ticket = { number: nowMicros, at: nowMicros, ttlSeconds: 6 }
  const answer = await console.api('PUT', '/v1/queues/lost/tickets/waiter', ticket, await program())
  losesTickets = false
  expect([answer.status, answer.body.code]).toEqual([503, 'outcome-unknown'])
  expect(answer.body.detail).toContain('may have happened')
  // A busy machine may look at the queue when the ticket has expired.
  await expect.poll(() => writtenTickets).toBe(1)
})

it('a person who names the owner of a program does not get its lease by a lost answer', async () => {
  const held = { owner: 'the program', ttlSeconds: 120, value: 'its own' }
  await console.context.users.create('olga', password, 'operator')
  const olga = await console.api('POST', '/v1/session', { username: 'olga', password }, { cookie: '' })
  const asked = { owner: 'the program', ttlSeconds: 2, value: 'evil' }
  // Her write was let go after a read that showed no holder; it comes to Cassandra after the program's.
  next = { owner: 'the program', fault: { kind: 'cut-late', ms: 10_000 } }
  const answered = console.api('PUT', '/v1/locks/taken', asked, { cookie: cookieOf(olga) })
  await expect.poll(() => next).toBeUndefined()
  // Its first try may meet the connection that broke.
  const taken = async () => (await console.api('PUT', '/v1/locks/taken', held, await program())).status
  await expect.poll(taken).toBeOneOf([200, 201])
  expect((await answered).status).toBeGreaterThanOrEqual(400)
  const renews = await console.api('PUT', '/v1/locks/taken', asked, { cookie: cookieOf(olga) })
  expect(renews.status).toBe(403)
  await expect.poll(() => proxy.underWay).toBe(0)
  const lease = (await console.api('GET', '/v1/leases/taken')).body
  expect(lease).toMatchObject({
    owner: 'the program',
    value: 'its own',
    ttlSeconds: expect.toBeOneOf([119, 120, 121]),
  })
})
