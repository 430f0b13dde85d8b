/** For which part of the window a store may be away, whatever the pauses between two tries, without costing a lease. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { schedules } from '../../test/schedules.ts'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { Leases, StatementUnknownError, StoreUnavailableError } from '../index.ts'

const maxClockSkewMs = 500

const absence = fc.record({
  /** Away for the whole part, or for less: a shorter absence may end in the middle of a longer wait. */
  share: fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 1, noNaN: true })),
  /** How each try fails: at once, or after the holder's patience. Both take turns when a network flaps. */
  failures: fc.array(fc.constantFrom('at once' as const, 'silent' as const), { minLength: 1, maxLength: 20 }),
  /** What `random` draws, over and over. */
  draws: fc.array(fc.constantFrom(0, 0.5, 0.999_999), { minLength: 1, maxLength: 20 }),
})

/** Whether the lease is held after a store was away for so long, from the first renewal on. */
async function survives(ttlSeconds: number, part: number, { share, failures, draws }: Absence) {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  const store = new MemoryLeaseStore(clock)
  let drawn = 0
  const random = () => draws[drawn++ % draws.length] as number
  const leases = new Leases({ store, clock, timer: clock, random, maxClockSkewMs })
  const lease = await clock.run(leases.acquire('job', { ttlSeconds }))
  const windowMs = (ttlSeconds - 1) * 1_000 - maxClockSkewMs
  const { renew } = store
  let backAtMs: number | undefined
  let tries = 0
  store.renew = async (write) => {
    const nowMs = clock.now().monotonicMs
    backAtMs ??= nowMs + windowMs * part * share
    if (nowMs >= backAtMs) return renew.call(store, write)
    if (failures[tries++ % failures.length] === 'at once') throw new StoreUnavailableError('away')
    await clock.sleep(write.giveUpAfterMs ?? Number.POSITIVE_INFINITY)
    throw new StatementUnknownError('no answer', 'never')
  }
  await clock.advance(windowMs + 1_000)
  expect(tries).toBeGreaterThan(0)
  return lease.held
}
type Absence = typeof absence extends fc.Arbitrary<infer T> ? T : never

// docs/guarantees.md, Leases, has these figures.
it.each([
  { ttlSeconds: 6, part: 1 / 6 },
  { ttlSeconds: 8, part: 1 / 3 },
  { ttlSeconds: 17, part: 1 / 2 },
  { ttlSeconds: 30, part: 1 / 2 },
])(
  'a lease of $ttlSeconds s survives a store that is away for the part $part of its window',
  ({ ttlSeconds, part }) =>
    fc.assert(
      fc.asyncProperty(absence, async (away) => {
        expect(await survives(ttlSeconds, part, away)).toBe(true)
      }),
      { numRuns: schedules(800), seed: 6 },
    ),
)

it('a lease of 6 s does not survive every store that is away for half of its window', async () => {
  const away: Absence = { share: 1, failures: ['silent'], draws: [0.5] }
  expect(await survives(6, 1 / 2, away)).toBe(false)
})
