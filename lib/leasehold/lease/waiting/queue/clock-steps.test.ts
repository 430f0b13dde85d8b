/** Order among fair waiters, when the clock of one of them was wrong and is set right. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../../testing/index.ts'
import type { Clock } from '../../../time/index.ts'
import { Leases } from '../../index.ts'

const hourMs = 3_600_000
let time: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore
let order: string[]

const process_ = (clock: Clock) =>
  new Leases({
    store,
    tickets,
    clock,
    timer: time,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 60,
  })

beforeEach(() => {
  time = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(time)
  tickets = new MemoryTicketStore(time)
  order = []
})

/** Waits in turn, works for a second, and releases. */
async function turn(name: string, leases: Leases): Promise<void> {
  await using lease = await leases.acquire('job', { fair: true })
  expect(lease.held).toBe(true)
  order.push(name)
  await time.sleep(1_000)
}

it.each([
  ['comes before the others', ['stepped', 'one', 'two']],
  ['comes between the others', ['one', 'stepped', 'two']],
  ['comes after the others', ['one', 'two', 'stepped']],
])('a clock that was an hour ahead: its process is served when it %s', async (_when, comes) => {
  let aheadMs = hourMs
  const stepped = process_({
    now: () => ({ ...time.now(), wallMs: time.now().wallMs + aheadMs }),
  })
  // It was served, and looked at the queue, while its clock was wrong.
  await time.run(turn('before', stepped))
  aheadMs = 0
  const holder = await time.run(process_(time).acquire('job'))
  const turns: Promise<void>[] = []
  for (const name of comes) {
    turns.push(turn(name, name === 'stepped' ? stepped : process_(time)))
    await time.advance(2_500)
  }
  await time.run(holder.release())
  await time.run(Promise.all(turns))
  expect(order).toEqual(['before', ...comes])
})

it('a waiter whose clock steps back while it waits leaves no ticket behind', async () => {
  let aheadMs = 4_000
  const stepped = process_({
    now: () => ({ ...time.now(), wallMs: time.now().wallMs + aheadMs }),
  })
  const holder = await time.run(process_(time).acquire('job'))
  const waiting = stepped.acquire('job', { fair: true, waitMs: 3_000 })
  // Written, and refreshed once, at 1.5 s; the removal at 3 s would be dated before that.
  await time.advance(2_500)
  expect(tickets.sent.put).toBe(2)
  aheadMs = 0
  await expect(time.run(waiting)).rejects.toMatchObject({ code: 'lease-held' })
  expect(tickets.sent.remove).toBe(1)
  expect(tickets.queue('job')).toEqual([])
  await time.run(holder.release())
})
