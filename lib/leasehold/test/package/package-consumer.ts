/** For the package's test alone: a program of a user of the package. Compiled and run in a project of its own. */
import assert from 'node:assert/strict'
import { Bakery, type Served } from 'leasehold/bakery'
import {
  CassandraLeaseStore,
  CassandraSequenceStore,
  type ConnectOptions,
  connect,
  tables,
} from 'leasehold/cassandra'
import { Election, type Leadership, StoredTerms } from 'leasehold/election'
import { HttpLeaseStore, LeaseholdServer } from 'leasehold/http'
import { isLeaseholdError, type Lease, LeaseLostError, LeaseProtocol, Leases } from 'leasehold/lease'
import { Locks } from 'leasehold/lock'
import { type Block, Sequence } from 'leasehold/sequence'
import {
  FakeClock,
  MemoryBakeryRegisters,
  MemoryLeaseStore,
  MemorySequenceStore,
  MemoryTermStore,
} from 'leasehold/testing'
import { type Clock, deadlineOf, untilDeadlineMs } from 'leasehold/time'

const clock = new FakeClock()
const time = { clock, timer: clock, random: () => 0.5 }

const leases = new Leases({ store: new MemoryLeaseStore(clock), ...time })
const lease: Lease = await leases.acquire('a', { ttlSeconds: 10, value: 'batch=7' })
const token: bigint = lease.token
assert.ok(lease.held)

const other = await leases.tryAcquire('a', { ttlSeconds: 10 })
// `kind` distinguishes the outcomes.
const holder: string | null = other.kind === 'held' ? other.owner : null
assert.equal(holder, lease.owner)

await lease.release()
assert.ok(lease.signal.reason instanceof LeaseLostError)
assert.ok(isLeaseholdError(lease.signal.reason, 'lease-lost') && lease.signal.reason.reason === 'released')

const locked = await new Locks(leases).withLock(
  'a',
  async (locked) => !locked.signal.aborted && locked.token > token,
)
assert.equal(locked, true)

const sequence = new Sequence({ store: new MemorySequenceStore(clock), name: 'a', ...time })
const block: Block = await sequence.nextBlock(3)
assert.equal(block.last - block.first, 2n)

const terms = new StoredTerms({ store: new MemoryTermStore(clock), ...time })
const leadership: Leadership = await new Election({ leases, group: 'b', terms }).campaign({ ttlSeconds: 10 })
assert.equal(leadership.term, 1n)
await leadership.resign()

const inside: Served<boolean> = async (signal, turn) => !signal.aborted && turn.held
const bakery = new Bakery({ registers: new MemoryBakeryRegisters(clock), ...time })
assert.equal(await bakery.withLock('a', inside), true)

const remote = new HttpLeaseStore(new LeaseholdServer({ url: 'http://127.0.0.1:2' }))
await assert.rejects(new Leases({ store: remote }).tryAcquire('a'), (thrown) =>
  isLeaseholdError(thrown, 'store-unavailable'),
)

const now = (clock satisfies Clock).now()
assert.equal(untilDeadlineMs(deadlineOf(now, 10, 500), now), 8_500)

const options: ConnectOptions = {
  contactPoints: ['127.0.0.1:1'],
  localDataCenter: 'datacenter1',
  keyspace: 'leasehold',
}
await assert.rejects(connect(options), (thrown) => isLeaseholdError(thrown, 'store-unavailable'))
assert.match(tables.leases, /CREATE TABLE/)

/** Typed, and not called: there is no Cassandra here. */
export async function onCassandra(): Promise<bigint> {
  const session = await connect(options)
  await using protocol = new Leases({ store: new CassandraLeaseStore(session) })
  const outcome = await new LeaseProtocol({ store: new CassandraLeaseStore(session) }).tryAcquire('a')
  if (outcome.kind === 'acquired') await protocol.protocol.renew(outcome.tenure)
  // @ts-expect-error a table is mapped by an object, not by its name
  new CassandraLeaseStore(session, 'leases')
  return await new Sequence({ store: new CassandraSequenceStore(session), name: 'a' }).next()
}

await leases.close()
console.log('consumed')
