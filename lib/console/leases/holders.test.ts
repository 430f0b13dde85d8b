import { LeaseProtocol, type LeaseView, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { log } from '../http/log/log.ts'
import { Holders, watchesMax } from './holders.ts'
import type { LeaseTable } from './lease-table.ts'

/** A table whose leases stay free. */
const table = {
  id: 'leases',
  mapping: { owner: 'owner' },
  leases: {
    read: async () => null,
    watch: async function* (_name: string, { signal }: { signal: AbortSignal }) {
      await new Promise((over) => signal.addEventListener('abort', over))
    },
  },
} as unknown as LeaseTable

it('watches 2,000 leases at once; a request may join a watched lease, and wait for another one when there is room', async () => {
  const closing = new AbortController()
  const clock = new FakeClock()
  const holders = new Holders({ clock, timer: clock, log }, closing.signal)
  const gone = new AbortController()
  const wait = (name: string, signal = new AbortController().signal) =>
    holders.changed(table, name, '', 60_000, signal)
  const first = wait('0', gone.signal)
  const others = Array.from({ length: watchesMax - 1 }, (_, i) => wait(`${i + 1}`))
  expect(holders.watched).toBe(watchesMax)
  await expect(wait('one more')).rejects.toMatchObject({
    code: 'too-many-requests',
    headers: { 'Retry-After': '1' },
  })
  const again = wait('1')
  gone.abort()
  await first
  const late = wait('one more')
  expect(holders.watched).toBe(watchesMax)
  closing.abort()
  expect(await Promise.all([...others, again, late])).toHaveLength(watchesMax + 1)
  expect(holders.watched).toBe(0)
})

it('a wait ends by the injected timer', async () => {
  const clock = new FakeClock()
  const holders = new Holders({ clock, timer: clock, log }, new AbortController().signal)
  const waiting = holders.changed(table, 'job', '', 60_000, new AbortController().signal)
  await clock.advance(60_000)
  expect(await waiting).toBeNull()
})

it('a look that was sent before the request, and is answered after it, does not end the wait', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  let isNextSlow = false
  const slow = new Proxy(store, {
    get(target, key) {
      const value = Reflect.get(target, key)
      if (key !== 'read') return typeof value === 'function' ? value.bind(target) : value
      return async (name: string) => {
        const isSlow = isNextSlow
        isNextSlow = false
        const view = await target.read(name)
        if (isSlow) await clock.sleep(400)
        return view
      }
    },
  })
  const leases = new LeaseProtocol({ store: slow, clock, timer: clock, maxClockSkewMs: 100 })
  const watched = { ...table, leases } as LeaseTable
  const closing = new AbortController()
  const holders = new Holders({ clock, timer: clock, log }, closing.signal)
  await clock.run(leases.tryAcquire('job', { owner: 'first', ttlSeconds: 60 }))
  const other = holders.changed(watched, 'job', 'first', 60_000, closing.signal)
  await clock.advance(1_000)
  isNextSlow = true
  await clock.run(leases.release({ name: 'job', owner: 'first' }))
  for (let i = 0; i < 200 && isNextSlow; i++) await clock.advance(5)
  await clock.run(leases.tryAcquire('job', { owner: 'second', ttlSeconds: 60 }))
  let isOver = false
  const waiting = holders.changed(watched, 'job', 'second', 30_000, closing.signal)
  waiting.finally(() => {
    isOver = true
  })
  await clock.advance(1_000)
  expect(isOver).toBe(false)
  await clock.run(leases.release({ name: 'job', owner: 'second' }))
  await clock.advance(2_000)
  expect(await waiting).toBeNull()
  closing.abort()
  await other
})

