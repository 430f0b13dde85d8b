/** The library through the API: what holds on Cassandra itself holds through a server too. */
import { Election } from 'leasehold/election'
import { HttpLeaseStore, HttpSequence, HttpTerms, HttpTicketStore, LeaseholdServer } from 'leasehold/http'
import { isLeaseholdError, type Lease, Leases } from 'leasehold/lease'
import { Locks } from 'leasehold/lock'
import { type ContractHarness, storeContract, ticketContract } from 'leasehold/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testVariant } from '../../../leasehold/test/node-session.ts'
import { plainClient } from '../../../leasehold/test/plain-client.ts'
import { serve } from '../../http/router.ts'
import { type TestConsole, testConsole, testOrigin } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

const maxClockSkewMs = 100
/** A busy machine renews a lease of this TTL in time; no test waits for its end. */
const ttlSeconds = 60
let console: TestConsole
let server: LeaseholdServer
/** Broken connections by order of the test: the request was carried out, its answer is lost. */
let losesAnswer: (request: Request) => boolean = () => false

beforeAll(async () => {
  console = await testConsole(await emptiedKeyspace())
  const { body } = await console.api('POST', '/v1/tokens', { name: 'library', prefixes: [''] })
  server = new LeaseholdServer({
    url: testOrigin,
    token: body.token,
    fetch: async (url, init) => {
      const request = new Request(url, init)
      const answer = await serve(request, console.context)
      if (losesAnswer(request)) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
      answer.headers.set('X-Request-Id', 'of-this-test')
      return answer
    },
  })
})
afterAll(() => console?.context.session.close())

describe('the contract of a lease store', () => {
  let harness: ContractHarness
  beforeAll(() => {
    const { session } = console.context
    harness = {
      store: new HttpLeaseStore(server, { paxosVariant: testVariant }),
      plain: plainClient(session, { table: 'leases', name: 'name', owner: 'owner', value: 'value' }),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      // A node that stands still for two seconds gives up what is under way.
      hadNoAnswer: (thrown) =>
        (['outcome-unknown', 'statement-unknown', 'store-unavailable'] as const).some((code) =>
          isLeaseholdError(thrown, code),
        ),
    }
  })
  // Only people break and kill leases, with a plan. A zombie has no holder: the API does not show its remains as a hint.
  for (const { title, run } of storeContract({ forcedRelease: false, zombieHints: false }))
    it(title, () => run(harness))
})

describe('the contract of a store of tickets', () => {
  for (const [i, { title, run }] of ticketContract.entries())
    it(title, () =>
      run({
        store: new HttpTicketStore(server),
        name: `tickets/${Date.now().toString(36)}/${i}`,
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      }),
    )
})

it('hands a fair lock over in the order of arrival, although answers to removals are lost', async () => {
  const waiters = 6
  const tickets = new HttpTicketStore(server)
  const opened: Leases[] = []
  // Each waiter is a process of its own: it has nothing in common with the others but the server.
  const locksOfProcess = () => {
    const leases = new Leases({
      store: new HttpLeaseStore(server, { paxosVariant: testVariant }),
      tickets: new HttpTicketStore(server),
      maxClockSkewMs,
    })
    opened.push(leases)
    return new Locks(leases)
  }
  let conditional = 0
  losesAnswer = ({ method, url }) => {
    if (method !== 'GET' && url.includes('/v1/locks/')) conditional++
    return method === 'DELETE' && url.includes('/v1/queues/')
  }
  try {
    const holder = await locksOfProcess().lock('fair/http', { ttlSeconds })
    const served: number[] = []
    let inside = 0
    const waiting: Promise<void>[] = []
    for (let who = 0; who < waiters; who++) {
      const options = { fair: true, ttlSeconds, waitMs: 150_000 }
      const work = async () => {
        expect(++inside).toBe(1)
        served.push(who)
        await new Promise((done) => setTimeout(done, 20))
        inside--
      }
      const turn = locksOfProcess().withLock('fair/http', options, work)
      // It is awaited below, perhaps after it has failed.
      turn.catch(() => {})
      waiting.push(turn)
      await expect.poll(() => tickets.first('fair/http', 0n, 20)).toHaveLength(who + 1)
    }
    expect(served).toEqual([])
    conditional = 0
    await holder.release()
    await Promise.all(waiting)
    expect(served).toEqual(Array.from({ length: waiters }, (_, who) => who))
    // The holder's release, and an acquisition and a release by each; a stale hint may cost a refused try, and a busy machine
    // a repeated one. Waiters who all tried would send as many for each of them.
    expect(conditional).toBeLessThanOrEqual(1 + 5 * waiters)
    expect(await tickets.first('fair/http', 0n, 20)).toEqual([])
  } finally {
    losesAnswer = () => false
    for (const leases of opened) await leases.close()
  }
})

it('keeps leases alive, locks, elects and counts, with answers that are lost on the way', async () => {
  const leases = new Leases({
    store: new HttpLeaseStore(server, { paxosVariant: testVariant }),
    maxClockSkewMs,
  })
  const other = new Leases({
    store: new HttpLeaseStore(server, { paxosVariant: testVariant }),
    maxClockSkewMs,
  })

  let lost = 0
  losesAnswer = ({ method }) => method !== 'GET' && ++lost % 3 === 0
  try {
    const tokens: bigint[] = []
    let inside = 0
    const work = async ({ token }: Lease) => {
      expect(++inside).toBe(1)
      tokens.push(token)
      await new Promise((done) => setTimeout(done, 50))
      inside--
    }
    await Promise.all(
      [leases, other, leases].map((each) =>
        new Locks(each).withLock('through/http', { ttlSeconds, waitMs: 150_000 }, work),
      ),
    )
    expect(tokens).toEqual(tokens.toSorted((a, b) => (a < b ? -1 : 1)))

    const elect = (by: Leases) =>
      new Election({ leases: by, group: 'through/group', terms: new HttpTerms({ server }) })
    const first = await elect(leases).campaign({ value: 'a', ttlSeconds })
    expect((await elect(other).leader())?.term).toBe(first.term)
    const next = elect(other).campaign({ value: 'b', ttlSeconds })
    await first.resign()
    const second = await next
    expect([second.term, second.token > (first.term as bigint)]).toEqual([(first.term as bigint) + 1n, true])

    const sequence = new HttpSequence({ server, name: 'through/sequence' })
    const numbers: bigint[] = []
    for (let i = 0; i < 6; i++) numbers.push(await sequence.next())
    // Sent again under its key, a request gives the same number: no gap.
    expect(numbers).toEqual([1n, 2n, 3n, 4n, 5n, 6n])

    // Longer than the TTL: it is renewed, whatever is lost.
    const keptSeconds = 20
    const kept = await leases.acquire('through/kept', { ttlSeconds: keptSeconds })
    await new Promise((done) => setTimeout(done, (keptSeconds + 2) * 1_000))
    expect(kept.held).toBe(true)
    expect(lost).toBeGreaterThan(6)
  } finally {
    losesAnswer = () => false
    await leases.close()
    await other.close()
  }
})
