/** Requests to resign: which holder reads them, when, and what happens to the lease. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeClock, MemoryLeaseStore, MemoryResignRequests } from '../../testing/index.ts'
import type { LeaseContext } from '../context.ts'
import { type Lease, type LeaseLostError, Leases, type ResignRequest } from '../index.ts'
import { ResignListener } from './resign-listener.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let resignRequests: MemoryResignRequests
let leases: Leases

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  resignRequests = new MemoryResignRequests(clock)
  leases = new Leases({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
    resignRequests,
  })
})
afterEach(() => clock.run(leases.close()))

const acquire = (options: Parameters<Leases['acquire']>[1] = {}) => clock.run(leases.acquire('job', options))
const ask = (lease: Pick<Lease, 'name' | 'owner'>, id = 'r1') =>
  resignRequests.ask({
    id,
    name: lease.name,
    owner: lease.owner,
    requestedBy: 'ana',
    reason: 'INC-2214',
    requestedAtMs: clock.now().wallMs,
  })

describe('a holder that is asked to resign', () => {
  it('releases within one renewal interval, its signal aborted before', async () => {
    const lease = await acquire()
    let heldWhileReleasing: boolean | undefined
    const { release } = store
    store.release = (write) => {
      heldWhileReleasing = lease.held
      return release.call(store, write)
    }
    await ask(lease)
    // A third of 8.9 s is 2967 ms.
    await clock.advance(2_900)
    expect(lease.held).toBe(true)
    await clock.advance(100)
    expect(heldWhileReleasing).toBe(false)
    const reason = lease.signal.reason as LeaseLostError
    expect(reason.reason).toBe('resign-requested')
    expect(reason.cause).toMatchObject({ requestedBy: 'ana', reason: 'INC-2214' })
    expect((await store.read('job')).cells).toBeNull()
  })

  it('reads its request after any number of requests to earlier holders', async () => {
    const lease = await acquire()
    for (let n = 0; n < 1_000; n++) await ask({ name: 'job', owner: '!earlier' }, `r${n}`)
    await ask(lease)
    await clock.advance(3_000)
    expect((lease.signal.reason as LeaseLostError).reason).toBe('resign-requested')
  })

  it('calls back once for each request to this very tenure, and keeps the lease until it is released', async () => {
    const heard: [string, boolean][] = []
    const lease = await acquire({ onResignRequested: ({ id }, { held }) => heard.push([id, held]) })
    await ask({ name: 'job', owner: 'an earlier tenure' }, 'r0')
    await ask(lease, 'r1')
    await ask(lease, 'r1')
    await clock.advance(10_000)
    await ask(lease, 'r2')
    await clock.advance(30_000)
    expect(heard).toEqual([
      ['r1', true],
      ['r2', true],
    ])
    expect(lease.held).toBe(true)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('of the application')
      },
      'of the application',
    ],
    ['rejects', async () => Promise.reject(new Error('of the application')), 'of the application'],
    // Its rejection would be unhandled if the warning failed, and end the process.
    ['rejects with a value without text', () => Promise.reject(Object.create(null)), 'a value without text'],
  ])('is kept alive when its callback %s, which is a warning', async (_, onResignRequested, says) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const lease = await acquire({ onResignRequested })
    await ask(lease)
    await clock.advance(60_000)
    expect(lease.held).toBe(true)
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]?.[0]).toBe(`onResignRequested of "job" failed: ${says}`)
    warn.mockRestore()
  })

  it('is renewed as usual while the requests cannot be read, and reads them later', async () => {
    const lease = await acquire()
    await ask(lease)
    resignRequests.fault = () => 'unavailable'
    await clock.advance(60_000)
    expect(lease.held).toBe(true)
    resignRequests.fault = () => undefined
    await clock.advance(3_000)
    expect(lease.held).toBe(false)
  })

  it('is renewed as ever while a read of them hangs, and no other one is sent', async () => {
    const lease = await acquire()
    let reads = 0
    resignRequests.of = () => {
      reads++
      return new Promise<ResignRequest[]>(() => {})
    }
    await clock.advance(60_000)
    expect(lease.held).toBe(true)
    expect(reads).toBe(1)
  })

  it('reads no requests once it is released, nor without a callback for them', async () => {
    const lease = await acquire()
    await clock.run(lease.release())
    await clock.advance(60_000)
    expect(resignRequests.reads).toBe(0)
  })

  /** The times at which a lease with a TTL of 6 s reads its requests; each read takes `tookMs`. */
  async function readsAround(updateAfterMs: number, tookMs = 0) {
    const reads: number[] = []
    const { of } = resignRequests
    resignRequests.of = async (...args) => {
      reads.push(clock.now().monotonicMs)
      await clock.sleep(tookMs)
      return of.apply(resignRequests, args)
    }
    const lease = await acquire({ ttlSeconds: 6 })
    await clock.advance(1_700)
    const [first = 0] = reads
    await clock.advance(first + updateAfterMs - clock.now().monotonicMs)
    await clock.run(lease.update('x'))
    return { lease, reads, first }
  }

  it.each([
    ['an update soon after a read', 900, 0],
    ['an update during a read', 900, 1_200],
    ['an update after it', 1_100, 0],
  ])(
    '%s, which moves the next renewal on, does not move the next read past one interval',
    async (...args) => {
      const [, updateAfterMs, tookMs] = args
      const { reads, first } = await readsAround(updateAfterMs, tookMs)
      await clock.advance(5_000)
      const intervalMs = ((6_000 - 1_000 - 100) / 3) * 1.1
      expect(reads[1]).toBeGreaterThanOrEqual(first + 1_000)
      expect(reads[1]).toBeLessThanOrEqual(first + intervalMs)
    },
  )

  it('postpones no read past the release', async () => {
    const { lease, reads } = await readsAround(500)
    await clock.run(lease.release())
    await clock.advance(60_000)
    expect(reads).toHaveLength(1)
  })

  it('costs no more than a read a second when its value is written all the time', async () => {
    const lease = await acquire()
    for (let i = 0; i < 40; i++) {
      await clock.run(lease.update(`${i}`))
      await clock.advance(100)
    }
    expect(resignRequests.reads).toBeLessThanOrEqual(5)
    expect(resignRequests.reads).toBeGreaterThanOrEqual(3)
  })
})

