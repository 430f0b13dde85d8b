/** Fair locks on stores in memory: processes that crash, answers that are lost, and time that a test owns. */

import { beforeEach, describe, expect, it } from 'vitest'
import { Locks } from '../../../lock/index.ts'
import { Operator } from '../../../operator/index.ts'
import {
  FakeClock,
  MemoryLeaseStore,
  MemoryTicketStore,
  ticketContract,
  timerOver,
} from '../../../testing/index.ts'
import { type HoldOptions, isLeaseholdError, LeaseProtocol, Leases } from '../../index.ts'
import { pauseBetweenLooksMs } from './ticket-queue.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore
/** Who was inside, in order. */
let served: number[]
let inside: number
let conditional: number

/** A process of its own; a crashed one does nothing any more. `clockAheadMs`: what its wall clock is ahead. */
function process_(clockAheadMs = 0) {
  let crashed = false
  const alive = async <T>(answer: Promise<T>): Promise<T> => {
    await answer.catch(() => {})
    return crashed ? new Promise<never>(() => {}) : answer
  }
  const gate = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, key) => {
        const member = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => (crashed ? new Promise(() => {}) : alive(member.apply(target, args)))
      },
    })
  const leases = new Leases({
    store: gate(store),
    clock: {
      now: () => ({ monotonicMs: clock.now().monotonicMs, wallMs: clock.now().wallMs + clockAheadMs }),
    },
    timer: timerOver((ms, signal) => alive(clock.sleep(ms, signal))),
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
    tickets: gate(tickets),
  })
  const crash = () => {
    crashed = true
  }
  return { locks: new Locks(leases), crash }
}

const fair: HoldOptions = { fair: true, waitMs: 120_000 }

const enter = (locks: Locks, who: number, options: HoldOptions = fair) =>
  locks.withLock('job', options, async () => {
    expect(++inside).toBe(1)
    served.push(who)
    await clock.sleep(50)
    inside--
  })

/** As `lock`; that another process holds it is an outcome. */
const waited = (locks: Locks, options: HoldOptions) =>
  locks.lock('job', options).then(
    (lease) => ({ kind: 'acquired' as const, lease }),
    (thrown) => {
      if (isLeaseholdError(thrown, 'lease-held')) return { kind: 'held' as const, owner: thrown.holder }
      throw thrown
    },
  )

/** A process holds the lock, and `count` processes come to wait for it, 10 ms apart. */
async function queued(count: number) {
  const holder = await clock.run(process_().locks.lock('job'))
  const waiters = Array.from({ length: count }, () => process_())
  const waiting: Promise<void>[] = []
  for (const [who, { locks }] of waiters.entries()) {
    waiting.push(enter(locks, who))
    await clock.advance(10)
  }
  expect(tickets.queue('job')).toHaveLength(count)
  return { holder, waiters, waiting }
}

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 444)
  store = new MemoryLeaseStore(clock)
  tickets = new MemoryTicketStore(clock)
  served = []
  inside = 0
  conditional = 0
  store.fault = (kind) => {
    if (kind === 'acquire' || kind === 'release' || kind === 'renew') conditional++
    return undefined
  }
})

