/** A holder that was asked to resign, and wants the lease again: a rival that waits comes first. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Election } from '../../election/index.ts'
import { Locks } from '../../lock/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryResignRequests, MemoryTicketStore } from '../../testing/index.ts'
import type { LeaseContext } from '../context.ts'
import { type Lease, Leases } from '../index.ts'
import { LeftNames } from './left-names.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore | undefined
let requests: MemoryResignRequests
let made: Leases[]

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  tickets = new MemoryTicketStore(clock)
  requests = new MemoryResignRequests(clock)
  made = []
})
afterEach(async () => {
  for (const leases of made) await clock.run(leases.close())
})

function process_(): Leases {
  const deps = { clock, timer: clock, random: () => 0.5 }
  const leases = new Leases({
    store,
    tickets,
    resignRequests: requests,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
    ...deps,
  })
  made.push(leases)
  return leases
}
const owner = async () => (await store.read('job')).cells?.owner ?? null
async function ask(): Promise<void> {
  const id = `r${requests.reads}`
  const request = {
    id,
    name: 'job',
    owner: (await owner()) as string,
    requestedBy: 'ana',
    reason: 'INC-2214',
  }
  await requests.ask({ ...request, requestedAtMs: clock.now().wallMs })
}
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })

/** One turn: holds until it is asked to go. */
const turns: Record<string, (leases: Leases, entered: () => void) => Promise<void>> = {
  acquire: async (leases, entered) => {
    await using lease = await leases.acquire('job')
    entered()
    await aborted(lease.signal)
  },
  withLock: (leases, entered) =>
    new Locks(leases).withLock('job', async ({ signal }) => {
      entered()
      await aborted(signal)
    }),
  campaign: async (leases, entered) => {
    await using leadership = await new Election({ leases, group: 'job' }).campaign()
    entered()
    await aborted(leadership.signal)
  },
}

/** Turn after turn, until its leases are closed. */
async function loop(leases: Leases, turn: string, entered: () => void): Promise<void> {
  for (;;) {
    try {
      await turns[turn]?.(leases, entered)
    } catch (thrown) {
      if ((thrown as { code?: string }).code === 'closed') return
      if ((thrown as { code?: string }).code !== 'lease-lost') throw thrown
    }
  }
}

describe.each(Object.keys(turns))('in a loop over %s', (turn) => {
  it.each([true, false])('waits for the rival, four times in a row (tickets: %s)', async (queued) => {
    if (!queued) tickets = undefined
    const order: string[] = []
    const loops = []
    for (const name of ['one', 'two']) {
      loops.push(loop(process_(), turn, () => order.push(name)))
      await clock.advance(1_000)
    }
    for (let round = 0; round < 4; round++) {
      await ask()
      // The next renewal, within three seconds, reads the request.
      await clock.advance(5_000)
    }
    expect(order).toEqual(['one', 'two', 'one', 'two', 'one'])
    for (const leases of made) await clock.run(leases.close())
    await Promise.all(loops)
  })

  it('is back after one TTL where no rival comes', async () => {
    const enteredAtMs: number[] = []
    const running = loop(process_(), turn, () => enteredAtMs.push(clock.now().monotonicMs))
    await clock.advance(1_000)
    await ask()
    await clock.advance(60_000)
    expect(enteredAtMs).toHaveLength(2)
    const awayMs = (enteredAtMs[1] as number) - (enteredAtMs[0] as number)
    expect(awayMs).toBeGreaterThan(10_000)
    expect(awayMs).toBeLessThan(14_500)
    for (const leases of made) await clock.run(leases.close())
    await running
  })
})

it('does not try in that time: held, by no owner', async () => {
  const leases = process_()
  const lease = await clock.run(leases.acquire('job'))
  await ask()
  await clock.run(aborted(lease.signal))
  await clock.advance(1_000)
  expect(await owner()).toBeNull()
  const { sent } = store
  expect(await clock.run(leases.tryAcquire('job'))).toEqual({ kind: 'held', owner: null })
  expect(await clock.run(new Locks(leases).tryLock('job'))).toEqual({ kind: 'held', owner: null })
  const elected = await clock.run(new Election({ leases, group: 'job' }).tryCampaign())
  expect(elected).toEqual({ kind: 'held', leader: null })
  // Three hints, and no conditional write.
  expect(store.sent - sent).toBe(3)
  expect(await clock.run(process_().tryAcquire('job'))).toMatchObject({ kind: 'acquired' })
})

it('stands back for one TTL from its release, and not from its next try', async () => {
  const leases = process_()
  const lease = await clock.run(leases.acquire('job'))
  await ask()
  await clock.run(aborted(lease.signal))
  await clock.advance(6_000)
  expect(await owner()).toBeNull()
  const began = clock.now().monotonicMs
  await clock.run(leases.acquire('job'))
  // Of ten seconds six have passed.
  expect(clock.now().monotonicMs - began).toBeLessThan(4_500)
})