describe('the listener', () => {
  const request = (owner: string): ResignRequest => ({
    id: `to ${owner}`,
    name: 'job',
    owner,
    requestedBy: 'ana',
    reason: 'INC-2214',
    requestedAtMs: 0,
  })
  /** A listener to one tenure, its timers, and what it handed over. */
  function listening(of: () => Promise<ResignRequest[]>) {
    const timers = new Set<() => void>()
    const after = (_: number, work: () => void) => {
      timers.add(work)
      return () => timers.delete(work)
    }
    const context = { clock, timer: { after }, resignRequests: { of } } as unknown as LeaseContext
    const heard: string[] = []
    const held = { name: 'job', owner: 'mine', held: true } as Lease
    const listener = new ResignListener(
      context,
      held,
      ({ id }) => heard.push(id),
      () => {},
    )
    return { listener, timers, heard, held }
  }

  it('hands over requests to its tenure alone, whatever else the read brings', async () => {
    const { listener, heard } = listening(async () => [request('earlier'), request('mine')])
    await listener.listen()
    expect(heard).toEqual(['to mine'])
  })

  it('hands over nothing once the lease is lost while the read is under way', async () => {
    const { listener, heard, held } = listening(async () => {
      Object.assign(held, { held: false })
      return [request('mine')]
    })
    await listener.listen()
    expect(heard).toEqual([])
  })

  it('leaves no timer behind that would keep the process alive', async () => {
    const { listener, timers } = listening(async () => [])
    for (let i = 0; i < 3; i++) await listener.listen()
    expect(timers.size).toBe(1)
    listener.stop()
    expect(timers.size).toBe(0)
  })

  it('sets none when it is stopped while a read is under way and another is wanted', async () => {
    let answer = (_: ResignRequest[]) => {}
    const { listener, timers } = listening(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const first = listener.listen()
    await listener.listen()
    listener.stop()
    answer([])
    await first
    expect(timers.size).toBe(0)
  })
})
