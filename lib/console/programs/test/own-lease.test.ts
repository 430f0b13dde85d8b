import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { describe, expect, it, vi } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import { bodies, setUp } from '../../audit/chain/test-stored-log.ts'
import { ActLimit } from '../../audit/refusals/act-limit.ts'
import { ActWindow } from '../../http/act-window.ts'
import { iso } from '../../http/instant.ts'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { resign } from '../election-handlers.ts'
import { deleteLock } from '../lock-handlers.ts'
import type { LockServices } from '../lock-services.ts'
import { acquireOrRenew } from '../locking.ts'
import { isOwnersWord, ownerFor, refuseOthersName, releaseAs } from '../own-lease.ts'

const person = (username: string) => ({ username, role: 'operator', via: 'password' }) as Session
const ann = person('ann')
const ofAnother = 'ann@console:bob'

it.each(['ann', 'ann@example.com', ofAnother])(
  'an owner that the console gives to %s is that person’s',
  (username) => {
    const owner = ownerFor(person(username))
    expect(isOwnersWord(person(username), owner)).toBe(true)
    expect(() => refuseOthersName(person(username), owner)).not.toThrow()
  },
)

it('and no other person’s, however the person is called', () => {
  const owner = ownerFor(person(ofAnother))
  expect(isOwnersWord(ann, owner)).toBe(false)
  expect(() => refuseOthersName(ann, owner)).toThrow(/does not name you/)
  expect(isOwnersWord(ann, 'ann')).toBe(false)
})

it('a person releases the lock of another one as a kill alone, however the other is called', async () => {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  const leases = new LeaseProtocol({ store: new MemoryLeaseStore(clock), clock, timer: clock })
  const config = { adminActions: false, secondPersonFor: [] }
  const services = { clock, requestLog: log, config } as unknown as LockServices
  const table = { id: 'leases', mapping: { owner: 'owner' }, leases } as LeaseTable
  const release = (session: Session, owner: string) => {
    const window = new ActWindow(clock)
    const sender: PermittedSender = { session, senderKey: 'key', address: null, requestId: 'r', window }
    const named = { name: 'job', owner }
    return clock.run(releaseAs(services, sender, table, named, () => leases.release(named)))
  }
  const owner = ownerFor(person(ofAnother)) as string
  await clock.run(leases.tryAcquire('job', { ttlSeconds: 30, owner }))
  await expect(release(ann, owner)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await release(person(ofAnother), owner)).toMatchObject({ kind: 'released' })
})

it('a request that names its owner sends one conditional write to renew, and none while another holds', async () => {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  const store = new MemoryLeaseStore(clock)
  const writes = [vi.spyOn(store, 'acquire'), vi.spyOn(store, 'renew')]
  const reads = vi.spyOn(store, 'read')
  const leases = new LeaseProtocol({ store, clock, timer: clock })
  const services = {
    clock,
    config: { secondPersonFor: [] },
    session: { keyspace: 'leasehold' },
  } as unknown as LockServices
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping, leases } as LeaseTable
  const session = {
    username: 'jobs',
    role: 'client',
    via: 'token',
    scope: { role: 'client', prefixes: [''], tables: ['leases'] },
  } as Session
  const window = new ActWindow(clock)
  const sender: PermittedSender = { session, senderKey: 'key', address: null, requestId: 'r', window }
  const put = async (owner: string | undefined, as = sender) => {
    const outcome = await clock.run(acquireOrRenew(services, as, table, 'job', { owner, ttlSeconds: 30 }))
    const sent = writes.map(({ mock }) => mock.calls.length)
    for (const write of writes) write.mockClear()
    return [outcome.kind, ...sent]
  }
  expect(await put('a')).toEqual(['acquired', 1, 0])
  expect(await put('a')).toEqual(['renewed', 0, 1])
  expect(await put('b')).toEqual(['held', 0, 0])
  // The owner of a person is made here, and cannot be the holder: no read goes before its acquisition.
  const person: PermittedSender = { ...sender, session: { username: 'ann', role: 'operator' } as Session }
  reads.mockClear()
  expect(await put(undefined, person)).toEqual(['held', 1, 0])
  expect(reads).toHaveBeenCalledTimes(1)
})