it('what the watch read before the request ends no wait; when the time is over, the lease is read once more', async () => {
  const clock = new FakeClock()
  let reads = 0
  const view = (owner: string, version: bigint) => ({ owner, version }) as LeaseView
  const leases = {
    read: async () => view('second', reads++ === 0 ? 2n : 3n),
    watch: async function* (_name: string, { signal }: { signal: AbortSignal }) {
      await clock.sleep(100)
      // Sent before the request, and answered after it.
      yield view('first', 1n)
      await clock.sleep(500)
      yield view('second', 2n)
      await new Promise((over) => signal.addEventListener('abort', over))
    },
  }
  const closing = new AbortController()
  const holders = new Holders({ clock, timer: clock, log }, closing.signal)
  const watched = { ...table, leases } as unknown as LeaseTable
  const waiting = holders.changed(watched, 'job', 'second', 10_000, closing.signal)
  const answer = await clock.run(waiting)
  expect([answer?.version, reads, clock.now().monotonicMs]).toEqual([3n, 2, 10_000])
  closing.abort()
})

it('a holder that the watch read before the request ends no wait for any holder: the request has read since that the lease is free', async () => {
  const clock = new FakeClock()
  let reads = 0
  const leases = {
    read: async () => {
      reads++
      return null
    },
    watch: async function* (_name: string, { signal }: { signal: AbortSignal }) {
      await clock.sleep(100)
      // Sent before the request and before the release, and answered after it.
      yield { owner: 'gone', version: 1n } as LeaseView
      await clock.sleep(500)
      yield null
      await new Promise((over) => signal.addEventListener('abort', over))
    },
  }
  const closing = new AbortController()
  const holders = new Holders({ clock, timer: clock, log }, closing.signal)
  const watched = { ...table, leases } as unknown as LeaseTable
  const waiting = holders.changed(watched, 'job', '', 10_000, closing.signal)
  expect([await clock.run(waiting), reads, clock.now().monotonicMs]).toEqual([null, 3, 10_000])
  closing.abort()
})

it('a tenure that began and ended between two looks of the watch that a request joined ends the wait', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  let looks = 0
  store.fault = (kind) => {
    if (kind === 'hint') looks++
    return undefined
  }
  const leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100 })
  const watched = { ...table, leases } as LeaseTable
  const closing = new AbortController()
  const holders = new Holders({ clock, timer: clock, log }, closing.signal)
  const other = holders.changed(watched, 'job', '', 60_000, closing.signal)
  // The watch looks once a second by now, and has just looked.
  await clock.advance(10_000)
  for (const before = looks; looks === before; ) await clock.advance(5)
  await clock.run(leases.tryAcquire('job', { owner: 'x', ttlSeconds: 60 }))
  const waiting = holders.changed(watched, 'job', 'x', 60_000, closing.signal)
  await clock.advance(5)
  await clock.run(leases.release({ name: 'job', owner: 'x' }))
  await clock.advance(2_500)
  const answer = await Promise.race([waiting, clock.run(clock.sleep(0)).then(() => 'waits')])
  expect(answer).toBeNull()
  closing.abort()
  await other
})

it('requests that have read another holder than the watch read together, and a silent Cassandra makes their wait longer', async () => {
  const clock = new FakeClock()
  let reads = 0
  const view = (owner: string) => ({ owner, value: 'v' }) as LeaseView
  let answer = async () => view('second')
  const leases = {
    read: () => {
      reads++
      return answer()
    },
    // Its replica has missed the second holder.
    watch: async function* (_name: string, { signal }: { signal: AbortSignal }) {
      yield view('first')
      await new Promise((over) => signal.addEventListener('abort', over))
    },
  }
  const closing = new AbortController()
  const holders = new Holders({ clock, timer: clock, log }, closing.signal)
  const watched = { ...table, leases } as unknown as LeaseTable
  const ended: unknown[] = []
  for (let i = 0; i < 50; i++) {
    const waiting = holders.changed(watched, 'job', 'second', 60_000, closing.signal)
    waiting.then(
      (end) => ended.push(end?.owner),
      (thrown) => ended.push(thrown),
    )
    await clock.advance(20)
  }
  reads = 0
  await clock.advance(5_000)
  expect(reads).toBeLessThanOrEqual(2 * 6)
  answer = () => Promise.reject(new StoreUnavailableError('silent'))
  await clock.advance(5_000)
  expect(ended).toEqual([])
  answer = async () => view('third')
  await clock.advance(2_000)
  expect(ended).toEqual(Array.from({ length: 50 }, () => 'third'))
})
