import { beforeEach, describe, expect, it } from 'vitest'
import { type LeaseLostError, Leases } from '../lease/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryResignRequests } from '../testing/index.ts'
import { Locks } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let locks: Locks
const another = () =>
  new Locks(
    new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 10 }),
  )

beforeEach(() => {
  clock = new FakeClock()
  store = new MemoryLeaseStore(clock)
  locks = another()
})

it('runs one at a time, in every process, and gives each a greater token', async () => {
  let inside = 0
  const tokens: bigint[] = []
  const run = (by: Locks) =>
    by.withLock('job', { waitMs: 60_000 }, async ({ token }) => {
      expect(++inside).toBe(1)
      tokens.push(token)
      await clock.sleep(500)
      inside--
      return token
    })
  const results = await clock.run(Promise.all([run(locks), run(another()), run(another())]))
  expect(new Set(results).size).toBe(3)
  expect(tokens).toEqual(tokens.toSorted((a, b) => (a < b ? -1 : 1)))
  expect((await store.read('job')).cells).toBeNull()
})

it('throws the first error, also when the release fails', async () => {
  store.fault = (kind) => (kind === 'release' ? { kind: 'unavailable' } : undefined)
  const failing = locks.withLock('job', async () => {
    throw new Error('of the work')
  })
  await expect(clock.run(failing)).rejects.toThrow('of the work')
})

it('returns what the work returned, although the release fails', async () => {
  store.fault = (kind) => (kind === 'release' ? { kind: 'unavailable' } : undefined)
  expect(await clock.run(locks.withLock('job', async () => 42))).toBe(42)
})

it('is no success when the lock was lost on the way, and aborts the signal then', async () => {
  let aborted = false
  const losing = locks.withLock('job', async ({ signal }) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    store.fault = (kind) => (kind === 'renew' ? { kind: 'unavailable' } : undefined)
    await clock.sleep(20_000)
    return 'done too late'
  })
  await expect(clock.run(losing)).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
  expect(aborted).toBe(true)
})

it('says who holds it', async () => {
  const lease = await clock.run(locks.lock('job'))
  expect(await clock.run(another().tryLock('job'))).toEqual({ kind: 'held', owner: lease.owner })
  await expect(clock.run(another().withLock('job', { waitMs: 0 }, async () => {}))).rejects.toMatchObject({
    code: 'lease-held',
  })
  await clock.run(lease.release())
})

describe('a lock whose holder is asked to resign', () => {
  let requests: MemoryResignRequests
  const withRequests = () => {
    const options = {
      store,
      clock,
      timer: clock,
      random: () => 0.5,
      maxClockSkewMs: 100,
      defaultTtlSeconds: 10,
    }
    return new Leases({ ...options, resignRequests: requests })
  }
  const ask = async () => {
    const owner = (await store.read('job')).cells?.owner as string
    const request = { id: 'r1', name: 'job', owner, requestedBy: 'ana', reason: 'INC-2214' }
    await requests.ask({ ...request, requestedAtMs: clock.now().wallMs })
  }
  beforeEach(() => {
    requests = new MemoryResignRequests(clock)
  })

  it('is kept, however long its function takes to wind up, and released only then', async () => {
    const events: string[] = []
    const first = new Locks(withRequests()).withLock('job', async ({ signal }) => {
      await ask()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      events.push(`asked: ${(signal.reason as LeaseLostError).reason}`)
      // Longer than its TTL: the lease is renewed meanwhile.
      await clock.sleep(25_000)
      events.push('wound up')
      return 42
    })
    const second = another().withLock('job', { waitMs: 60_000 }, async () => void events.push('next'))
    expect(await clock.run(first)).toBe(42)
    await clock.run(second)
    expect(events).toEqual(['asked: resign-requested', 'wound up', 'next'])
  })

  it('ends with what its function makes of the signal', async () => {
    const running = new Locks(withRequests()).withLock('job', async ({ signal }) => {
      await ask()
      while (!signal.aborted) await clock.sleep(100)
      throw signal.reason
    })
    await expect(clock.run(running)).rejects.toMatchObject({
      code: 'lease-lost',
      reason: 'resign-requested',
      cause: { requestedBy: 'ana' },
    })
    expect((await store.read('job')).cells).toBeNull()
  })

  it('is kept as well when a callback is given as undefined', async () => {
    const running = new Locks(withRequests()).withLock(
      'job',
      { onResignRequested: undefined },
      async ({ signal }) => {
        await ask()
        while (!signal.aborted) await clock.sleep(100)
        return (await store.read('job')).cells?.owner
      },
    )
    expect(await clock.run(running)).toBeTypeOf('string')
  })

  it('goes on when its own callback says so', async () => {
    const heard: string[] = []
    const running = new Locks(withRequests()).withLock(
      'job',
      { onResignRequested: ({ reason }) => heard.push(reason) },
      async ({ signal }) => {
        await ask()
        await clock.sleep(20_000)
        return signal.aborted
      },
    )
    expect(await clock.run(running)).toBe(false)
    expect(heard).toEqual(['INC-2214'])
  })
})
