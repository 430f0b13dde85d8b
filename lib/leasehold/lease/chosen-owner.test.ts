/** Acquisitions under an owner that the caller chose, and may have used before. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { LeaseProtocol } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
const name = 'job'

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 400)
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
})

/** Of the next acquisition. */
function loseAnswer(applied: boolean): void {
  let isNext = true
  store.fault = (kind) => {
    if (kind !== 'acquire' || !isNext) return undefined
    isNext = false
    return { kind: 'lost', applied, finality: 'never' }
  }
}

describe('an owner that the caller chose', () => {
  it('proves nothing after a lost answer: it may have been there before', async () => {
    await clock.run(leases.tryAcquire(name, { owner: 'chosen' }))
    loseAnswer(false)
    expect(await clock.run(leases.tryAcquire(name, { owner: 'chosen' }))).toEqual({
      kind: 'held',
      owner: 'chosen',
    })
  })

  it('proves an acquisition where the caller made it for that alone, and the row was written since', async () => {
    const unique = { owner: 'chosen', ownerIsUnique: true }
    loseAnswer(true)
    expect(await clock.run(leases.tryAcquire(name, unique))).toMatchObject({ kind: 'acquired' })
  })

  it('proves nothing even then by a row that was there before', async () => {
    await clock.run(leases.tryAcquire(name, { owner: 'chosen' }))
    await clock.advance(2_000)
    loseAnswer(false)
    expect(await clock.run(leases.tryAcquire(name, { owner: 'chosen', ownerIsUnique: true }))).toEqual({
      kind: 'held',
      owner: 'chosen',
    })
  })

  it('cannot be a quarantine', async () => {
    await expect(leases.release({ name, owner: '!quarantine:x' })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })
})
