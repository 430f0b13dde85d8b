import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Election } from '../../election/index.ts'
import { Leases } from '../../lease/index.ts'
import { Sequence } from '../../sequence/index.ts'
import {
  testClientCredentials,
  testConnect,
  testContactPoint,
  testCredentials,
  testKeptTtlSeconds,
  testSession,
  testVariant,
} from '../../test/node-session.ts'
import { defaultMaxClockSkewMs } from '../../time/index.ts'
import type { ConnectOptions } from '../driver/client-options.ts'
import { defaultMapping } from '../leases/mapping.ts'
import { createTables } from '../schema/create-tables.ts'
import { CassandraTicketStore } from '../stores/ticket-store.ts'
import { connect } from './connect.ts'
import type { CassandraSession } from './session.ts'

const keyspace = 'session_test'
let admin: CassandraSession
const clients: cassandra.Client[] = []

beforeAll(async () => {
  admin = await testSession(keyspace)
  await createTables(admin)
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.shutdown()))
  await admin?.close()
})

const where = (): ConnectOptions => ({
  contactPoints: [testContactPoint()],
  localDataCenter: 'datacenter1',
  keyspace,
  ...testCredentials(),
})
const fresh = (what: string) => `${what}/${process.pid}/${Date.now().toString(36)}`

async function using<T>(
  options: ConnectOptions,
  work: (session: CassandraSession) => T | Promise<T>,
): Promise<T> {
  const session = await testConnect(options)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** A client as an application makes it, with the driver's defaults. */
function callersClient(options: cassandra.ClientOptions = {}): cassandra.Client {
  const client = new cassandra.Client({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    ...testClientCredentials(),
    ...options,
  })
  clients.push(client)
  return client
}

it.each([
  ['reached but not used', testContactPoint, 'store-refused', /localDataCenter was configured as 'dc9'/],
  ['not reached', () => '127.0.0.1:1', 'store-unavailable', /ECONNREFUSED/],
])('says why a contact point was %s', async (_how, contactPoint, code, sentence) => {
  const options = {
    contactPoints: [contactPoint()],
    localDataCenter: 'dc9',
    keyspace: 'x',
    ...testCredentials(),
  }
  await expect(connect(options)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(sentence),
  })
})

describe('what the cluster says', () => {
  it('is read once, at the beginning', async () => {
    const { facts, paxosVariant, serialAdvice, store } = admin
    expect(facts).toMatchObject({
      clusterName: 'Leasehold',
      dataCenters: ['datacenter1'],
      paxosVariant: testVariant,
    })
    expect(facts.releaseVersion).toMatch(/^\d+\.\d+/)
    expect([paxosVariant, store.paxosVariant, serialAdvice]).toEqual([testVariant, testVariant, null])
    await using(where(), (session) =>
      expect(session.facts.replication).toEqual({
        strategy: 'NetworkTopologyStrategy',
        copies: { datacenter1: 1 },
      }),
    )
    await using({ ...where(), keyspace: 'not_there_yet' }, (session) =>
      expect(session.facts.replication).toBeNull(),
    )
  })

  it('refuses a setting that contradicts it, and names both values', async () => {
    const other = testVariant === 'v1' ? 'v2' : 'v1'
    await expect(connect({ ...where(), paxosVariant: other })).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining(
        `paxosVariant is ${other}, but paxos_variant of the cluster Leasehold is ${testVariant}`,
      ),
    })
    await using({ ...where(), paxosVariant: testVariant }, (session) =>
      expect(session.paxosVariant).toBe(testVariant),
    )
  })

  it('explains a serial level that is not the best, and refuses an invalid one', async () => {
    await using({ ...where(), serial: 'LOCAL_SERIAL' }, (session) =>
      expect(session.serialAdvice).toMatch(/SERIAL does the same/),
    )
    await expect(connect({ ...where(), serial: 'QUORUM' as 'SERIAL' })).rejects.toThrow(/SERIAL is expected/)
  })

  describe.runIf('username' in testCredentials())('to a role that may not read its settings', () => {
    const role = { username: `${keyspace}_blind_${Date.now().toString(36)}`, password: 'of a test' }
    beforeAll(() =>
      admin.client.execute(
        `CREATE ROLE IF NOT EXISTS ${role.username} WITH PASSWORD = '${role.password}' AND LOGIN = true`,
      ),
    )

    it.each([
      [undefined, 'v1'],
      ['v2', 'v2'],
    ] as const)('the setting paxosVariant %s gives %s', (paxosVariant, taken) =>
      using({ ...where(), ...role, paxosVariant }, (session) =>
        expect([session.facts.paxosVariant, session.paxosVariant]).toEqual([null, taken]),
      ),
    )

    it('is what the cluster says, once the role may read it', async () => {
      await admin.client.execute(`GRANT SELECT ON system_views.settings TO ${role.username}`)
      const seen = () =>
        using({ ...where(), ...role }, (session) => [session.facts.paxosVariant, session.paxosVariant])
      // Cassandra caches refusals for two seconds.
      await expect.poll(seen).toEqual([testVariant, testVariant])
    })
  })
})

