/** A node that is silent when a statement is prepared: nothing that waited for it is sent late. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { LeaseProtocol, Leases } from '../../../lease/index.ts'
import { Operator } from '../../../operator/index.ts'
import { testContactPoint, testCredentials, testSession } from '../../../test/node-session.ts'
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
    arrives: (statement) => void arrived.push(statement),
  })
  session = await connect({
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
  expect(await operator.kill({ name: 'job', owner: 'them' })).toEqual({ kind: 'released' })
})

it('the release of a lock without an owner is sent before the deadline, or never', async () => {
  const mapping = { table: 'lock', name: 'lockname', owner: null, value: null }
  held = (cql) => (cql.startsWith('DELETE') ? heldMs : 0)
  const protocol = new LeaseProtocol({
    store: new CassandraLeaseStore(session, mapping),
    defaultTtlSeconds: 3,
  })
  const outcome = await protocol.tryAcquire('cron')
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  await expect(protocol.release(outcome.tenure)).rejects.toMatchObject({ code: 'store-unavailable' })
  await heldPast()
  expect(deletes()).toBe(0)
})

it('a lease is renewed although no statement can be prepared any more', async () => {
  const leases = new Leases(session)
  const lease = await leases.acquire('kept', { ttlSeconds: 12 })
  held = () => 60_000
  const deadlineMs = () => performance.now() + lease.remainingMs
  const before = deadlineMs()
  await expect.poll(deadlineMs, { timeout: 9_000, interval: 200 }).toBeGreaterThan(before + 1_000)
  expect(lease.held).toBe(true)
  await lease.release()
  await leases.close()
})
