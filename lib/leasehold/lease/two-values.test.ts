/** An update of a kept lease whose answer was lost: the renewals after it carry the value that was wanted last. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, type Fault, MemoryLeaseStore } from '../testing/index.ts'
import { isLeaseholdError, type Lease, Leases } from './index.ts'

const name = 'job'
let clock: FakeClock
let store: MemoryLeaseStore
let leases: Leases
let lease: Lease
/** What renewals write, in the order in which they are sent. */
let written: (string | null)[]

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 400)
  store = new MemoryLeaseStore(clock)
  written = []
  const { renew } = store
  store.renew = (write) => {
    written.push(write.value)
    return renew.call(store, write)
  }
  const deps = { store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 }
  leases = new Leases({ ...deps, defaultTtlSeconds: 30, settleMs: 1_000 })
  lease = await clock.run(leases.acquire(name, { value: 'old' }))
})
afterEach(() => clock.run(leases.close()))

const stored = async () => (await store.read(name)).cells?.value

/** An update that ends unknown, all of its tries lost; `applied`: whether the first one was applied. */
async function unknownUpdate(value: string, applied: boolean): Promise<void> {
  let tries = 0
  store.fault = (kind): Fault | undefined =>
    kind === 'renew' ? { kind: 'lost', applied: applied && ++tries === 1, finality: 'never' } : undefined
  await expect(clock.run(lease.update(value))).rejects.toSatisfy((thrown) =>
    isLeaseholdError(thrown, 'outcome-unknown'),
  )
  store.fault = () => undefined
  written.length = 0
}

describe.each([true, false])('an update that ended unknown (applied: %s)', (applied) => {
  it('is what the next renewal writes', async () => {
    await unknownUpdate('new', applied)
    await clock.advance(15_000)
    expect(written.length).toBeGreaterThan(0)
    expect(new Set(written)).toEqual(new Set(['new']))
    expect(await stored()).toBe('new')
    expect(lease.value).toBe('new')
  })

  it('is followed by another one: the last one counts', async () => {
    await unknownUpdate('new', applied)
    await unknownUpdate('newer', applied)
    await clock.advance(15_000)
    expect(await stored()).toBe('newer')
    expect(lease.value).toBe('newer')
  })

  it('gives way to a later one that is answered', async () => {
    await unknownUpdate('new', applied)
    await clock.run(lease.update('last'))
    await clock.advance(60_000)
    expect(await stored()).toBe('last')
    expect(lease.value).toBe('last')
  })
})

it('an update that begins late and is applied after its client gave up shows in `value` once a renewal is answered', async () => {
  let tries = 0
  store.fault = (kind) =>
    kind === 'renew' && ++tries === 1 ? { kind: 'delayed', queuedMs: 9_000, contendedMs: 1_500 } : undefined
  const updating = lease.update('new').catch(() => {})
  await clock.run(updating)
  await clock.advance(30_000)
  expect(await stored()).toBe('new')
  expect(lease.value).toBe('new')
})
