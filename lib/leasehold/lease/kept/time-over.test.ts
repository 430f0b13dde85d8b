/** Where time ends a wait or a lease: what is said then, and what close does with it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Operator } from '../../operator/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../testing/index.ts'
import type { Clock } from '../../time/index.ts'
import { Leases } from '../index.ts'
import type { LeaseEvents } from './lease-events.ts'

let clock: FakeClock
let store: MemoryLeaseStore
const make = (more: { clock?: Clock; events?: LeaseEvents; settleMs?: number } = {}) =>
  new Leases({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 600,
    ...more,
  })
const owner = async (name = 'job') => (await store.read(name)).cells?.owner ?? null

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
})

describe('a wait whose every try was answered', () => {
  it('is not called unknown because a read was slow when its time was over', async () => {
    await clock.run(make().acquire('job'))
    const read = store.read.bind(store)
    // As a server behind HttpLeaseStore, whose reads may take 10 s, hints 11 s.
    let slow = false
    store.read = async (name) => {
      if (slow) await clock.sleep(9_000)
      return read(name)
    }
    store.readWritten = undefined as never
    store.hint = async () => {
      if (slow) await clock.sleep(9_000)
      return null
    }
    const leases = make()
    const waiting = leases.acquire('job', { waitMs: 2_000 }).then(
      () => 'acquired',
      (thrown: { code: string; message: string }) => thrown,
    )
    await clock.advance(50)
    slow = true
    const thrown = (await clock.run(waiting)) as { code: string; message: string }
    // Each acquire that was sent was answered "held": nothing can still appear.
    expect(thrown.code).not.toBe('outcome-unknown')
  })
})

describe('an acquisition that was won', () => {
  it.each([false, true])(
    'is unknown while its token is being read, refused before: %s',
    async (isRefused) => {
      const read = store.read.bind(store)
      store.readWritten = async (name) => {
        await clock.sleep(9_000)
        return read(name)
      }
      const acquire = store.acquire.bind(store)
      let refusals = isRefused ? 1 : 0
      store.acquire = async (write) =>
        refusals-- > 0 ? { applied: false, found: { owner: 'rival' } } : acquire(write)
      const waiting = make().acquire('job', { waitMs: isRefused ? 2_000 : 0 })
      const thrown = waiting.catch(({ code }: { code: string }) => code)
      expect(await clock.run(thrown)).toBe('outcome-unknown')
      await clock.advance(20_000)
      expect(await owner()).toBeNull()
    },
  )
})

describe('a wall clock that is set forward', () => {
  const stepped = () => {
    let aheadMs = 0
    const own: Clock = {
      now: () => {
        const { monotonicMs, wallMs } = clock.now()
        return { monotonicMs, wallMs: wallMs + aheadMs }
      },
    }
    return {
      own,
      step: (ms: number) => {
        aheadMs += ms
      },
    }
  }

  it('does not keep close from releasing the row of the lease that it ended', async () => {
    const { own, step } = stepped()
    const leases = make({ clock: own })
    const lease = await clock.run(leases.acquire('job'))
    step(3_600_000)
    // Keep-alive notices.
    await clock.advance(300_000)
    expect([lease.held, lease.lossReason]).toEqual([false, 'deadline'])
    expect(await owner()).toBe(lease.owner)
    await clock.run(leases.close())
    expect(await owner()).toBeNull()
  })

  it('does not let close leave out a lease whose release is unknown and whose row stands', async () => {
    const { own, step } = stepped()
    const leases = make({ clock: own })
    const lease = await clock.run(leases.acquire('job'))
    store.fault = (kind) =>
      kind === 'release' ? { kind: 'lost', applied: false, finality: 'never' } : undefined
    const unsettled = lease.release().catch(() => {})
    await clock.run(unsettled)
    step(3_600_000)
    expect(await owner()).toBe(lease.owner)
    expect(await clock.run(leases.close())).toEqual([lease])
  })
})

describe('the history', () => {
  it('gets no renewal of a lease after its end', async () => {
    const reported: string[] = []
    const events: LeaseEvents = {
      acquired: () => reported.push('acquired'),
      renewed: () => reported.push('renewed'),
      ended: () => reported.push('ended'),
      left: () => reported.push('left'),
      flush: async () => {},
    }
    const leases = make({ events })
    const lease = await clock.run(leases.acquire('job'))
    // Applied at once, and its answer comes after that of the release.
    store.fault = (kind) => (kind === 'renew' ? { kind: 'delayed', answerMs: 900 } : undefined)
    const updating = lease.update('x').catch(() => {})
    await clock.advance(10)
    await clock.run(lease.release())
    await clock.advance(2_000)
    await updating
    expect(reported).toEqual(['acquired', 'ended'])
  })
})

describe('an operator', () => {
  it('who kills a lease without a name gets an InvalidArgumentError, as with break and ask', async () => {
    const operator = new Operator(make())
    await expect(operator.kill({ name: '', owner: 'a' })).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})

describe('close', () => {
  it('waits for waitMs in all, and not once more for the history', async () => {
    const events: LeaseEvents = {
      acquired: () => {},
      renewed: () => {},
      ended: () => {},
      left: () => {},
      flush: () => new Promise(() => {}),
    }
    const leases = make({ events })
    await clock.run(leases.acquire('job'))
    store.fault = (kind) => (kind === 'release' ? { kind: 'delayed', answerMs: 60_000 } : undefined)
    const startedMs = clock.now().monotonicMs
    await clock.run(leases.close({ waitMs: 2_000 }))
    expect(clock.now().monotonicMs - startedMs).toBe(2_000)
  })
})

describe('a ticket', () => {
  it('has an owner that begins with the ownerPrefix, as the owners of leases do', async () => {
    const tickets = new MemoryTicketStore(clock)
    const options = { store, tickets, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 }
    await clock.run(new Leases(options).acquire('job', { ttlSeconds: 600 }))
    const waiter = new Leases({ ...options, ownerPrefix: 'billing@' })
    const abort = new AbortController()
    const waiting = waiter.acquire('job', { fair: true, signal: abort.signal }).catch(() => {})
    await clock.advance(500)
    const [ticket] = tickets.queue('job')
    abort.abort()
    await waiting
    expect(ticket?.owner).toMatch(/^billing@/)
  })
})
