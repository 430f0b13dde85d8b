/** The queue for a fair lock, by requests alone: what a client without the library sees. */
import { CassandraTicketStore } from 'leasehold/cassandra'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { runId } from '../../lab/journal/run-facts.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'

const keyspace = `queues_test_${Date.now().toString(36)}`
let console: TestConsole
const nowMicros = () => BigInt(Date.now()) * 1000n

beforeAll(async () => {
  const session = await testSession(keyspace)
  for (const table of ['jobs', 'seen'])
    await session.client.execute(
      `CREATE TABLE IF NOT EXISTS ${keyspace}.${table} (name text PRIMARY KEY, owner text, value text)`,
    )
  await session.close()
  console = await testConsole(keyspace, {
    LEASEHOLD_CONFIG: JSON.stringify({
      tables: { jobs: { table: 'jobs', value: 'value' }, seen: { table: 'seen', readOnly: true } },
    }),
  })
})
afterAll(() => console?.context.session.close())

const put = (path: string, body: object) => console.api('PUT', `/v1/queues/${path}`, body)
const queue = async (path: string) => (await console.api('GET', `/v1/queues/${path}`)).body.tickets

it('takes a ticket, keeps it, shows the queue in order, and removes the ticket for good', async () => {
  const number = nowMicros()
  const at = (micros: bigint, after = 0n) => ({ number: `${micros}`, at: `${micros + after}`, ttlSeconds: 6 })
  let refreshes = 0n
  /** A busy machine takes longer for all that follows than a ticket lives: `first` refreshes it before each look. */
  const refreshed = async (path: string) => {
    refreshes += 1n
    expect((await put('a%2Fb/tickets/first', at(number, refreshes))).status).toBe(204)
    return queue(path)
  }
  expect((await put('a%2Fb/tickets/second', at(number + 1n))).status).toBe(204)
  expect((await put('a%2Fb/tickets/first', at(number))).status).toBe(204)
  // No request may give it a longer life than 6 s.
  const lasting = { name: 'a/b', number: number + 1n, owner: 'second' }
  await new CassandraTicketStore(console.context.session).put(lasting, 600, number + 20_000n)
  const [first, second] = [
    { number: `${number}`, owner: 'first' },
    { number: `${number + 1n}`, owner: 'second' },
  ]
  // And once more where it was too late.
  await expect.poll(() => refreshed('a%2Fb')).toEqual([first, second])
  expect(await refreshed(`a%2Fb?from=${number + 1n}`)).toEqual([second])
  await expect.poll(() => refreshed('a%2Fb?limit=1')).toEqual([first])
  expect(await queue('a%2Fc')).toEqual([])

  const gone = `a%2Fb/tickets/first?number=${number}&at=${number + 20_000n}`
  expect((await console.api('DELETE', `/v1/queues/${gone}`)).status).toBe(204)
  // A refresh that was held back on the way.
  expect((await put('a%2Fb/tickets/first', at(number, 19_000n))).status).toBe(204)
  expect(await queue('a%2Fb')).toEqual([second])
})

it('shares the queue of its own table with clients that speak CQL', async () => {
  const tickets = new CassandraTicketStore(console.context.session)
  const ticket = { name: 'shared', number: nowMicros(), owner: 'by-cql' }
  await tickets.put(ticket, 60, ticket.number)
  expect(await queue('shared')).toEqual([{ number: `${ticket.number}`, owner: 'by-cql' }])
})

it('keeps the queues of two tables apart', async () => {
  const taken = async () => {
    const body = { number: '5', at: `${nowMicros()}`, ttlSeconds: 6 }
    expect((await put('apart/tickets/o?table=jobs', body)).status).toBe(204)
    return queue('apart?table=jobs')
  }
  // It lives for 6 s, which a busy machine may need for two requests.
  await expect.poll(taken).toEqual([{ number: '5', owner: 'o' }])
  expect(await queue('apart')).toEqual([])
})

it('refuses tickets that could not be removed, or are not of this client’s names', async () => {
  const now = nowMicros()
  const body = { number: `${now}`, at: `${now}`, ttlSeconds: 6 }
  // Of the moment at which it is sent: more than 60 s ahead when a busy machine comes to it.
  const ahead = () => `${nowMicros() + 69_000_000n}`
  const refusals: [string, object | (() => object), string, string][] = [
    ['x/tickets/o', () => ({ ...body, number: ahead() }), 'bad-request', 'number is 6'],
    [
      'x/tickets/o',
      () => ({ ...body, at: ahead() }),
      'bad-request',
      "s ahead of the server's clock, and at most 60 s",
    ],
    ['x/tickets/o', { ...body, ttlSeconds: 7 }, 'bad-request', 'ttlSeconds is above 6;'],
    ['x/tickets/o', { ...body, ttlSeconds: 0 }, 'bad-request', 'ttlSeconds is below 1'],
    ['x/tickets/o', { ...body, number: 5 }, 'bad-request', 'number is missing'],
    ['x/tickets/o', { ...body, number: '-1' }, 'bad-request', 'number is not a decimal string'],
    ['x/tickets/o', { ...body, at: '9223372036854775808' }, 'bad-request', 'at is above'],
    ['x/tickets/!o', body, 'bad-request', 'reserved'],
    ['x/tickets/o?table=none', body, 'unknown-table', 'Unknown table'],
    ['x/tickets/o?table=seen', body, 'read-only', 'read-only'],
    ['leasehold%2Frecorder/tickets/o', body, 'forbidden', 'reserved for the console'],
    [
      `lab%2F${runId(Date.now(), 'abcde')}%2Fleader/tickets/o`,
      body,
      'forbidden',
      'reserved for a run of the election lab',
    ],
  ]
  for (const [path, sent, code, says] of refusals) {
    const answer = await put(path, typeof sent === 'function' ? sent() : sent)
    expect([answer.body.code, answer.body.detail]).toEqual([code, expect.stringContaining(says)])
  }
  const remove = (query: string) => console.api('DELETE', `/v1/queues/x/tickets/o?${query}`)
  expect((await remove(`number=${now}&at=${ahead()}`)).body).toMatchObject({
    status: 400,
    detail: expect.stringContaining('ahead of the server'),
  })
  expect((await remove(`number=${now}`)).body.detail).toContain('at is missing')
  for (const query of ['limit=0', 'limit=101', 'from=x', 'from=9223372036854775808'])
    expect((await console.api('GET', `/v1/queues/x?${query}`)).status).toBe(400)
  expect(await queue('x')).toEqual([])
})
