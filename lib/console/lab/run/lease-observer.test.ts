import type { LeaseView } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { RunJournal } from '../journal/run-journal.ts'
import { LeaseObserver } from './lease-observer.ts'

/** An observer whose reads take as long as asked, of a server that answers at their very end: half the time of a read is its error. */
function setUp() {
  const clock = new FakeClock()
  const journal = {
    get nowMs() {
      return clock.now().monotonicMs
    },
    note: () => {},
    listen: () => () => {},
  } as unknown as RunJournal
  let tookMs = 0
  const leases = {
    read: async () => {
      await clock.advance(tookMs)
      return { owner: null, expiresAtMs: null, read: { serverNowMs: clock.now().wallMs } } as LeaseView
    },
  }
  const failed = (error: unknown) => {
    throw error
  }
  const observer = new LeaseObserver({
    name: 'job',
    journal,
    timer: clock,
    leases: leases as unknown as ConstructorParameters<typeof LeaseObserver>[0]['leases'],
    failed,
  })
  /** @returns how much too early an instant of Cassandra is shown after a read of this time */
  const errorAfter = async (readTookMs: number) => {
    tookMs = readTookMs
    await observer.look()
    const { wallMs, monotonicMs } = clock.now()
    return monotonicMs - (observer.runTime(wallMs) ?? Number.NaN)
  }
  return { clock, errorAfter }
}

it('one slow read moved every mark, once the quickest read was 20 s old', async () => {
  const { clock, errorAfter } = setUp()
  expect(await errorAfter(100)).toBe(50)
  expect(await errorAfter(4)).toBe(2)
  await clock.advance(10_000)
  expect(await errorAfter(6)).toBe(2)
  await clock.advance(10_000)
  expect(await errorAfter(200)).toBe(3)
})
