/** Refreshes of a ticket that are lost: how many a place in the queue survives, and what a gap in it costs. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../../testing/index.ts'
import { Leases, StoreUnavailableError } from '../../index.ts'

/** A row that is written in the last millisecond of a second lives for 5,001 ms, the least that it can. */
const endOfSecond = Date.UTC(2026, 0, 1) + 999

let clock: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore
const make = () =>
  new Leases({ store, tickets, clock, timer: clock, random: () => 0.5, defaultTtlSeconds: 60 })

beforeEach(() => {
  clock = new FakeClock(endOfSecond)
  store = new MemoryLeaseStore(clock)
  tickets = new MemoryTicketStore(clock)
})

/** From the first refresh on, `count` writes in a row do not reach the store. Each fails after `afterMs`. */
function loseRefreshes(count: number, afterMs: number): void {
  const { put } = tickets
  let writes = 0
  tickets.put = async (...args) => {
    const isLost = writes > 0 && writes <= count
    writes++
    if (!isLost) return put.apply(tickets, args)
    await clock.sleep(afterMs)
    throw new StoreUnavailableError('No answer came (by order of the test).', { mayHaveHappened: true })
  }
}

/** How many milliseconds of the next `forMs` the queue was empty. */
async function emptyMs(forMs: number): Promise<number> {
  let empty = 0
  for (let ms = 0; ms < forMs; ms++) {
    await clock.advance(1)
    if (tickets.queue('job').length === 0) empty++
  }
  return empty
}

describe.each([
  { how: 'fail at once', afterMs: 0 },
  { how: 'take the time-out of a plain write over CQL', afterMs: 2_500 },
  { how: 'take the time-out of a write over HTTP', afterMs: 5_000 },
])('refreshes that $how', ({ afterMs }) => {
  it.each([1, 2])('a ticket survives %i of them', async (count) => {
    const holder = await clock.run(make().acquire('job'))
    loseRefreshes(count, afterMs)
    const waiting = make().acquire('job', { fair: true })
    await clock.advance(0)
    expect(await emptyMs(15_000)).toBe(0)
    await clock.run(holder.release())
    await clock.run((await clock.run(waiting)).release())
  })
})

it('a ticket whose first write was answered late survives two lost refreshes too', async () => {
  const holder = await clock.run(make().acquire('job'))
  loseRefreshes(2, 2_500)
  const { put } = tickets
  let isFirst = true
  tickets.put = async (...args) => {
    const isSlow = isFirst
    isFirst = false
    const answer = await put.apply(tickets, args)
    // The row counts from here, the waiter from there.
    if (isSlow) await clock.sleep(2_000)
    return answer
  }
  const waiting = make().acquire('job', { fair: true })
  await clock.advance(0)
  expect(await emptyMs(15_000)).toBe(0)
  await clock.run(holder.release())
  await clock.run((await clock.run(waiting)).release())
})

describe('a gap in the queue', () => {
  /** A ticket that its client writes, and with which it never tries. */
  const idleTicket = () => ({
    name: 'job',
    number: BigInt(clock.now().wallMs) * 1_000n - 5_000_000n,
    owner: 'idle',
  })
  const put = (ticket: ReturnType<typeof idleTicket>) =>
    tickets.put(ticket, 6, BigInt(clock.now().wallMs) * 1_000n)

  it('lets a waiter that looked meanwhile pass the ticket, also after it has come back', async () => {
    const holder = await clock.run(make().acquire('job'))
    const idle = idleTicket()
    await put(idle)
    const waiting = make().acquire('job', { fair: true, waitMs: 60_000 })
    await clock.advance(6_000)
    expect(tickets.queue('job').map(({ owner }) => owner === 'idle')).toEqual([false])
    await clock.advance(1_000)
    await put(idle)
    expect(tickets.queue('job').map(({ owner }) => owner === 'idle')).toEqual([true, false])
    const released = clock.now().monotonicMs
    await clock.run(holder.release())
    await clock.run((await clock.run(waiting)).release())
    expect(clock.now().monotonicMs - released).toBeLessThan(500)
  })

  it('costs nothing with a waiter that comes after it', async () => {
    const holder = await clock.run(make().acquire('job'))
    const idle = idleTicket()
    await put(idle)
    await clock.advance(7_000)
    await put(idle)
    const waiting = make().acquire('job', { fair: true, waitMs: 2_000 })
    await clock.advance(500)
    await clock.run(holder.release())
    await expect(clock.run(waiting)).rejects.toMatchObject({ code: 'lease-held', holder: null })
  })
})
