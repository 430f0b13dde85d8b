import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/index.ts'
import { LeaseholdServer } from './server.ts'
import { type Answer, problem, scriptedServer } from './test-server.ts'
import { HttpTicketStore } from './ticket-store.ts'

let http: Awaited<ReturnType<typeof scriptedServer>>
let tickets: HttpTicketStore
beforeAll(async () => {
  http = await scriptedServer()
  tickets = new HttpTicketStore(new LeaseholdServer({ url: http.url }))
})
afterAll(() => http.close())

const ticket = { name: 'a/b', number: 1_767_225_600_123_456n, owner: 'host:1:a:1' }
const put = () => tickets.put(ticket, 6, ticket.number)
const remove = () => tickets.remove(ticket, ticket.number + 1n)
const first = () => tickets.first('a/b', 5n, 17)

it('writes, removes and reads in its table', async () => {
  const shown = [{ number: '1767225600123456', owner: 'host:1:a:1' }]
  http.script({ status: 204 }, { status: 204 }, { status: 200, body: { tickets: shown } }, { status: 204 })
  await put()
  await remove()
  expect(await first()).toEqual([ticket])
  await new HttpTicketStore(new LeaseholdServer({ url: http.url }), { table: 'jobs' }).put(ticket, 6, 7n)
  expect(http.asked).toMatchObject([
    {
      method: 'PUT',
      url: '/v1/queues/a%2Fb/tickets/host%3A1%3Aa%3A1',
      body: { number: '1767225600123456', at: '1767225600123456', ttlSeconds: 6 },
    },
    {
      method: 'DELETE',
      url: '/v1/queues/a%2Fb/tickets/host%3A1%3Aa%3A1?number=1767225600123456&at=1767225600123457',
    },
    { method: 'GET', url: '/v1/queues/a%2Fb?from=5&limit=17' },
    { method: 'PUT', url: '/v1/queues/a%2Fb/tickets/host%3A1%3Aa%3A1?table=jobs', body: { at: '7' } },
  ])
})

it('stays within the server’s limits on tickets and on their TTL', async () => {
  http.script({ status: 200, body: { tickets: [] } })
  expect(await tickets.first('a/b', 0n, 1_000)).toEqual([])
  for (const ttlSeconds of [0, 1.5, 7, Number.NaN])
    await expect(tickets.put(ticket, ttlSeconds, 1n)).rejects.toMatchObject({ code: 'invalid-argument' })
  expect(http.asked.map(({ url }) => url)).toEqual(['/v1/queues/a%2Fb?from=0&limit=100'])
})

describe('a missing or unusable answer', () => {
  it.each<[string, () => Promise<unknown>, Answer, string]>([
    ['a connection that breaks after a write', put, 'cut', 'store-unavailable'],
    ['a connection that breaks after a removal', remove, 'cut', 'store-unavailable'],
    ["a proxy's refusal of a write", put, { status: 404, body: '<html>' }, 'store-refused'],
    ["a proxy's page after a write", put, { status: 502, body: '<html>' }, 'store-unavailable'],
    ['a page that looks like success', put, { status: 200, body: '<html>' }, 'store-unavailable'],
    ['no quorum', remove, problem(503, 'cassandra-unavailable'), 'store-unavailable'],
    ['too many requests', first, problem(429, 'too-many-requests'), 'store-unavailable'],
    ['a clock that is ahead', put, problem(400, 'bad-request'), 'invalid-argument'],
    ['a token for other names', put, problem(403, 'forbidden'), 'store-refused'],
    ['a server that does not know the route', first, problem(404, 'not-found'), 'store-refused'],
    ['an answer without a queue', first, { status: 200, body: {} }, 'store-unavailable'],
    [
      'a ticket without a number',
      first,
      { status: 200, body: { tickets: [{ owner: 'o' }] } },
      'store-unavailable',
    ],
  ])('%s', async (_what, ask, answer, code) => {
    http.script(answer)
    await expect(ask()).rejects.toMatchObject({ code })
    expect(http.asked).toHaveLength(1)
  })

  it('a write is given up before the ticket can have expired', async () => {
    const clock = new FakeClock()
    const patient = new HttpTicketStore(new LeaseholdServer({ url: http.url, timer: clock }))
    http.script('silent')
    const outcome = expect(patient.put(ticket, 6, 1n)).rejects.toMatchObject({ code: 'store-unavailable' })
    // A request that is given up on the way could take the next test's answer.
    await expect.poll(() => http.asked.length).toBe(1)
    await clock.advance(5_000)
    await outcome
  })
})