describe('a fair lock', () => {
  it('serves thirty waiters in their order, at two conditional writes a hand-over', async () => {
    const { holder, waiting } = await queued(30)
    conditional = 0
    await clock.run(Promise.all([holder.release(), ...waiting]))
    expect(served).toEqual(Array.from({ length: 30 }, (_, who) => who))
    // The holder's release, and an acquisition and a release by each; no try was in vain.
    expect(conditional).toBe(61)
    expect(tickets.queue('job')).toEqual([])
  })

  it('asks the queue for no more than 17 tickets, and begins past those who were served', async () => {
    const { holder, waiting } = await queued(30)
    const asked: { from: bigint; limit: number }[] = []
    const { first } = tickets
    tickets.first = (name, from, limit) => {
      asked.push({ from, limit })
      return first.call(tickets, name, from, limit)
    }
    const begun = BigInt(Math.floor(clock.now().wallMs)) * 1000n
    await clock.advance(5_000)
    await clock.run(Promise.all([holder.release(), ...waiting]))
    expect(Math.max(...asked.map(({ limit }) => limit))).toBe(17)
    // Each process remembers for itself: the last waiter has seen the queue move on.
    expect(asked.at(-1)?.from).toBeGreaterThan(begun - 3_000_000n)
  })

  it('keeps the tickets of those who wait for longer than a ticket lives', async () => {
    const { holder, waiting } = await queued(3)
    await clock.advance(60_000)
    expect(tickets.queue('job')).toHaveLength(3)
    await clock.run(Promise.all([holder.release(), ...waiting]))
    expect(served).toEqual([0, 1, 2])
  })

  it('goes on one ticket TTL after the first in line crashed, and not before', async () => {
    const { holder, waiters, waiting } = await queued(3)
    waiters[0]?.crash()
    await clock.run(holder.release())
    const released = clock.now().monotonicMs
    await clock.advance(1_500)
    expect(served).toEqual([])
    await clock.run(Promise.all(waiting.slice(1)))
    expect(served).toEqual([1, 2])
    expect(clock.now().monotonicMs - released).toBeLessThan(7_500)
  })

  it('is not held up by a crash in the middle, once its ticket has expired', async () => {
    const { holder, waiters, waiting } = await queued(4)
    waiters[2]?.crash()
    await clock.advance(7_000)
    const released = clock.now().monotonicMs
    await clock.run(Promise.all([holder.release(), waiting[0], waiting[1], waiting[3]]))
    expect(served).toEqual([0, 1, 3])
    expect(clock.now().monotonicMs - released).toBeLessThan(1_000)
  })

  it('is empty after one ticket TTL when all of its waiters have crashed', async () => {
    const { holder, waiters } = await queued(5)
    for (const { crash } of waiters) crash()
    await clock.advance(6_000)
    expect(tickets.queue('job')).toEqual([])
    await clock.run(Promise.all([holder.release(), enter(process_().locks, 9)]))
    expect(served).toEqual([9])
  })

  it('leaves nothing behind when a waiter is aborted or its time is over', async () => {
    const holder = await clock.run(process_().locks.lock('job'))
    const abort = new AbortController()
    const aborted = process_().locks.lock('job', { ...fair, signal: abort.signal })
    const late = waited(process_().locks, { fair: true, waitMs: 700 })
    const rejected = expect(aborted).rejects.toThrow('enough')
    await clock.advance(100)
    expect(tickets.queue('job')).toHaveLength(2)
    abort.abort(new Error('enough'))
    await clock.advance(1)
    await rejected
    expect(tickets.queue('job')).toHaveLength(1)
    expect(await clock.run(late)).toEqual({ kind: 'held', owner: holder.owner })
    expect(tickets.queue('job')).toEqual([])
    // They do not come back either: no process refreshes them.
    const { put } = tickets.sent
    await clock.advance(10_000)
    expect(tickets.sent.put).toBe(put)
    await clock.run(holder.release())
    expect((await store.read('job')).cells).toBeNull()
  })

  it('does not bring a ticket back by a refresh that lands after its removal', async () => {
    const holder = await clock.run(process_().locks.lock('job'))
    let refreshes = 0
    tickets.fault = (kind) =>
      kind === 'put' && refreshes++ > 0 ? { kind: 'late', afterMs: 3_000 } : undefined
    const waiting = waited(process_().locks, { fair: true, waitMs: 2_500 })
    await clock.run(waiting)
    expect(refreshes).toBe(2)
    await clock.advance(2_900)
    expect(tickets.queue('job')).toEqual([])
    await clock.run(holder.release())
  })

  it('lets the next in line wait for a ticket TTL, no longer, when removals are lost', async () => {
    const { holder, waiting } = await queued(2)
    tickets.fault = (kind) => (kind === 'remove' ? { kind: 'lost', applied: false } : undefined)
    await clock.run(Promise.all([holder.release(), ...waiting]))
    expect(served).toEqual([0, 1])
    await clock.advance(7_000)
    expect(tickets.queue('job')).toEqual([])
  })

  it('keeps its place, and looks again, when the queue could not be read', async () => {
    const { holder, waiting } = await queued(2)
    let failures = 0
    tickets.fault = (kind) =>
      kind === 'first' && failures++ < 5 ? { kind: 'lost', applied: false } : undefined
    const released = clock.now().monotonicMs
    await clock.run(Promise.all([holder.release(), ...waiting]))
    expect(served).toEqual([0, 1])
    expect(failures).toBeGreaterThan(5)
    expect(clock.now().monotonicMs - released).toBeLessThan(1_000)
  })

  it('says that the queue cannot be read, when that lasts until the waiting is over', async () => {
    tickets.fault = (kind) => (kind === 'first' ? { kind: 'lost', applied: false } : undefined)
    const waiting = waited(process_().locks, { fair: true, waitMs: 500 })
    await expect(clock.run(waiting)).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(tickets.queue('job')).toEqual([])
  })

  it('gives up in time, and removes its ticket as soon as that can be done', async () => {
    const holder = await clock.run(process_().locks.lock('job'))
    let removals = 0
    tickets.fault = (kind) =>
      kind === 'remove' && removals++ === 0 ? { kind: 'lost', applied: false } : undefined
    await clock.run(waited(process_().locks, { fair: true, waitMs: 500 }))
    expect(clock.now().monotonicMs).toBeLessThan(520)
    await clock.advance(250)
    expect(tickets.queue('job')).toEqual([])
    await clock.run(holder.release())
  })

  it('lets the work begin before the removal of its ticket is answered', async () => {
    tickets.remove = () => new Promise(() => {})
    await clock.run(enter(process_().locks, 1))
    expect(served).toEqual([1])
  })

  it('serves all waiters, one at a time, while every third answer about tickets is lost', async () => {
    const { holder, waiting } = await queued(8)
    let sent = 0
    tickets.fault = () => {
      sent++
      return sent % 3 === 0 ? { kind: 'lost', applied: sent % 2 === 0 } : undefined
    }
    await clock.run(Promise.all([holder.release(), ...waiting]))
    expect(served.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('never lets two in, although no waiter sees any ticket, and answers of the lease are lost', async () => {
    tickets.first = async () => []
    let sent = 0
    store.fault = (kind) => {
      if (kind !== 'acquire' && kind !== 'release') return undefined
      sent++
      if (sent % 5 === 0) return { kind: 'lost', applied: sent % 2 === 0, finality: 'read' }
      return sent % 7 === 0 ? { kind: 'late', afterMs: 400 } : undefined
    }
    const outcomes = await clock.run(
      Promise.allSettled(Array.from({ length: 12 }, (_, who) => enter(process_().locks, who))),
    )
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of failed) expect(isLeaseholdError(reason, 'outcome-unknown')).toBe(true)
    expect(served.length).toBeGreaterThanOrEqual(12 - failed.length)
    expect(served.length).toBeGreaterThan(3)
  })

  it('goes on when its try was not answered, and clears it away if it took effect', async () => {
    const { locks } = process_()
    let tries = 0
    let cut = true
    store.fault = (kind) => {
      if (kind === 'acquire' && ++tries === 1) return { kind: 'lost', applied: true, finality: 'never' }
      return cut && kind === 'read' ? { kind: 'unavailable' } : undefined
    }
    const waiting = locks.lock('job', fair)
    await clock.advance(30_000)
    cut = false
    const started = clock.now().monotonicMs
    const lease = await clock.run(waiting)
    expect(lease.held).toBe(true)
    // The ghost of the first try was let go, and no ticket is left.
    expect(clock.now().monotonicMs - started).toBeLessThan(5_000)
    await clock.run(lease.release())
    expect(tickets.queue('job')).toEqual([])
  })

  it('lets those who do not queue barge in, and keeps its order behind them', async () => {
    const { holder, waiting } = await queued(2)
    const barging = holder.release().then(() => enter(process_().locks, 99, { fair: false }))
    await clock.run(Promise.all([barging, ...waiting]))
    expect(served).toEqual([99, 0, 1])
  })

  it('orders by the waiters’ clocks: a waiter whose clock is ahead comes after all that arrive within that time', async () => {
    const holder = await clock.run(process_().locks.lock('job'))
    const ahead = enter(process_(500).locks, 1)
    await clock.advance(100)
    const soon = enter(process_().locks, 2)
    await clock.advance(1_000)
    const later = enter(process_().locks, 3)
    await clock.advance(100)
    await clock.run(Promise.all([holder.release(), ahead, soon, later]))
    expect(served).toEqual([2, 1, 3])
  })

  it('a waiter whose clock is behind by less than a second is seen by those that came before it, and goes first', async () => {
    const holder = await clock.run(process_().locks.lock('job'))
    const first = enter(process_().locks, 1)
    await clock.advance(200)
    const behind = process_(-900)
    void enter(behind.locks, 2)
    await clock.advance(100)
    // Its turn is not taken: only a waiter that sees its ticket waits until that has expired.
    behind.crash()
    await clock.run(holder.release())
    await clock.advance(2_000)
    expect(served).toEqual([])
    await clock.run(first)
    expect(served).toEqual([1])
  })
})

describe('the store of tickets in memory keeps the contract', () => {
  for (const { title, run } of ticketContract)
    it(title, () => clock.run(run({ store: tickets, name: 'job', wait: (ms) => clock.sleep(ms) })))
})

describe('one fair try', () => {
  it('acquires what is free, and says who holds it', async () => {
    const outcome = await clock.run(process_().locks.tryLock('job', { fair: true }))
    if (outcome.kind !== 'acquired') throw new Error('it was free')
    const other = await clock.run(process_().locks.tryLock('job', { fair: true }))
    expect(other).toEqual({ kind: 'held', owner: outcome.lease.owner })
    expect(tickets.sent.put).toBe(0)
    await clock.run(outcome.lease.release())
  })

  it('does not pass the waiters, even when the lock is free', async () => {
    const { holder, waiters } = await queued(1)
    waiters[0]?.crash()
    await clock.run(holder.release())
    conditional = 0
    expect(await clock.run(process_().locks.tryLock('job', { fair: true }))).toEqual({
      kind: 'held',
      owner: null,
      behindQueue: true,
    })
    expect(conditional).toBe(0)
  })
})

it('says what a fair lock needs, and refuses what a lease would refuse before it queues', async () => {
  const bare = new Locks(new Leases({ store, clock, timer: clock }))
  await expect(bare.lock('job', fair)).rejects.toThrow('make the leases with tickets')
  await expect(process_().locks.lock('', fair)).rejects.toMatchObject({ code: 'invalid-argument' })
  await expect(process_().locks.lock('job', { ...fair, ttlSeconds: 2 })).rejects.toThrow('too short')
  expect(tickets.sent.put).toBe(0)
})

it('looks away for longer the further back it stands and the longer nothing changed', () => {
  expect([0, 1, 2, 16].map((ahead) => pauseBetweenLooksMs(ahead, 0))).toEqual([5, 15, 30, 240])
  expect([0, 1, 2, 16].map((ahead) => pauseBetweenLooksMs(ahead, 60_000))).toEqual([100, 40, 80, 640])
  expect(pauseBetweenLooksMs(0, 400)).toBe(20)
})

it('is waited for through a quarantine: the first in line is in within an eighth of a second of its end', async () => {
  const [one, two] = [process_(), process_()]
  const held = await clock.run(one.locks.lock('job'))
  const waiting = two.locks.lock('job', fair)
  await clock.advance(1_000)
  const operator = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100 })
  const outcome = await new Operator(operator).break({ name: 'job', owner: held.owner }, { id: 'p' })
  if (outcome.kind !== 'broken') throw new Error(outcome.kind)
  const next = await clock.run(waiting)
  expect(clock.now().wallMs).toBeGreaterThanOrEqual(outcome.safeAtMs)
  expect(clock.now().wallMs - outcome.safeAtMs).toBeLessThan(125)
  expect(held.held).toBe(false)
  await clock.run(next.release())
})