it('stands back for one TTL after a holder that takes its time to go', async () => {
  const leases = process_()
  const lease = await clock.run(leases.acquire('job', { onResignRequested: () => {} }))
  await ask()
  await clock.advance(4_000)
  const waiting = leases.acquire('job')
  await clock.advance(20_000)
  expect(lease.held).toBe(true)
  await clock.run(lease.release())
  const released = clock.now().monotonicMs
  await clock.run(waiting)
  expect(clock.now().monotonicMs - released).toBeGreaterThan(9_000)
})

it('stands back for one TTL after a holder that lost the lease', async () => {
  const leases = process_()
  const lease = await clock.run(leases.acquire('job', { onResignRequested: () => {} }))
  await ask()
  await clock.advance(4_000)
  expect(store.plain.deleteIfOwner('job', lease.owner)).toBe(true)
  await clock.run(aborted(lease.signal))
  const began = clock.now().monotonicMs
  await clock.run(leases.acquire('job'))
  const awayMs = clock.now().monotonicMs - began
  expect(awayMs).toBeGreaterThan(9_000)
  expect(awayMs).toBeLessThan(14_500)
})

it('ends its standing back at once when the caller leaves', async () => {
  const leases = process_()
  const lease = await clock.run(leases.acquire('job'))
  await ask()
  await clock.run(aborted(lease.signal))
  const leaving = new AbortController()
  const waiting = leases.acquire('job', { signal: leaving.signal }).catch((thrown) => thrown.name)
  await clock.advance(1_000)
  leaving.abort()
  const began = clock.now().monotonicMs
  expect(await clock.run(waiting)).toBe('AbortError')
  expect(clock.now().monotonicMs - began).toBeLessThan(100)
  expect(await owner()).toBeNull()
})

describe('keeps no place in the queue before the rivals for which it stands back', () => {
  /** How long a rival waits that comes now, with `fair: true`. */
  async function rivalCameInAfterMs(): Promise<number> {
    const began = clock.now().monotonicMs
    const lease = await clock.run(process_().acquire('job', { fair: true, waitMs: 60_000 }))
    const tookMs = clock.now().monotonicMs - began
    await clock.run(lease.release())
    return tookMs
  }

  it('a caller that queues from the start', async () => {
    const leases = process_()
    const lease = await clock.run(leases.acquire('job'))
    await ask()
    await clock.run(aborted(lease.signal))
    const again = leases.acquire('job', { fair: true })
    await clock.advance(100)
    expect(await rivalCameInAfterMs()).toBeLessThan(1_000)
    await clock.run(again)
  })

  it('a caller that was in the queue when the request came', async () => {
    const leases = process_()
    const lease = await clock.run(leases.acquire('job'))
    const again = leases.acquire('job', { fair: true })
    await clock.advance(100)
    await ask()
    await clock.run(aborted(lease.signal))
    await clock.advance(100)
    expect(await rivalCameInAfterMs()).toBeLessThan(1_000)
    await clock.run(again)
  })
})

it('does not stand back where a rival came in, and went, while it stood behind that one in the queue', async () => {
  const leases = process_()
  const lease = await clock.run(leases.acquire('job'))
  const rival = process_().acquire('job', { fair: true })
  await clock.advance(100)
  const again = leases.acquire('job', { fair: true })
  await clock.advance(100)
  await ask()
  await clock.run(aborted(lease.signal))
  const rivals = await clock.run(rival)
  await clock.advance(2_000)
  await clock.run(rivals.release())
  const began = clock.now().monotonicMs
  await clock.run(again)
  expect(clock.now().monotonicMs - began).toBeLessThan(500)
})

describe('names that were left', () => {
  const leftNames = () => new LeftNames({ clock, timer: clock, store } as unknown as LeaseContext)

  it('are stood back from until a rival is seen that came after the request, not one from before', async () => {
    const names = leftNames()
    const before = clock.now()
    await clock.advance(1)
    names.asked({ name: 'job', owner: 'mine', ttlSeconds: 10, held: false } as Lease)
    names.sawHolder('job', 'earlier', before)
    names.sawHolder('job', 'mine', clock.now())
    expect(names.mustStandBack('job')).toBe(true)
    names.sawHolder('job', 'rival', clock.now())
    expect(names.mustStandBack('job')).toBe(false)
  })

  it('are looked at for waiters within a second', async () => {
    const names = leftNames()
    expect(names.takeLook('job')).toBe(false)
    names.left('job')
    await clock.advance(1_000)
    expect(names.takeLook('job')).toBe(true)
    names.left('job')
    await clock.advance(1_001)
    expect(names.takeLook('job')).toBe(false)
  })

  it('are looked at ten times a second at most, also by a loop that leaves them at each turn', async () => {
    const names = leftNames()
    let looks = 0
    for (let turn = 0; turn < 100; turn++) {
      names.left('job')
      if (names.takeLook('job')) looks++
      await clock.advance(10)
    }
    expect(looks).toBe(10)
  })
})
