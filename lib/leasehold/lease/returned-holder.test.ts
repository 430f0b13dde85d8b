/**
 * A killed holder comes back: the first try of its acquisition was held back, and lands when a rival has come and gone.
 * The row shows the old holder's id again, with a newer version than the rival's token; the old holder's token is older.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { Operator } from '../operator/index.ts'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { LeaseProtocol, type LeaseProtocolOptions, Leases } from './index.ts'

const name = 'job'
let clock: FakeClock
let store: MemoryLeaseStore
let options: LeaseProtocolOptions
let rival: LeaseProtocol

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 400)
  store = new MemoryLeaseStore(clock)
  options = { store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 30 }
  rival = new LeaseProtocol(options)
})

/** The first try to acquire is held back for 8 s: its connection breaks, and a second one is applied. */
function holdBackTheFirstTry(): void {
  let tries = 0
  store.fault = (kind) => (kind === 'acquire' && ++tries === 1 ? { kind: 'late', afterMs: 8_000 } : undefined)
}

/** Kills the holder; a rival acquires, works and releases, all within a second. @returns the rival's token */
async function rivalAfterKill(owner: string): Promise<bigint> {
  expect(await clock.run(new Operator(rival).kill({ name, owner }))).toMatchObject({ kind: 'released' })
  const outcome = await clock.run(rival.tryAcquire(name))
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  await clock.advance(1_000)
  await clock.run(rival.release(outcome.tenure))
  return outcome.tenure.token ?? 0n
}

describe('a killed holder whose first try to acquire lands after a rival has come and gone', () => {
  it('learns of its loss at its next renewal', async () => {
    holdBackTheFirstTry()
    const leases = new LeaseProtocol(options)
    const outcome = await clock.run(leases.tryAcquire(name))
    if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
    const token = await rivalAfterKill(outcome.tenure.owner)
    expect(outcome.tenure.token).toBeLessThan(token)
    await clock.advance(8_000)
    expect(await clock.run(leases.renew(outcome.tenure))).toMatchObject({ kind: 'lost', why: 'not-holder' })
  })

  it('is not held any more when it was kept alive: its token is below the rival’s', async () => {
    holdBackTheFirstTry()
    const leases = new Leases({ ...options, defaultTtlSeconds: 60 })
    const lease = await clock.run(leases.acquire(name))
    const { token } = lease
    const later = await rivalAfterKill(lease.owner)
    // A third of the window is 19.6 s: the late try has landed, and has not expired.
    await clock.advance(21_000)
    expect(token).toBeLessThan(later)
    expect(lease.held).toBe(false)
    await clock.run(leases.close())
  })
})
