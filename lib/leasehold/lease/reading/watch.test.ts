import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { LeaseProtocol, type LeaseView, type Tenure } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
const name = 'job'

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
})

/** Follows the lease in the background. `ended`: the iteration returned. */
function follow(signal?: AbortSignal) {
  const seen: (LeaseView | null)[] = []
  const state = { seen, ended: false, thrown: undefined as unknown }
  const run = async () => {
    for await (const view of leases.watch(name, signal === undefined ? {} : { signal })) seen.push(view)
    state.ended = true
  }
  run().catch((thrown) => {
    state.thrown = thrown
  })
  return state
}
async function acquire(ttlSeconds = 30, value?: string): Promise<Tenure> {
  const outcome = await clock.run(leases.tryAcquire(name, { ttlSeconds, value }))
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  return outcome.tenure
}
const values = (views: (LeaseView | null)[]) => views.map((view) => view?.value ?? null)
/** SERIAL reads from now on. */
function countReads() {
  const count = { reads: 0 }
  store.fault = (kind) => {
    if (kind === 'read') count.reads++
    return undefined
  }
  return count
}

describe('a watch of one lease', () => {
  it('yields the present state, then each change of owner or value, soon', async () => {
    const watch = follow()
    await clock.advance(1_000)
    const tenure = await acquire(30, 'a')
    await clock.advance(150)
    await clock.run(leases.renew(tenure, { value: 'b' }))
    await clock.advance(150)
    await clock.run(leases.release(tenure))
    await clock.advance(150)
    expect(values(watch.seen)).toEqual([null, 'a', 'b', null])
    expect(watch.seen[1]?.version).toBe(tenure.token)
  })

  it('reads once in ten seconds while nothing changes, and yields nothing for renewals', async () => {
    let tenure = await acquire(6)
    const watch = follow()
    await clock.advance(0)
    const count = countReads()
    for (let seconds = 0; seconds < 60; seconds += 2) {
      await clock.advance(2_000)
      const outcome = await leases.renew(tenure)
      if (outcome.kind !== 'renewed') throw new Error(outcome.kind)
      tenure = outcome.tenure
    }
    expect(watch.seen).toHaveLength(1)
    // One at each expiry that the read before showed, some five seconds apart.
    expect(count.reads).toBeGreaterThanOrEqual(6)
    expect(count.reads).toBeLessThanOrEqual(16)
  })

  it('sees an expiry by reading at SERIAL, when no hint shows it', async () => {
    await acquire(3)
    store.hint = async () => ({ owner: watch.seen[0]?.owner ?? null, value: null })
    const watch = follow()
    await clock.advance(2_700)
    expect(watch.seen).toHaveLength(1)
    await clock.advance(100)
    expect(watch.seen.map((view) => view?.owner ?? null)).toEqual([watch.seen[0]?.owner, null])
  })

  it('notices within ten seconds what no hint shows', async () => {
    const watch = follow()
    store.hint = async () => null
    await clock.advance(100)
    await acquire(60)
    await clock.advance(9_000)
    expect(watch.seen).toHaveLength(1)
    await clock.advance(1_100)
    expect(watch.seen).toHaveLength(2)
  })

  it('notices a next holder within ten seconds, long before the expiry, when no hint shows it', async () => {
    const first = await acquire(60)
    store.hint = async () => ({ owner: first.owner, value: null })
    const watch = follow()
    await clock.advance(100)
    await clock.run(leases.release(first))
    const second = await acquire(60)
    await clock.advance(10_000)
    expect(watch.seen.map((view) => view?.owner)).toEqual([first.owner, second.owner])
  })

  it('reads once a second at most for a replica that is behind, and yields nothing', async () => {
    await acquire(180)
    store.hint = async () => ({ owner: 'an earlier owner', value: null })
    const watch = follow()
    await clock.advance(0)
    const count = countReads()
    await clock.advance(20_000)
    expect(watch.seen).toHaveLength(1)
    expect(count.reads).toBeLessThanOrEqual(21)
    expect(count.reads).toBeGreaterThanOrEqual(15)
  })

  it('goes on while the store is unavailable, and yields nothing meanwhile', async () => {
    const tenure = await acquire(4)
    const watch = follow()
    await clock.advance(100)
    store.fault = () => ({ kind: 'unavailable' })
    await clock.advance(10_000)
    expect(watch.seen.map((view) => view?.owner)).toEqual([tenure.owner])
    store.fault = () => undefined
    await clock.advance(1_500)
    expect(watch.seen.at(-1)).toBeNull()
  })

  it('returns when its signal aborts, and leaves no statement to be sent', async () => {
    const abort = new AbortController()
    const watch = follow(abort.signal)
    await clock.advance(1_030)
    abort.abort()
    await clock.advance(0)
    expect(watch).toMatchObject({ ended: true, thrown: undefined })
    const { sent } = store
    await clock.advance(60_000)
    expect(store.sent).toBe(sent)
  })

  it('sends no statement when its signal was aborted before, and none after a `break`', async () => {
    expect(follow(AbortSignal.abort()).seen).toEqual([])
    for await (const view of leases.watch(name)) {
      expect(view).toBeNull()
      break
    }
    const { sent } = store
    await clock.advance(60_000)
    expect(store.sent).toBe(sent)
    expect(sent).toBe(1)
  })

  it('throws what no retry removes, and refuses an invalid name at once', async () => {
    expect(() => leases.watch('')).toThrow(/name is empty/)
    const refusal = Object.assign(new Error('no such table'), { code: 'store-refused' })
    store.read = async () => {
      throw refusal
    }
    const watch = follow()
    await clock.advance(0)
    expect(watch.thrown).toBe(refusal)
  })
})