describe.each([
  ['of its own', () => connect({ ...where(), driverOptions: { pooling: { warmup: false } } })],
  ["of the caller's", () => connect({ client: callersClient(), keyspace })],
  [
    "of the caller's, with unsafe settings",
    () =>
      connect({
        client: callersClient({
          encoding: { map: Map, set: Set, useBigIntAsLong: true },
          queryOptions: { isIdempotent: true, consistency: cassandra.types.consistencies.any },
          policies: { retry: new cassandra.policies.retry.RetryPolicy() },
        }),
        keyspace,
      }),
  ],
] as const)('a session over a client %s', (_whose, open) => {
  let session: CassandraSession
  beforeAll(async () => {
    session = await open()
  })
  afterAll(() => session?.close())

  it('has its stores, and makes each one once', async () => {
    const ttlSeconds = Math.max(10, testKeptTtlSeconds(defaultMaxClockSkewMs))
    expect(session.store).toBe(session.store)
    const leases = new Leases(session)
    const lease = await leases.acquire(fresh('lease'), { ttlSeconds })
    expect(typeof lease.token).toBe('bigint')
    await lease.release()
    const election = new Election({ leases, group: fresh('group'), terms: session.terms })
    const led = await election.campaign({ ttlSeconds })
    expect(led.term).toBe(1n)
    await led.resign()
    const sequence = new Sequence({ store: session.sequences, name: fresh('sequence') })
    expect([await sequence.next(), await sequence.next()]).toEqual([1n, 2n])
    expect(session.facts.replication?.copies).toEqual({ datacenter1: 1 })
  })

  it('reads beyond what a number holds', async () => {
    const ticket = { name: fresh('ticket'), number: 2n ** 62n + 1n, owner: 'o' }
    await session.tickets.put(ticket, 30, 2n ** 53n + 1n)
    expect(await session.tickets.first(ticket.name, 2n ** 62n, 5)).toEqual([ticket])
  })

  it("never lets the driver's own policies try a conditional write again", async () => {
    const sent: cassandra.QueryOptions[] = []
    const { client } = session
    const execute = client.execute
    client.execute = ((cql: string, params: unknown[], options: cassandra.QueryOptions) => {
      sent.push(options)
      return (execute as (...args: unknown[]) => unknown).call(client, cql, params, options)
    }) as never
    // Gives sending 60 s. After the usual second the patient session would send it again, and the test counts one send.
    await session.store.release({ name: fresh('retry'), owner: 'o', sentWithinMs: 60_000 })
    client.execute = execute
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ isIdempotent: false, prepare: true })
    expect(sent[0]?.retry).toBeInstanceOf(cassandra.policies.retry.FallthroughRetryPolicy)
  })
})

it("keeps the queues of another table apart from those of the table 'leases'", async () => {
  const name = fresh('apart')
  const ticket = { name, number: 1n, owner: 'o' }
  const others = [{ table: 'locks' }, { keyspace: 'elsewhere' }].map(
    (names) => new CassandraTicketStore(admin, { ...defaultMapping, ...names }),
  )
  await admin.tickets.put(ticket, 30, 1n)
  for (const other of others) {
    expect(await other.first(name, 0n, 5)).toEqual([])
    await other.put({ ...ticket, number: 2n }, 30, 1n)
    expect(await other.first(name, 0n, 5)).toEqual([{ ...ticket, number: 2n }])
    await other.remove({ ...ticket, number: 2n }, 2n)
    expect(await other.first(name, 0n, 5)).toEqual([])
  }
  const same = new CassandraTicketStore(admin, { ...defaultMapping, keyspace })
  for (const store of [admin.tickets, same]) expect(await store.first(name, 0n, 5)).toEqual([ticket])
})
