import { expect, it } from 'vitest'
import { Operator } from '../../operator/index.ts'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { Leases } from '../index.ts'

it('waits for ever with an endless waitMs: through a holder that renews for an hour', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const make = () =>
    new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 60 })
  const [holder, waiter] = [make(), make()]
  const held = await clock.run(holder.acquire('job'))
  let acquired = false
  const waiting = waiter.acquire('job', { waitMs: Number.POSITIVE_INFINITY }).then((lease) => {
    acquired = true
    return lease
  })
  await clock.advance(3_600_000)
  expect(acquired).toBe(false)
  await clock.run(held.release())
  await clock.advance(200)
  expect(acquired).toBe(true)
  await clock.run((await waiting).release())
})

it('goes on waiting through answers that are lost and a store that is away, and is not in its own way', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const options = { store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, settleMs: 1_000 }
  const leases = new Leases({ ...options, defaultTtlSeconds: 60 })
  let acquisitions = 0
  // The first try takes effect, unseen: its answer and all reads are lost. Then nothing answers; then all is well.
  store.fault = (kind) => {
    if (kind === 'acquire' && ++acquisitions === 1) return { kind: 'lost', applied: true, finality: 'never' }
    return clock.now().monotonicMs < until ? { kind: 'unavailable' } : undefined
  }
  const until = clock.now().monotonicMs + 8_000
  const started = clock.now().monotonicMs
  const lease = await clock.run(leases.acquire('job', { waitMs: 30_000 }))
  expect(lease.held).toBe(true)
  // The ghost of the first try would have held it for a minute.
  expect(clock.now().monotonicMs - started).toBeLessThan(12_000)
  await clock.run(lease.release())
})

it('says what was wrong when the time is over', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const leases = new Leases({ store, clock, timer: clock, maxClockSkewMs: 100 })
  store.fault = () => ({ kind: 'unavailable' })
  const started = clock.now().monotonicMs
  await expect(clock.run(leases.acquire('job', { waitMs: 5_000 }))).rejects.toMatchObject({
    code: 'store-unavailable',
  })
  expect(clock.now().monotonicMs - started).toBeGreaterThan(4_900)
})

it('reads a holder that goes on renewing once an expiry, and tries no more than that', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const options = {
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
  }
  const held = await clock.run(new Leases(options).acquire('job'))
  const sent: string[] = []
  const waiting = new Leases(options).acquire('job', { waitMs: 95_000 }).catch(() => {})
  store.fault = (kind) => void sent.push(kind)
  await clock.run(waiting)
  expect(sent.filter((kind) => kind === 'read').length).toBeLessThanOrEqual(14)
  await clock.run(held.release())
})

it('takes for its own a lease that a server acquired for it, whose answer came late', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const leases = new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  // A server that lost Cassandra's answer reads the row, and says who holds it: the owner who asks.
  const { acquire } = store
  store.acquire = async (write) => {
    await acquire.call(store, write)
    return { applied: false, found: { owner: write.owner } }
  }
  const outcome = await clock.run(leases.tryAcquire('job'))
  expect(outcome.kind).toBe('acquired')
  await clock.run(leases.close())
})

it('does not make Node warn of a leak when twenty waits share one signal', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const options = { store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 }
  const held = await clock.run(new Leases({ ...options, defaultTtlSeconds: 600 }).acquire('job'))
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const stop = new AbortController()
  const waiter = new Leases(options)
  const waits = Array.from({ length: 20 }, () =>
    waiter.acquire('job', { waitMs: 600_000, signal: stop.signal }),
  )
  const ended = Promise.allSettled(waits)
  await clock.advance(5_000)
  stop.abort(new Error('enough'))
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
  await clock.run(held.release())
})

it('is in soon after a quarantine whose expiry was read as a second later, and that no hint tells of', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const make = () =>
    new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 10 })
  const held = await clock.run(make().acquire('job'))
  const outcome = await clock.run(new Operator(make().protocol).break(held, { id: 'p' }))
  if (outcome.kind !== 'broken') throw new Error(outcome.kind)
  const { read } = store
  store.read = async (name) => {
    const row = await read.call(store, name)
    const ttlSeconds = row.cells?.ownerTtlSeconds ?? null
    // As if each read came across the edge of a second.
    if (row.cells === null || ttlSeconds === null) return row
    return { ...row, cells: { ...row.cells, ownerTtlSeconds: ttlSeconds + 1 } }
  }
  store.fault = (kind) => (kind === 'hint' ? { kind: 'unavailable' } : undefined)
  const next = await clock.run(make().acquire('job'))
  expect(clock.now().wallMs).toBeGreaterThanOrEqual(outcome.safeAtMs)
  expect(clock.now().wallMs - outcome.safeAtMs).toBeLessThan(500)
  await clock.run(next.release())
})

it('tries at the expiry on a hint that shows no owner, without a read before it', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const leases = new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  await clock.run(leases.protocol.tryAcquire('job', { owner: 'rival', ttlSeconds: 10 }))
  const sent: string[] = []
  const waiting = leases.acquire('job', { waitMs: 60_000 })
  await clock.advance(8_000)
  store.fault = (kind) => void sent.push(kind)
  const lease = await clock.run(waiting)
  // The read after it is the token's.
  expect(sent.slice(sent.indexOf('acquire') - 1)).toEqual(['hint', 'acquire', 'read'])
  expect(sent.slice(0, sent.indexOf('acquire'))).not.toContain('read')
  await clock.run(lease.release())
})

it('does not disturb a holder whose lease never expires, and sees it go', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const leases = new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  store.plain.insertForEver('job', 'by hand', null)
  const sent: Record<string, number> = {}
  store.fault = (kind) => {
    sent[kind] = (sent[kind] ?? 0) + 1
    return undefined
  }
  const waiting = leases.acquire('job', { waitMs: Number.POSITIVE_INFINITY })
  await clock.advance(600_000)
  expect(sent.acquire).toBe(1)
  expect(sent.read).toBeLessThanOrEqual(62)
  store.plain.deleteIfOwner('job', 'by hand')
  const goneAtMs = clock.now().monotonicMs
  const lease = await clock.run(waiting)
  expect(clock.now().monotonicMs - goneAtMs).toBeLessThan(200)
  await clock.run(lease.release())
})

it('looks once a second after a while, where the caller allows that, and notices a release as much later', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const make = () =>
    new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 60 })
  const held = await clock.run(make().acquire('job'))
  let hints = 0
  store.fault = (kind) => {
    if (kind === 'hint') hints++
    return undefined
  }
  const waiting = make().acquire('job', { idleHintEveryMs: 1_000 })
  await clock.advance(600_000)
  expect(hints).toBeGreaterThan(550)
  expect(hints).toBeLessThan(650)
  await clock.run(held.release())
  const releasedAtMs = clock.now().monotonicMs
  const lease = await clock.run(waiting)
  expect(clock.now().monotonicMs - releasedAtMs).toBeLessThanOrEqual(1_001)
  await clock.run(lease.release())
})
