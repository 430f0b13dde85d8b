import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Operator } from '../../operator/index.ts'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { type Lease, LeaseLostError, Leases, StoreRefusedError } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: Leases

const make = () =>
  new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 10 })
beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  leases = make()
})
afterEach(() => clock.run(leases.close()))

const acquire = (name = 'job', options: Parameters<Leases['acquire']>[1] = {}) =>
  clock.run(leases.acquire(name, options))
const reasonOf = (lease: Lease) => (lease.signal.reason as LeaseLostError | undefined)?.reason

describe('a lease that is kept alive', () => {
  it('is renewed after a third of its window, as long as it is held, with its value', async () => {
    const lease = await acquire('job', { value: 'v' })
    const { token } = lease
    let renewals = 0
    const { renew } = store
    store.renew = (write) => {
      renewals++
      return renew.call(store, write)
    }
    await clock.advance(60_000)
    // The window is 8.9 s, a third of it 2967 ms.
    expect(renewals).toBe(20)
    expect(lease.held).toBe(true)
    expect(lease.token).toBe(token)
    expect((await store.read('job')).cells).toMatchObject({ owner: lease.owner, value: 'v' })
  })

  it('survives two renewals without an answer, and is lost at its deadline after that', async () => {
    const lease = await acquire()
    const until = clock.now().monotonicMs + 8_900
    store.fault = (kind) => (kind === 'renew' ? { kind: 'unavailable' } : undefined)
    await clock.advance(8_800)
    expect(lease.held).toBe(true)
    expect(lease.signal.aborted).toBe(false)
    let abortedAtMs: number | undefined
    lease.signal.addEventListener('abort', () => {
      abortedAtMs = clock.now().monotonicMs
    })
    await clock.advance(1_000)
    expect(abortedAtMs).toBeLessThanOrEqual(until + 1)
    expect(reasonOf(lease)).toBe('deadline')
    expect(() => lease.token).toThrow(LeaseLostError)
    expect(() => lease.throwIfLost()).toThrow(/deadline passed/)
  })

  it('survives a coordinator that swallows a renewal and says nothing', async () => {
    const lease = await acquire()
    let renewals = 0
    store.fault = (kind) =>
      kind === 'renew' && ++renewals === 1 ? { kind: 'delayed', queuedMs: 25_000 } : undefined
    await clock.advance(12_000)
    expect(renewals).toBeGreaterThan(1)
    expect(lease.held).toBe(true)
    expect((await store.read('job')).cells?.owner).toBe(lease.owner)
  })

  it('learns at its next renewal that it was killed', async () => {
    const lease = await acquire()
    await clock.run(new Operator(leases.protocol).kill({ name: 'job', owner: lease.owner }))
    await clock.run(leases.protocol.tryAcquire('job', { owner: 'the next one' }))
    expect(lease.held).toBe(true)
    await clock.advance(3_000)
    expect(reasonOf(lease)).toBe('not-holder')
    expect((lease.signal.reason as LeaseLostError).holder).toBe('the next one')
  })

  it('knows at once after a suspend, before any timer has fired', async () => {
    const lease = await acquire()
    clock.suspend(60_000)
    expect(lease.held).toBe(false)
    expect(() => lease.token).toThrow(LeaseLostError)
    expect(lease.signal.aborted).toBe(true)
    expect(lease.remainingMs).toBe(0)
  })

  it('knows at once after a stalled event loop', async () => {
    const lease = await acquire()
    // Time has passed, and no timer has been given its turn.
    const now = clock.now()
    clock.now = () => ({ monotonicMs: now.monotonicMs + 10_000, wallMs: now.wallMs + 10_000 })
    expect(() => lease.throwIfLost()).toThrow(/deadline/)
  })

  it('writes another value at once, which renews it', async () => {
    const lease = await acquire()
    await clock.advance(1_000)
    const before = lease.deadlineMs
    await clock.run(lease.update('half way'))
    expect(lease.value).toBe('half way')
    expect(lease.deadlineMs).toBe(before + 1_000)
    await clock.advance(30_000)
    expect((await store.read('job')).cells?.value).toBe('half way')
  })

  it('writes values one after another, in the order in which it was asked to', async () => {
    const lease = await acquire('job', { value: '0' })
    const { renew } = store
    let underWay = 0
    store.renew = async (write) => {
      expect(++underWay).toBe(1)
      await clock.sleep(100)
      const answer = await renew.call(store, write)
      underWay--
      return answer
    }
    const updates = [lease.update('1'), lease.update('2')]
    // The first is answered, the second is on its way.
    await clock.advance(150)
    updates.push(lease.update('3'))
    await clock.run(Promise.all(updates))
    expect(lease.value).toBe('3')
    expect((await store.read('job')).cells?.value).toBe('3')
  })

  it.each([
    ['was written before', undefined, 'v'],
    ['an update without an answer wants', 'wanted', 'wanted'],
  ])('renews with the value that %s, after an update that was refused', async (_, unanswered, expected) => {
    leases = new Leases({
      store,
      clock,
      timer: clock,
      random: () => 0.5,
      maxClockSkewMs: 100,
      defaultTtlSeconds: 60,
      settleMs: 1_000,
    })
    const lease = await acquire('job', { value: 'v' })
    if (unanswered !== undefined) {
      store.fault = (kind) =>
        kind === 'renew' ? { kind: 'lost', applied: false, finality: 'never' } : undefined
      await expect(clock.run(lease.update(unanswered))).rejects.toMatchObject({ code: 'outcome-unknown' })
      store.fault = () => undefined
    }
    const { renew } = store
    store.renew = async (write) => {
      if (write.value === 'refused') throw new StoreRefusedError('too large')
      return renew.call(store, write)
    }
    await expect(clock.run(lease.update('refused'))).rejects.toMatchObject({ code: 'store-refused' })
    await clock.advance(90_000)
    expect([lease.held, (await store.read('job')).cells?.value]).toEqual([true, expected])
  })

  it('is released once, and nothing is renewed after that', async () => {
    const lease = await acquire()
    const [first, second] = await clock.run(Promise.all([lease.release(), lease.release()]))
    expect(first).toBe(second)
    expect(reasonOf(lease)).toBe('released')
    const sent = store.sent
    await clock.advance(60_000)
    expect(store.sent).toBe(sent)
    await expect(clock.run(lease.update('late'))).rejects.toMatchObject({ code: 'lease-lost' })
  })

  it('goes with its block, and an unknown release hides no error of it', async () => {
    store.fault = (kind) =>
      kind === 'release' ? { kind: 'lost', applied: false, finality: 'never' } : undefined
    const block = async () => {
      await using lease = await leases.acquire('job')
      expect(lease.held).toBe(true)
      throw new Error('of the block')
    }
    await expect(clock.run(block())).rejects.toThrow('of the block')
    store.fault = () => undefined
  })

  it('shares its timer with a thousand others, and all of them stay', async () => {
    const many = await clock.run(
      Promise.all(Array.from({ length: 1_000 }, (_, i) => leases.acquire(`many/${i}`))),
    )
    await clock.advance(30_000)
    expect(many.every((lease) => lease.held)).toBe(true)
    expect(await clock.run(leases.close())).toEqual([])
    expect((await leases.protocol.page({ limit: 10 })).leases).toEqual([])
  })

  it('is refused in a table without an owner column, before anything is there', async () => {
    const ownerless = new MemoryLeaseStore(clock, { owner: false, value: false })
    await expect(new Leases({ store: ownerless, clock, timer: clock }).acquire('job')).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    expect(ownerless.sent).toBe(0)
  })

  it.each([
    [5, /5 s is too short to be kept alive: 6 s or more .* Paxos v2/],
    [0.5, /whole number/],
  ])('refuses a TTL of %s s', async (ttlSeconds, sentence) => {
    await expect(leases.acquire('job', { ttlSeconds })).rejects.toThrow(sentence)
  })
})

