/** `close` ends all waiting, and nothing is acquired after it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Election } from '../../election/index.ts'
import { Locks } from '../../lock/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../testing/index.ts'
import { Leases } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore
let leases: Leases
const make = () =>
  new Leases({
    store,
    tickets,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 60,
  })

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  tickets = new MemoryTicketStore(clock)
  leases = make()
})
const owner = async () => (await store.read('job')).cells?.owner ?? null

describe('a wait under way', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['acquire', () => leases.acquire('job')],
    ['acquire, fair', () => leases.acquire('job', { fair: true })],
    ['lock', () => new Locks(leases).lock('job', { waitMs: 600_000 })],
    ['withLock', () => new Locks(leases).withLock('job', async () => expect.unreachable())],
    ['campaign', () => new Election({ leases, group: 'job' }).campaign()],
  ])('%s ends with a ClosedError', async (_what, wait) => {
    const rival = await clock.run(make().acquire('job'))
    const ended = expect(wait()).rejects.toMatchObject({ code: 'closed', retryable: false })
    await clock.advance(5_000)
    const closedAtMs = clock.now().monotonicMs
    const closed = leases.close()
    await clock.advance(0)
    await ended
    expect(clock.now().monotonicMs).toBe(closedAtMs)
    await clock.run(closed)
    // What it waited for is free now, and stays free.
    await clock.run(rival.release())
    const { sent } = store
    await clock.advance(60_000)
    expect(store.sent).toBe(sent)
    expect(await owner()).toBeNull()
    expect(tickets.queue('job')).toEqual([])
  })
})

it.each([
  ['has been applied, and its answer is under way', { queuedMs: 500, answerMs: 500 }],
  ['is applied after the closing began', { queuedMs: 1_000, answerMs: 500 }],
])('a try that %s is released before closing ends', async (_when, delay) => {
  store.fault = (kind) => (kind === 'acquire' ? { kind: 'delayed', ...delay } : undefined)
  const ended = expect(leases.acquire('job')).rejects.toMatchObject({ code: 'closed' })
  await clock.advance(600)
  const closed = leases.close()
  await clock.advance(0)
  await ended
  await clock.run(closed)
  expect(clock.now().monotonicMs).toBeLessThan(3_000)
  expect(await owner()).toBeNull()
})

it('nothing begins after it', async () => {
  await clock.run(leases.close())
  const elected = new Election({ leases, group: 'job' })
  const locks = new Locks(leases)
  const closed = { code: 'closed' }
  await expect(leases.acquire('job')).rejects.toMatchObject(closed)
  await expect(leases.tryAcquire('job')).rejects.toMatchObject(closed)
  await expect(locks.withLock('job', async () => {})).rejects.toMatchObject(closed)
  await expect(elected.campaign()).rejects.toMatchObject(closed)
  await expect(elected.lead(async () => {})).resolves.toBeUndefined()
  expect(store.sent).toBe(0)
})

it('releases what is held, says what it could not release, and does not wait for ever', async () => {
  const [one, two] = await clock.run(Promise.all([leases.acquire('one'), leases.acquire('two')]))
  store.fault = (kind, name) =>
    kind === 'release' && name === 'two' ? { kind: 'delayed', answerMs: 60_000 } : undefined
  const started = clock.now().monotonicMs
  expect(await clock.run(leases.close({ waitMs: 2_000 }))).toEqual([two])
  expect(clock.now().monotonicMs - started).toBe(2_000)
  expect([one.held, two.held]).toEqual([false, false])
})

it('neither releases nor names a lease that another owner took: its row is that owner’s', async () => {
  const lease = await clock.run(leases.acquire('job'))
  expect(store.plain.deleteIfOwner('job', lease.owner)).toBe(true)
  store.plain.insertIfNotExists('job', 'next', null, 600)
  await clock.advance(30_000)
  expect(lease.lossReason).toBe('not-holder')
  const kinds: string[] = []
  store.fault = (kind) => void kinds.push(kind)
  expect(await clock.run(leases.close())).toEqual([])
  expect(kinds).toEqual([])
})

it('makes no try for a caller that left while it looked at the queue', async () => {
  // It gave the name up a moment ago, so that it looks at the queue before it tries again.
  await clock.run((await clock.run(leases.acquire('job'))).release())
  const { first } = tickets
  tickets.first = async (...of) => {
    await clock.sleep(200)
    return first.apply(tickets, of)
  }
  const abort = new AbortController()
  const ended = expect(leases.acquire('job', { signal: abort.signal })).rejects.toThrow('given up')
  await clock.advance(100)
  abort.abort(new Error('given up'))
  await ended
  const { sent } = store
  await clock.advance(1_000)
  expect(store.sent).toBe(sent)
})

it('looks for the ghost of a caller that left once a second, and not twice', async () => {
  store.fault = (kind) => {
    if (kind === 'acquire') return { kind: 'late', afterMs: 10_500 }
    return undefined
  }
  const abort = new AbortController()
  const ended = expect(leases.acquire('job', { signal: abort.signal })).rejects.toThrow('given up')
  await clock.advance(1)
  abort.abort(new Error('given up'))
  await ended
  let reads = 0
  store.fault = (kind) => {
    if (kind === 'read') reads++
    return undefined
  }
  await clock.advance(10_000)
  expect(reads).toBeLessThanOrEqual(11)
  await clock.advance(2_000)
  expect(await owner()).toBeNull()
})

it.each([1, 5])('goes on looking for a ghost after %i of its releases were not sent', async (failing) => {
  let unavailable = failing
  store.fault = (kind) => {
    if (kind === 'acquire') return { kind: 'late', afterMs: 8_000 }
    return kind === 'release' && unavailable-- > 0 ? { kind: 'unavailable' } : undefined
  }
  const abort = new AbortController()
  const ended = expect(leases.acquire('job', { signal: abort.signal })).rejects.toThrow('given up')
  await clock.advance(1)
  abort.abort(new Error('given up'))
  await ended
  await clock.advance(8_000)
  expect(await owner()).not.toBeNull()
  await clock.advance(8_000)
  expect(await owner()).toBeNull()
})

it('releases what is acquired in the same turn of the event loop in which it begins to close', async () => {
  for (let turns = 0; turns < 30; turns++) {
    const clock = new FakeClock(Date.UTC(2026, 0, 1))
    const store = new MemoryLeaseStore(clock)
    const leases = new Leases({
      store,
      clock,
      timer: clock,
      random: () => 0.5,
      maxClockSkewMs: 100,
      defaultTtlSeconds: 10,
    })
    const got: { held: boolean }[] = []
    const one = leases.acquire('a').then(() => leases.close())
    const two = (async () => {
      for (let i = 0; i < turns; i++) await null
      got.push(await leases.acquire('b'))
    })().catch(() => {})
    await clock.run(Promise.all([one, two]))
    await clock.advance(60_000)
    expect(got[0]?.held ?? false).toBe(false)
    expect((await store.read('b')).cells?.owner ?? null).toBeNull()
  }
})

it('waits for work under a lock, and releases the lock when it has settled', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const store = new MemoryLeaseStore(clock)
  const options = {
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
  }
  const leases = new Leases(options)
  const events: string[] = []
  const working = new Locks(leases).withLock('job', async (lease) => {
    await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
    await clock.sleep(500)
    events.push(`${(lease.signal.reason as Error).name}, held: ${lease.held}`)
  })
  await clock.advance(100)
  const next = new Leases(options).acquire('job').then(() => events.push('next'))
  await clock.run(Promise.all([leases.close(), working, next]))
  expect(events).toEqual(['ClosedError, held: true', 'next'])
})

it.each(['withLock', 'lead'])(
  '%s: work begins only while the lease is held, also when its leases close in that turn',
  async (how) => {
    const begunLate: number[] = []
    for (let turns = 0; turns < 40; turns++) {
      clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
      store = new MemoryLeaseStore(clock)
      leases = make()
      const read = store.read.bind(store)
      let isFirst = true
      // The read of the token: the lease is handed out some turns of the queue later.
      store.read = async (name) => {
        const answer = await read(name)
        if (isFirst) void closeAfter(turns)
        isFirst = false
        return answer
      }
      let heldAtStart: boolean | undefined
      const work = async ({ held }: { held: boolean }) => {
        heldAtStart ??= held
      }
      const done =
        how === 'withLock'
          ? new Locks(leases).withLock('job', work)
          : new Election({ leases, group: 'job' }).lead(work)
      const ended = done.catch(() => {})
      await clock.advance(20_000)
      await ended
      if (heldAtStart === false) begunLate.push(turns)
    }
    expect(begunLate).toEqual([])
  },
)

it.each(['withLock', 'lead'])(
  '%s: work that closes the leases as its first act keeps its lease until it has settled',
  async (how) => {
    const held: boolean[] = []
    let closing: Promise<unknown> | undefined
    const work = async (lease: { held: boolean }) => {
      closing = leases.close()
      await clock.sleep(500)
      held.push(lease.held, (await owner()) !== null)
    }
    const done =
      how === 'withLock'
        ? new Locks(leases).withLock('job', work)
        : new Election({ leases, group: 'job' }).lead(work)
    await clock.run(done)
    await clock.run(Promise.resolve(closing))
    expect(held).toEqual([true, true])
    expect(await owner()).toBeNull()
  },
)

async function closeAfter(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await undefined
  void leases.close()
}

describe.each(['never', 'read'] as const)('a renewal without an answer, of finality %s', (finality) => {
  /** Lost at its deadline; its row stands, because its last renewals were applied. */
  async function lapsed() {
    const lease = await clock.run(leases.acquire('job'))
    store.fault = (kind) => (kind === 'renew' ? { kind: 'lost', applied: true, finality } : undefined)
    await clock.advance(70_000)
    expect([lease.held, lease.lossReason, await owner()]).toEqual([false, 'deadline', lease.owner])
    return lease
  }

  it('leaves a row that closing releases, though the lease is lost', async () => {
    await lapsed()
    expect(await clock.run(leases.close())).toEqual([])
    expect(await owner()).toBeNull()
  })

  it('leaves a row that closing names where it cannot release it', async () => {
    const lease = await lapsed()
    store.fault = (kind) => (kind === 'release' ? { kind: 'unavailable' } : undefined)
    expect(await clock.run(leases.close())).toEqual([lease])
    expect(await owner()).toBe(lease.owner)
  })

  it('leaves a row that closing names after the holder could not release it', async () => {
    const lease = await lapsed()
    store.fault = (kind) => (kind === 'release' ? { kind: 'unavailable' } : undefined)
    await expect(clock.run(lease.release())).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(await clock.run(leases.close())).toEqual([lease])
  })

  it('leaves nothing to release once the row has surely expired', async () => {
    const lease = await lapsed()
    await clock.advance(150_000)
    expect(await owner()).toBeNull()
    store.fault = (kind) => (kind === 'release' ? { kind: 'unavailable' } : undefined)
    const { sent } = store
    expect(await clock.run(leases.close())).toEqual([])
    expect([lease.held, store.sent]).toEqual([false, sent])
  })
})

