/** A lease that was won for a caller who left before it was handed out: no caller gets it, and it does not stay for its TTL. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { StoreRefusedError, StoreUnavailableError } from '../errors.ts'
import { Leases } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: Leases
let serialReads: number

const make = () =>
  new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 3_600 })

/** Reads take 100 ms, and fail until `untilMs`. */
function readsFail(untilMs: number, error: Error): void {
  const { read, readWritten } = store
  const failing = async () => {
    await clock.sleep(100)
    if (clock.now().monotonicMs < untilMs) throw error
  }
  store.readWritten = (name) => failing().then(() => readWritten.call(store, name))
  store.read = (name) => {
    serialReads++
    return failing().then(() => read.call(store, name))
  }
}

/** Without the faults of the test. */
const ownerShown = async () => (await MemoryLeaseStore.prototype.read.call(store, 'job')).cells?.owner ?? null

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  leases = make()
  serialReads = 0
})

it('is looked for, and released, when its caller got the outcome unknown', async () => {
  readsFail(25_000, new StoreUnavailableError('no quorum'))
  await expect(clock.run(leases.tryAcquire('job'))).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(await ownerShown()).not.toBeNull()
  await clock.advance(30_000)
  expect(await ownerShown()).toBeNull()
})

it('is looked for, and released, when the signal of its caller aborted', async () => {
  readsFail(25_000, new StoreUnavailableError('no quorum'))
  const stop = new AbortController()
  const trying = leases.acquire('job', { signal: stop.signal })
  trying.catch(() => {})
  await clock.advance(500)
  stop.abort(new Error('enough'))
  await expect(clock.run(trying)).rejects.toThrow('enough')
  expect(await ownerShown()).not.toBeNull()
  await clock.advance(30_000)
  expect(await ownerShown()).toBeNull()
})

it('is looked for, and released, before close() is over, if the reads come back in time', async () => {
  readsFail(1_000, new StoreRefusedError('the role may not read'))
  const trying = leases.acquire('job')
  trying.catch(() => {})
  // Won, and its token is being read.
  await clock.advance(50)
  await clock.run(leases.close())
  await expect(trying).rejects.toMatchObject({ code: 'closed' })
  expect(await ownerShown()).toBeNull()
})

it('is looked for for 90 s, once a second, and no longer', async () => {
  readsFail(Number.POSITIVE_INFINITY, new StoreUnavailableError('no quorum'))
  await expect(clock.run(leases.tryAcquire('job'))).rejects.toMatchObject({ code: 'outcome-unknown' })
  // The reading of the token ends 20 s after its beginning; then the search begins.
  await clock.advance(25_000)
  serialReads = 0
  await clock.advance(600_000)
  expect(serialReads).toBeGreaterThan(70)
  expect(serialReads).toBeLessThanOrEqual(90)
})

it('is not looked for when the read of its token shows that its row is gone', async () => {
  const { read } = store
  store.readWritten = (name) => store.read(name)
  store.read = async (name) => {
    serialReads++
    await clock.sleep(100)
    return read.call(store, name)
  }
  const stop = new AbortController()
  const trying = leases.acquire('job', { signal: stop.signal })
  trying.catch(() => {})
  await clock.advance(50)
  store.plain.deleteIfOwner('job', (await ownerShown()) ?? '')
  stop.abort(new Error('enough'))
  await expect(clock.run(trying)).rejects.toThrow('enough')
  await clock.advance(5_000)
  const reads = serialReads
  await clock.advance(60_000)
  expect(serialReads).toBe(reads)
})

/** A try whose answer comes after its caller has left, and whose release reaches no node until `backAfterMs` later. */
async function leftBehind(backAfterMs: number): Promise<{ releases: () => number }> {
  const stop = new AbortController()
  let releases = 0
  const backAtMs = clock.now().monotonicMs + 100 + backAfterMs
  store.fault = (kind) => {
    if (kind === 'acquire') return { kind: 'delayed', answerMs: 300 }
    if (kind !== 'release') return undefined
    releases++
    return clock.now().monotonicMs < backAtMs ? { kind: 'unavailable' } : undefined
  }
  const trying = leases.acquire('job', { signal: stop.signal })
  trying.catch(() => {})
  await clock.advance(100)
  stop.abort(new Error('enough'))
  await expect(clock.run(trying)).rejects.toThrow('enough')
  await clock.advance(1_000)
  expect(await ownerShown()).not.toBeNull()
  return { releases: () => releases }
}

it('is released once a node can be reached again', async () => {
  await leftBehind(5_000)
  await clock.advance(6_000)
  expect(await ownerShown()).toBeNull()
  // As after any release: nothing is left to say of it.
  expect(await clock.run(leases.close())).toEqual([])
})

it('is released once a second for 90 s, and no longer, where no node can be reached', async () => {
  const { releases } = await leftBehind(Number.POSITIVE_INFINITY)
  await clock.advance(600_000)
  expect(releases()).toBeGreaterThan(80)
  expect(releases()).toBeLessThanOrEqual(92)
})

it('does not keep close() from ending', async () => {
  await leftBehind(Number.POSITIVE_INFINITY)
  const began = clock.now().monotonicMs
  expect(await clock.run(leases.close())).toMatchObject([{ name: 'job' }])
  expect(clock.now().monotonicMs - began).toBe(5_000)
  const { sent } = store
  await clock.advance(60_000)
  expect(store.sent).toBe(sent)
})
