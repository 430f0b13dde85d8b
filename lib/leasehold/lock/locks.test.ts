import { beforeEach, expect, it } from 'vitest'
import { Leases } from '../lease/index.ts'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
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
    by.withLock('job', { waitMs: 60_000 }, async (_signal, token) => {
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
  const losing = locks.withLock('job', async (signal) => {
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
  await expect(clock.run(another().withLock('job', async () => {}))).rejects.toMatchObject({
    code: 'lease-held',
  })
  await clock.run(lease.release())
})