it('releases a lease whose last renewal was answered after its deadline', async () => {
  const lease = await clock.run(leases.acquire('job'))
  const deadlineMs = lease.deadlineMs
  store.fault = (kind) => {
    if (kind !== 'renew') return undefined
    const isLast = deadlineMs - clock.now().monotonicMs < 900
    return isLast ? { kind: 'delayed', answerMs: 950 } : { kind: 'unavailable' }
  }
  await clock.advance(65_000)
  expect([lease.lossReason, await owner()]).toEqual(['deadline', lease.owner])
  expect(await clock.run(leases.close())).toEqual([])
  expect(await owner()).toBeNull()
})

describe('a row that stands for longer than its deadline tells, because its statement started late', () => {
  const unavailable = (...kinds: string[]) => {
    store.fault = (kind) => (kinds.includes(kind) ? { kind: 'unavailable' } : undefined)
  }
  /** Held until its deadline, which no renewal moves; then its row stands for two seconds more. */
  async function lapsed() {
    store.fault = (kind) => (kind === 'acquire' ? { kind: 'delayed', queuedMs: 2_500 } : undefined)
    const lease = await clock.run(leases.acquire('job'))
    unavailable('renew')
    await clock.advance(58_900 + 1_500 - clock.now().monotonicMs)
    expect([lease.lossReason, await owner()]).toEqual(['deadline', lease.owner])
    return lease
  }

  it('is released by closing', async () => {
    await lapsed()
    unavailable('renew')
    expect(await clock.run(leases.close())).toEqual([])
    expect(await owner()).toBeNull()
  })

  it('is named by closing where it cannot be released', async () => {
    const lease = await lapsed()
    unavailable('renew', 'release')
    await expect(clock.run(lease.release())).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(await clock.run(leases.close({ waitMs: 100 }))).toEqual([lease])
    expect(await owner()).toBe(lease.owner)
  })

  it('because a renewal that was given up was applied late, is released too', async () => {
    const lease = await clock.run(leases.acquire('job'))
    let renewals = 0
    store.fault = (kind) => {
      if (kind !== 'renew') return undefined
      return ++renewals === 1 ? { kind: 'delayed', queuedMs: 30_000 } : { kind: 'unavailable' }
    }
    // Longer than its TTL after the send of that renewal, and shorter after it was applied.
    await clock.advance(90_000)
    expect([lease.lossReason, await owner()]).toEqual(['deadline', lease.owner])
    unavailable('renew')
    expect(await clock.run(leases.close())).toEqual([])
    expect(await owner()).toBeNull()
  })

  it('because its coordinator was ahead of the others, is released too', async () => {
    await clock.advance(700)
    // Its statement starts in the next second, by the clock of that coordinator.
    store.skewMs = () => 100
    const lease = await clock.run(leases.acquire('job'))
    store.skewMs = () => 0
    unavailable('renew')
    await clock.advance(60_020)
    expect([lease.lossReason, await owner()]).toEqual(['deadline', lease.owner])
    expect(await clock.run(leases.close())).toEqual([])
    expect(await owner()).toBeNull()
  })

  it('over a server, whose tries start up to the contention limit before its answer, is released too', async () => {
    Object.assign(store, { repeats: true, paxosVariant: 'v1' })
    const held = await clock.run(leases.acquire('job'))
    // One renewal, from whose answer the row lives; its deadline counts from 6 s before it was sent.
    await clock.advance(25_000)
    unavailable('renew')
    while (held.held) await clock.advance(100)
    await clock.advance(2_000)
    expect([held.lossReason, await owner()]).toEqual(['deadline', held.owner])
    store.fault = () => undefined
    expect(await clock.run(leases.close())).toEqual([])
    expect(await owner()).toBeNull()
  })
})
