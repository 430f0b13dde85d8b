/** A node that is silent when a statement is prepared, or reads nothing: nothing that waited for it is sent late. */
import cassandra from 'cassandra-driver'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { LeaseProtocol, Leases } from '../../../lease/index.ts'
import { Operator } from '../../../operator/index.ts'
import { testConnect, testContactPoint, testCredentials, testSession } from '../../../test/node-session.ts'
import { harmless } from '../../../test/patient-sessions.ts'
import { type PassingStatement, StatementProxy } from '../../../testing/index.ts'
import { CassandraLeaseStore } from '../../leases/lease-store.ts'
import { createTables } from '../../schema/create-tables.ts'
import { connect } from '../../session/connect.ts'
import type { CassandraSession } from '../../session/session.ts'

const keyspace = `send_gate_test_${Date.now().toString(36)}`
/** Longer than a write may wait for its preparation, and than this test waits for it to be sent. */
const heldMs = 4_000

let direct: CassandraSession
let proxy: StatementProxy
let session: CassandraSession
/** For how long a statement of this text is not prepared, in milliseconds. */
let held: (cql: string) => number
let arrived: PassingStatement[]

beforeAll(async () => {
  direct = await testSession(keyspace)
  await createTables(direct)
  await direct.client.execute(`CREATE TABLE ${keyspace}.lock (lockname text PRIMARY KEY)`)
})
afterAll(() => direct?.close())

beforeEach(async () => {
  held = () => 0
  arrived = []
  const [host = '', port] = testContactPoint().split(':')
  proxy = await StatementProxy.listen(host, Number(port), {
    prepares: (cql) => held(cql),
    queries: (cql) => (cql.startsWith('USE') ? held(cql) : 0),
    arrives: (statement) => void arrived.push(statement),
  })
  session = await testConnect({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testCredentials(),
  })
})
afterEach(async () => {
  await session?.close()
  await proxy?.close()
})

/** While nothing is held: what a busy machine does not send or answer in time is called again. */
async function unhindered<T>(call: () => Promise<T>): Promise<T> {
  const end = harmless(proxy.contactPoint)
  try {
    return await call()
  } finally {
    end()
  }
}

const deletes = () => arrived.filter(({ cql }) => cql.startsWith('DELETE')).length
const heldPast = () => new Promise((done) => setTimeout(done, heldMs + 500))

it('a kill whose statement is not prepared in time is not sent, and says so', async () => {
  await new LeaseProtocol(direct).tryAcquire('job', { owner: 'them', ttlSeconds: 60 })
  held = (cql) => (cql.startsWith('DELETE') ? heldMs : 0)
  const operator = new Operator(new LeaseProtocol(session))
  await expect(operator.kill({ name: 'job', owner: 'them' })).rejects.toMatchObject({
    code: 'store-unavailable',
    mayHaveHappened: false,
  })
  await heldPast()
  expect(deletes()).toBe(0)
  held = () => 0
  const killed = await unhindered(() => operator.kill({ name: 'job', owner: 'them' }))
  expect(killed).toMatchObject({ kind: 'released' })
})

it('the release of a lock without an owner is sent before the deadline, or never', async () => {
  const mapping = { table: 'lock', name: 'lockname', owner: null, value: null }
  held = (cql) => (cql.startsWith('DELETE') ? heldMs : 0)
  const protocol = new LeaseProtocol({
    store: new CassandraLeaseStore(session, mapping),
    // Its deadline passes while the statement is held, and not before the release is asked for.
    defaultTtlSeconds: 5,
  })
  const outcome = await unhindered(() => protocol.tryAcquire('cron'))
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  await expect(protocol.release(outcome.tenure)).rejects.toMatchObject({ code: 'store-unavailable' })
  await heldPast()
  expect(deletes()).toBe(0)
})

it('a lease is renewed although no statement can be prepared any more', async () => {
  const leases = new Leases(session)
  const lease = await leases.acquire('kept', { ttlSeconds: 20 })
  held = () => 60_000
  const deadlineMs = () => performance.now() + lease.remainingMs
  const before = deadlineMs()
  await expect.poll(deadlineMs, { timeout: 19_000, interval: 200 }).toBeGreaterThan(before + 1_000)
  expect(lease.held).toBe(true)
  await lease.release()
  await leases.close()
})

it('a release behind what a node does not read is not sent, once it reads on', async () => {
  const store = new CassandraLeaseStore(session)
  // Its statement is prepared from then on.
  await unhindered(() => store.release({ name: 'unheld', owner: 'them' }))
  const { consistencies } = cassandra.types
  const read = { cql: `SELECT lockname FROM ${keyspace}.lock WHERE lockname = ?` }
  // None may time out before the release is asked for, however slow the machine is: the driver would drop those that it has
  // not written, and the release would be the next of a queue that never filled the sockets.
  const long = { ...read, consistency: consistencies.one, readTimeoutMs: 120_000 }
  await session.execute(long, ['short'])
  arrived = []
  proxy.freeze()
  // More than the buffers of both sockets hold: the driver keeps the rest.
  const reads = Array.from({ length: 600 }, (_, at) => session.execute(long, [`${at}`.padEnd(60_000)]))
  await new Promise((done) => setTimeout(done, 500))
  await expect(store.release({ name: 'blocked', owner: 'them' })).rejects.toMatchObject({
    code: 'store-unavailable',
    mayHaveHappened: false,
  })
  proxy.restore()
  // The release stood behind them.
  await Promise.all(reads)
  await session.execute(long, ['after'])
  expect(deletes()).toBe(0)
})

it('a release that waits for a keyspace to be chosen on a new connection is not sent late', async () => {
  const port = Number(proxy.contactPoint.split(':')[1])
  const client = new cassandra.Client({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    credentials: testCredentials() as { username: string; password: string },
    protocolOptions: { port, maxVersion: 4 },
    policies: { reconnection: new cassandra.policies.reconnection.ConstantReconnectionPolicy(100) },
  })
  await client.connect()
  const over = await connect({ client, keyspace })
  const store = new CassandraLeaseStore(over)
  // Its statement is prepared from then on.
  await unhindered(() => store.release({ name: 'unheld', owner: 'them' }))
  arrived = []
  held = () => heldMs
  proxy.refuse()
  await expect.poll(() => over.nodes().nodesUp).toBe(0)
  proxy.restore()
  // A node counts as up before it has a connection. A release is refused at once then: it waits for none.
  const refused = { code: 'store-unavailable', mayHaveHappened: false }
  await vi.waitFor(async () => {
    const release = store.release({ name: 'chosen', owner: 'them' })
    const message = expect.stringMatching(/^The write was not sent/)
    await expect(release).rejects.toMatchObject({ ...refused, message })
  }, 60_000)
  await heldPast()
  expect(deletes()).toBe(0)
  await client.shutdown()
})
