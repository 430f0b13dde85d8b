import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { noTelemetry } from '../telemetry/index.ts'
import { FakeClock, type Fault, MemorySequenceStore } from '../testing/index.ts'
import { Sequence, type SequenceOptions } from './index.ts'

let clock: FakeClock
let store: MemorySequenceStore
const make = (options: Partial<SequenceOptions> = {}) =>
  new Sequence({ store, name: 'invoices', clock, timer: clock, random: () => 0.5, ...options })

beforeEach(() => {
  clock = new FakeClock()
  store = new MemorySequenceStore(clock)
})

describe('a sequence', () => {
  it('begins at 1, and goes on one by one', async () => {
    const sequence = make()
    const numbers = await clock.run(Promise.all(Array.from({ length: 5 }, () => sequence.next())))
    expect(numbers).toEqual([1n, 2n, 3n, 4n, 5n])
  })

  it('allocates a block at once, and writes once for it', async () => {
    const sequence = make({ blockSize: 100 })
    for (let i = 1n; i <= 100n; i++) expect(await clock.run(sequence.next())).toBe(i)
    expect(store.advances).toBe(1)
    expect(await clock.run(sequence.next())).toBe(101n)
    expect(await clock.run(make().nextBlock(10))).toEqual({ first: 201n, last: 210n })
  })

  it('leaves a gap where an answer was lost, and never hands its numbers out', async () => {
    const faults: (Fault | undefined)[] = [{ kind: 'lost', applied: true, finality: 'never' }]
    store.fault = (kind) => (kind === 'advance' ? faults.shift() : undefined)
    expect(await clock.run(make().nextBlock(10))).toEqual({ first: 11n, last: 20n })
  })

  it('hands no number out twice when a lost write lands later', async () => {
    const faults: (Fault | undefined)[] = [{ kind: 'late', afterMs: 5_000 }]
    store.fault = (kind) => (kind === 'advance' ? faults.shift() : undefined)
    const sequence = make()
    const first = await clock.run(sequence.next())
    await clock.advance(6_000)
    expect(await clock.run(sequence.next())).toBe(first + 1n)
  })

  it('says that numbers may be lost where no answer comes', async () => {
    store.fault = (kind) =>
      kind === 'advance' ? { kind: 'lost', applied: true, finality: 'never' } : undefined
    await expect(clock.run(make({ settleMs: 1_000 }).next())).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringMatching(/^Some numbers of "invoices" may be lost: /),
    })
  })

  it('throws while the store is unavailable, and goes on when it is back', async () => {
    const sequence = make({ settleMs: 1_000 })
    store.fault = () => ({ kind: 'unavailable' })
    await expect(clock.run(sequence.next())).rejects.toMatchObject({ code: 'store-unavailable' })
    store.fault = () => undefined
    expect(await clock.run(sequence.next())).toBe(1n)
  })

  it('uses the default of an option given as undefined', async () => {
    const options = { blockSize: undefined, settleMs: undefined } as unknown as Partial<SequenceOptions>
    expect(await clock.run(make(options).next())).toBe(1n)
  })

  it.each([0, -1, 1.5, 1_000_001, Number.NaN])('refuses a block of %s', async (count) => {
    await expect(make().nextBlock(count)).rejects.toThrow(/whole number from 1 to 1000000/)
    expect(() => make({ blockSize: count })).toThrow(/whole number/)
  })
})

describe('at the end of a bigint', () => {
  const end = 2n ** 63n - 1n
  beforeEach(() => store.advance('invoices', null, end - 7n))

  it('allocates up to it, and refuses what would go beyond, however often it is asked', async () => {
    const sequence = make()
    expect(await clock.run(sequence.nextBlock(7))).toEqual({ first: end - 7n, last: end - 1n })
    for (let again = 0; again < 2; again++)
      await expect(clock.run(sequence.next())).rejects.toMatchObject({ code: 'store-refused' })
    expect(await store.read('invoices')).toBe(end)
  })

  it('refuses a block that does not fit, and allocates a smaller one', async () => {
    await expect(clock.run(make().nextBlock(8))).rejects.toThrow(
      'The sequence "invoices" has no 8 numbers left: its next one is 9223372036854775800, and a sequence ends before 9223372036854775807. Begin another one.',
    )
    expect(await clock.run(make().nextBlock(1))).toEqual({ first: end - 7n, last: end - 7n })
  })

  it('called the last block superseded whose answer was lost, though it may have been allocated', async () => {
    const faults: (Fault | undefined)[] = [{ kind: 'lost', applied: true, finality: 'never' }]
    store.fault = (kind) => (kind === 'advance' ? faults.shift() : undefined)
    const settled: string[] = []
    const telemetry = {
      ...noTelemetry,
      outcomeSettled: (...report: string[]) => void settled.push(report.join(' ')),
    }
    const ended = clock.run(make({ telemetry }).nextBlock(7))
    await expect(ended).rejects.toMatchObject({ code: 'store-refused' })
    expect(await store.read('invoices')).toBe(end)
    expect(settled).toEqual(['sequence open'])
  })

  it('is refused by the store, too: the driver would wrap the number round', async () => {
    await expect(store.advance('invoices', end - 7n, end + 1n)).rejects.toMatchObject({
      code: 'store-refused',
    })
    expect(await store.read('invoices')).toBe(end - 7n)
  })
})

it('hands no number out twice, and grows for each process, in 3,000 schedules of lost and late answers', async () => {
  const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant({ kind: 'unavailable' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), afterMs: fc.nat(3_000) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('lost' as const),
        applied: fc.boolean(),
        finality: fc.constant('never' as const),
      }),
    },
  )
  const call = fc.record({ who: fc.nat(2), count: fc.integer({ min: 1, max: 4 }), thenMs: fc.nat(300) })
  const schedule = fc.record({
    calls: fc.array(call, { minLength: 3, maxLength: 25 }),
    faults: fc.array(fault, { minLength: 11, maxLength: 11 }),
  })
  await fc.assert(
    fc.asyncProperty(schedule, async ({ calls, faults }) => {
      const time = new FakeClock()
      const shared = new MemorySequenceStore(time)
      let statements = 0
      shared.fault = () => faults[statements++ % faults.length]
      const processes = Array.from(
        { length: 3 },
        () => new Sequence({ store: shared, name: 's', clock: time, timer: time, settleMs: 2_000 }),
      )
      const given: bigint[] = []
      const running: Promise<void>[] = []
      for (const { who, count, thenMs } of calls) {
        const before = given.toSorted((a, b) => (a < b ? -1 : 1)).at(-1) ?? 0n
        // Started and left running: calls of different processes overlap.
        const running_ = processes[who]?.nextBlock(count).then(({ first, last }) => {
          expect(first).toBeGreaterThan(before)
          for (let number = first; number <= last; number++) given.push(number)
        })
        running.push(
          (running_ as Promise<void>).catch((thrown) =>
            expect(['outcome-unknown', 'store-unavailable']).toContain(thrown.code),
          ),
        )
        await time.advance(thenMs)
      }
      await time.run(Promise.all(running))
      await time.advance(5_000)
      expect(new Set(given).size).toBe(given.length)
    }),
    { seed: 20261120, numRuns: 3_000, endOnFailure: true },
  )
})