describe('waiting', () => {
  it('says who holds it when it may not wait', async () => {
    await clock.run(leases.protocol.tryAcquire('job', { owner: 'rival' }))
    await expect(clock.run(leases.acquire('job', { waitMs: 0 }))).rejects.toMatchObject({
      code: 'lease-held',
      holder: 'rival',
    })
    expect(await clock.run(leases.tryAcquire('job'))).toEqual({ kind: 'held', owner: 'rival' })
  })

  it('takes over within 50 ms of the expiry', async () => {
    const rival = await clock.run(leases.protocol.tryAcquire('job', { owner: 'rival', ttlSeconds: 10 }))
    const expiresAtMs = rival.kind === 'acquired' ? (rival.seen?.expiresAtMs ?? 0) : 0
    const lease = await acquire('job', { waitMs: 30_000 })
    expect(lease.held).toBe(true)
    expect(clock.now().wallMs - expiresAtMs).toBeGreaterThanOrEqual(0)
    expect(clock.now().wallMs - expiresAtMs).toBeLessThanOrEqual(50)
  })

  it('notices an early release by a hint, and tries', async () => {
    await clock.run(leases.protocol.tryAcquire('job', { owner: 'rival', ttlSeconds: 600 }))
    const waiting = leases.acquire('job', { waitMs: 60_000 })
    await clock.advance(5_000)
    store.plain.deleteIfOwner('job', 'rival')
    const releasedAtMs = clock.now().wallMs
    const lease = await clock.run(waiting)
    expect(lease.held).toBe(true)
    expect(clock.now().wallMs - releasedAtMs).toBeLessThanOrEqual(300)
  })

  it('does not disturb a holder that goes on renewing, and gives up in time', async () => {
    const holder = await acquire('job')
    let tries = 0
    store.fault = (kind) => {
      if (kind === 'acquire') tries++
      return undefined
    }
    const started = clock.now().monotonicMs
    await expect(clock.run(leases.acquire('job', { waitMs: 45_000 }))).rejects.toMatchObject({
      code: 'lease-held',
      holder: holder.owner,
    })
    expect(clock.now().monotonicMs - started).toBeLessThan(46_000)
    // The first try; then it reads.
    expect(tries).toBe(1)
  })

  it('ends with the signal, and leaves nothing behind', async () => {
    await clock.run(leases.protocol.tryAcquire('job', { owner: 'rival', ttlSeconds: 20 }))
    const stop = new AbortController()
    const waiting = leases.acquire('job', { waitMs: 60_000, signal: stop.signal })
    const ended = expect(waiting).rejects.toThrow('enough')
    await clock.advance(3_000)
    stop.abort(new Error('enough'))
    await ended
    await clock.advance(60_000)
    expect(await leases.protocol.read('job')).toBeNull()
  })

  it('releases what was acquired in the moment of giving up', async () => {
    const stop = new AbortController()
    const { acquire: send } = store
    store.acquire = async (write) => {
      const answer = await send.call(store, write)
      stop.abort(new Error('too late'))
      return answer
    }
    await expect(clock.run(leases.acquire('job', { signal: stop.signal }))).rejects.toThrow('too late')
    expect(await leases.protocol.read('job')).toBeNull()
  })
})
