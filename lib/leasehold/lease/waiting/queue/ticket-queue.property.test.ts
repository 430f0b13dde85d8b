/**
 * Random queues over stores in memory: clocks that differ by seconds, waiters that come and give up, some without queueing,
 * answers of both tables lost or late. Whatever happens: no two inside, each waiter that has the patience is served, and
 * nothing is left in the queue.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Locks } from '../../../lock/index.ts'
import {
  FakeClock,
  type Fault,
  MemoryLeaseStore,
  MemoryTicketStore,
  type TicketFault,
} from '../../../testing/index.ts'
import { isLeaseholdError, Leases } from '../../index.ts'

const waiter = fc.record({
  afterMs: fc.nat(3_000),
  aheadMs: fc.integer({ min: -3_000, max: 3_000 }),
  waitMs: fc.constantFrom(400, 5_000, 120_000),
  workMs: fc.nat(800),
  abortAfterMs: fc.option(fc.nat(4_000), { nil: undefined }),
  fair: fc.boolean(),
})

const ticketFault: fc.Arbitrary<TicketFault | undefined> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lost' as const), applied: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), afterMs: fc.nat(8_000) }) },
)

const leaseFault: fc.Arbitrary<Fault | undefined> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lost' as const),
      applied: fc.boolean(),
      finality: fc.constantFrom('read' as const, 'never' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), afterMs: fc.nat(20_000) }) },
)

const schedule = fc.record({
  waiters: fc.array(waiter, { minLength: 2, maxLength: 10 }),
  ticketFaults: fc.array(ticketFault, { minLength: 13, maxLength: 13 }),
  leaseFaults: fc.array(leaseFault, { minLength: 11, maxLength: 11 }),
  startMs: fc.nat(999),
})

it('never lets two in, and leaves nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async ({ waiters, ticketFaults, leaseFaults, startMs }) => {
      const clock = new FakeClock(Date.UTC(2026, 0, 1) + startMs)
      const store = new MemoryLeaseStore(clock)
      const tickets = new MemoryTicketStore(clock)
      let asked = 0
      store.fault = (kind) =>
        kind === 'acquire' || kind === 'release' ? leaseFaults[++asked % 11] : undefined
      let sent = 0
      tickets.fault = () => ticketFaults[++sent % 13]
      let inside = 0
      let most = 0

      const run = async ({
        afterMs,
        aheadMs,
        waitMs,
        workMs,
        abortAfterMs,
        fair,
      }: (typeof waiters)[number]) => {
        await clock.sleep(afterMs)
        const ownClock = {
          now: () => ({ monotonicMs: clock.now().monotonicMs, wallMs: clock.now().wallMs + aheadMs }),
        }
        const leases = new Leases({
          store,
          clock: ownClock,
          timer: clock,
          random: () => 0.5,
          defaultTtlSeconds: 10,
          tickets,
        })
        const abort = new AbortController()
        if (abortAfterMs !== undefined)
          void clock.sleep(abortAfterMs).then(() => abort.abort(new Error('enough')))
        const options = { fair, waitMs, signal: abort.signal }
        await new Locks(leases).withLock('job', options, async () => {
          most = Math.max(most, ++inside)
          await clock.sleep(workMs)
          inside--
        })
      }
      const outcomes = await clock.run(Promise.allSettled(waiters.map(run)))
      expect(most).toBeLessThanOrEqual(1)
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') continue
        const { reason } = outcome
        const expected =
          reason.message === 'enough' ||
          isLeaseholdError(reason, 'outcome-unknown') ||
          // Of a ticket that could not be written, or a queue that could not be read to the end.
          isLeaseholdError(reason, 'store-unavailable') ||
          (isLeaseholdError(reason, 'lease-held') && (waiters[i]?.waitMs ?? 0) < 120_000)
        if (!expected) throw reason
      }
      // Late writes included: a ticket is written at most 8 s late, and lives for 6 s.
      await clock.advance(15_000)
      expect(tickets.queue('job')).toEqual([])
    }),
    { seed: 20_260_101, numRuns: 300 },
  )
})
