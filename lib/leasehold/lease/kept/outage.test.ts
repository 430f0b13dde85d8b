/**
 * The errors that callers get when the store is away: the outage, and never a holder, a success or a silence in its
 * place.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { Locks } from '../../lock/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../testing/index.ts'
import { type LeaseLostError, Leases, StoreRefusedError } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
const make = (more: object = {}) =>
  new Leases({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
    ...more,
  })
const away = () => {
  store.fault = () => ({ kind: 'unavailable' })
}

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
})

describe('a store that goes away', () => {
  it.each([{}, { tickets: true }])('while a caller waits is no holder (%o)', async ({ tickets }) => {
    const queue = tickets ? { tickets: new MemoryTicketStore(clock) } : {}
    await clock.run(make().acquire('job', { ttlSeconds: 600 }))
    const waiting = make(queue).acquire('job', { waitMs: 20_000 })
    waiting.catch(() => {})
    await clock.advance(3_000)
    away()
    await expect(clock.run(waiting)).rejects.toMatchObject({ code: 'store-unavailable' })
  })

  it('during a release leaves a lease that close() names, also after withLock has returned', async () => {
    const leases = make({ settleMs: 2_000 })
    const result = await clock.run(
      new Locks(leases).withLock('job', async () => {
        away()
        return 7
      }),
    )
    expect(result).toBe(7)
    expect((await clock.run(leases.close())).map(({ name }) => name)).toEqual(['job'])
  })

  it('during a release leaves a lease that a second call releases', async () => {
    const leases = make()
    const lease = await clock.run(leases.acquire('job', { ttlSeconds: 60 }))
    away()
    await expect(clock.run(lease.release())).rejects.toMatchObject({ code: 'store-unavailable' })
    store.fault = () => undefined
    expect(await clock.run(lease.release())).toEqual({ kind: 'released', certain: true })
    expect(await leases.read('job')).toBeNull()
    const { sent } = store
    expect(await clock.run(lease.release())).toEqual({ kind: 'released', certain: true })
    expect(store.sent).toBe(sent)
    expect(await clock.run(leases.close())).toEqual([])
  })

  it('during a release, whose outcome is then unknown, gives a second call the same error, and sends nothing', async () => {
    const leases = make({ settleMs: 2_000 })
    const lease = await clock.run(leases.acquire('job', { ttlSeconds: 60 }))
    store.fault = (kind) =>
      kind === 'release' ? { kind: 'lost', applied: false, finality: 'never' } : { kind: 'unavailable' }
    const first = await clock.run(lease.release().catch((thrown: unknown) => thrown))
    expect(first).toMatchObject({ code: 'outcome-unknown' })
    store.fault = () => undefined
    const { sent } = store
    expect(await clock.run(lease.release().catch((thrown: unknown) => thrown))).toBe(first)
    expect(store.sent).toBe(sent)
  })

  it('and a lease that has expired since is named no more', async () => {
    const leases = make({ settleMs: 2_000 })
    const lease = await clock.run(leases.acquire('job'))
    away()
    await expect(clock.run(lease.release())).rejects.toMatchObject({ code: 'store-unavailable' })
    await clock.advance(15_000)
    expect(await clock.run(leases.close())).toEqual([])
  })

  it('is named by the lease before its deadline, until a renewal is answered', async () => {
    const lease = await clock.run(make().acquire('job'))
    expect(lease.renewalFailure).toBeUndefined()
    away()
    await clock.advance(5_000)
    expect(lease.held).toBe(true)
    expect(lease.renewalFailure).toMatchObject({ code: 'store-unavailable' })
    store.fault = () => undefined
    await clock.advance(3_000)
    expect([lease.held, lease.renewalFailure]).toEqual([true, undefined])
    away()
    await clock.advance(20_000)
    expect(lease.signal.reason).toMatchObject({ reason: 'deadline', cause: { code: 'store-unavailable' } })
  })

  it('is the cause of the loss that it leads to', async () => {
    const lease = await clock.run(make().acquire('job'))
    const refused = new StoreRefusedError('the role may not write any more')
    const triedAtMs: number[] = []
    store.renew = async () => {
      triedAtMs.push(clock.now().monotonicMs)
      throw refused
    }
    await clock.advance(20_000)
    expect(lease.held).toBe(false)
    expect(lease.signal.reason as LeaseLostError).toMatchObject({ reason: 'deadline', cause: refused })
    // The pause between two failures doubles, up to two seconds.
    const pausesMs = triedAtMs.slice(1).map((atMs, i) => atMs - (triedAtMs[i] as number))
    expect(pausesMs).toEqual([100, 200, 400, 800, 1_600, 2_000])
  })

  it('while the token is read leaves a row that is looked for, and released', async () => {
    const leases = make({ settleMs: 1_000 })
    const { read } = store
    store.read = async () => {
      await clock.sleep(1)
      throw new StoreRefusedError('the role may not read')
    }
    await expect(clock.run(leases.acquire('job', { ttlSeconds: 600, waitMs: 0 }))).rejects.toThrow()
    store.read = read
    await clock.advance(5_000)
    expect((await store.read('job')).cells?.owner ?? null).toBeNull()
  })
})

it('is not acquired after close(), by hand either', async () => {
  const leases = make()
  await clock.run(leases.close())
  await expect(leases.protocol.tryAcquire('job')).rejects.toMatchObject({ code: 'closed' })
  const once = new Locks(leases).once('job', { key: '1' }, () => 'ran')
  await expect(once).rejects.toMatchObject({ code: 'closed' })
})

describe('work under a lock that is lost', () => {
  it.each([
    ['an AbortError of what took the signal', (signal: AbortSignal) => abortError(signal)],
    ['the reason of the signal', (signal: AbortSignal) => signal.reason as Error],
  ])('and that ends with %s is lost, and says so', async (_title, end) => {
    const working = new Locks(make()).withLock('job', async (lease) => {
      away()
      await clock.sleep(20_000)
      throw end(lease.signal)
    })
    await expect(clock.run(working)).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
  })

  it('and that fails of its own throws its own error', async () => {
    const working = new Locks(make()).withLock('job', async () => {
      away()
      await clock.sleep(20_000)
      throw new Error('of the work')
    })
    await expect(clock.run(working)).rejects.toThrow('of the work')
  })

  it('and that fails of its own because of the loss throws its own error, not its cause', async () => {
    let own: Error | undefined
    const working = new Locks(make()).withLock('job', async ({ signal }) => {
      away()
      await clock.sleep(20_000)
      own = new Error('Batch 7 is half written.', { cause: signal.reason })
      throw own
    })
    expect(await clock.run(working.catch((thrown: unknown) => thrown))).toBe(own)
  })
})

/** As Node's timers and fetch end when their signal aborts. */
function abortError(signal: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason })
  error.name = 'AbortError'
  return error
}

describe('arguments that types do not allow', () => {
  it.each([
    [[undefined], 'The name is a undefined; a string is expected.'],
    [['job', { value: 5 }], 'The value is a number; a string is expected.'],
    [['job', { waitms: 100 }], 'There is no option "waitms"; there are ttlSeconds, value, waitMs'],
    [['job', { waitMs: 'soon' }], 'waitMs is soon'],
    [['job', { ttlSeconds: '10' }], 'ttlSeconds is "10"; a whole number'],
  ])('%o is refused in a sentence', async (args, sentence) => {
    const acquire = make().acquire as (...args: unknown[]) => Promise<unknown>
    await expect(acquire.apply(make(), args)).rejects.toThrow(sentence)
  })

  it('withLock without work takes no lock', async () => {
    const locks = new Locks(make())
    await expect(locks.withLock('job', {} as never)).rejects.toThrow('a function to run')
    expect((await store.read('job')).cells).toBeNull()
  })
})