describe.each([
  ['an admin who releases the lock of another owner', 'admin', 'lock'],
  ['an admin who releases the election of another owner', 'admin', 'election'],
  ['a token that releases a lock of two people', 'client', 'lock'],
] as const)('%s', (_who, role, what) => {
  function acting() {
    const { store: entries, audit, clock } = setUp()
    const store = new MemoryLeaseStore(clock)
    const leases = new LeaseProtocol({ store, clock, timer: clock })
    const lines: { outcome: string }[] = []
    const table = {
      id: 'leases',
      mapping: { table: 'leases', name: 'name', owner: 'owner', value: 'value' },
      readOnly: false,
      trust: new TableTrust(),
      leases,
    } as LeaseTable
    const services = {
      tables: new Map([['leases', table]]),
      audit,
      clock,
      log,
      requestLog: { info: (line: (typeof lines)[number]) => void lines.push(line) },
      session: { keyspace: 'leasehold' },
      actLimit: new ActLimit({ audit, clock, timer: clock, log }),
      config: {
        secondPersonFor: role === 'client' ? ['job'] : [],
        secondPersonAfterMs: 0,
        adminActions: true,
        maxClockSkewMs: 100,
      },
    } as never
    const session = {
      username: 'admin',
      role,
      via: role === 'client' ? 'token' : 'password',
      scope: role === 'client' ? { role, prefixes: [''], tables: ['leases'] } : null,
      elevatedUntil: iso(clock.now().wallMs + 60_000),
    } as unknown as Session
    const release = (): Promise<unknown> => {
      const sender = {
        session,
        senderKey: 'admin',
        address: null,
        requestId: 'r',
        window: new ActWindow(clock),
      }
      const input = { ...sender, params: { name: 'job', group: 'job' }, query: { owner: 'holder' } } as never
      return clock.run((what === 'lock' ? deleteLock : resign)(input, services) as Promise<unknown>)
    }
    store.plain.insertIfNotExists('job', 'holder', null, 300)
    const told = () => ({
      audit: bodies(entries).map(({ phase, outcome }) => [phase, outcome]),
      log: lines.map(({ outcome }) => outcome),
    })
    return { clock, store, leases, release, told }
  }
  const intent = ['intent', null]

  it('gets a problem when it had no effect: a client dated the row ahead of the clocks', async () => {
    const { clock, store, leases, release, told } = acting()
    store.release = async () => ({ applied: true })
    await expect(release()).rejects.toMatchObject({
      code: 'no-effect',
      message: /holder still holds the lock/,
    })
    expect(await leases.read('job')).toMatchObject({ owner: 'holder' })
    await clock.advance(1_000)
    expect(told()).toEqual({ audit: [intent, ['outcome', 'not-released']], log: ['not-released'] })
  })

  it('gets an unknown outcome where no read shows it, and the intent stays open', async () => {
    const { clock, store, release, told } = acting()
    store.skewMs = () => -300
    store.release = async () => {
      store.fault = (kind) => (kind === 'read' ? { kind: 'unavailable' } : undefined)
      return { applied: true }
    }
    await expect(release()).rejects.toMatchObject({ code: 'outcome-unknown', owner: 'holder' })
    await clock.advance(1_000)
    expect(told()).toEqual({ audit: [intent], log: ['outcome-unknown'] })
  })

  it('has released it where the row is not dated ahead, also when the read after it fails', async () => {
    const { clock, store, release, told } = acting()
    const send = store.release.bind(store)
    store.release = async (write) => {
      store.fault = (kind) => (kind === 'read' ? { kind: 'unavailable' } : undefined)
      return send(write)
    }
    expect(await release()).toEqual({ status: 204 })
    await clock.advance(1_000)
    expect(told()).toEqual({ audit: [intent, ['outcome', 'released']], log: ['released'] })
  })
})
