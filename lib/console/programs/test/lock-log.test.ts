import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { deleteLock } from '../lock-handlers.ts'
import type { LockServices } from '../lock-services.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
let lines: { act: string; owner: string; outcome?: string }[]

beforeEach(() => {
  clock = new FakeClock()
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, clock, timer: clock })
  lines = []
})

function release(owner: string) {
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const trust = new TableTrust()
  const table = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60, trust, leases } as LeaseTable
  const log = { info: (line: (typeof lines)[number]) => void lines.push(line) }
  const services = {
    tables: new Map([['leases', table]]),
    clock,
    log,
    requestLog: log,
    session: { keyspace: 'leasehold' },
    config: { secondPersonFor: [], secondPersonAfterMs: 0, adminActions: true, maxClockSkewMs: 100 },
  } as unknown as LockServices
  const session = { username: 'otto', role: 'operator', via: 'password', scope: null } as unknown as Session
  const input = { params: { name: 'job' }, query: { owner }, session }
  return clock.run(deleteLock(input as unknown as Input, services) as Promise<unknown>)
}
type Input = Parameters<typeof deleteLock>[0]

it('the log says of a release what came of it, once it is known', async () => {
  const owner = 'otto@console:1'
  await clock.run(leases.tryAcquire('job', { owner, ttlSeconds: 60 }))
  await release(owner)
  await expect(release('otto@console:2')).rejects.toMatchObject({ code: 'not-held' })
  expect(lines).toMatchObject([
    { act: 'lock-release', owner, outcome: 'released' },
    { act: 'lock-release', owner: 'otto@console:2', outcome: 'notHeld' },
  ])
})

it('the answer to a release says when a lost answer of Cassandra leaves open what released the lock', async () => {
  const owner = 'otto@console:1'
  await clock.run(leases.tryAcquire('job', { owner, ttlSeconds: 60 }))
  const faults: ReturnType<typeof store.fault>[] = [{ kind: 'lost', applied: true, finality: 'never' }]
  store.fault = (kind) => (kind === 'release' ? faults.shift() : undefined)
  expect(await release(owner)).toEqual({ status: 204, headers: { 'Release-Certain': 'false' } })
  await clock.run(leases.tryAcquire('job', { owner, ttlSeconds: 60 }))
  expect(await release(owner)).toEqual({ status: 204 })
})
