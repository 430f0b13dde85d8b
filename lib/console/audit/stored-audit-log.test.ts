import fc from 'fast-check'
import { FakeClock } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import type { AuditMeter } from './audit-entry.ts'
import { event, memorySource, testKey, testLog, verified } from './chain/test-audit.ts'
import { type AppendFault, MemoryAuditStore } from './chain/test-memory-audit-store.ts'
import { bodies, day, setUp } from './chain/test-stored-log.ts'

describe('appending', () => {
  it('writes an entry, bound to the one before it, and anchors it before it resolves', async () => {
    const { audit, anchors, clock } = setUp()
    const one = await clock.run(audit.append(event('1')))
    expect(anchors.at(-1)).toMatchObject({ bucket: '2026-11-21', seq: 1, hash: one.hash })
    const two = await clock.run(audit.append(event('2', { phase: 'intent', outcome: null })))
    expect(two).toMatchObject({
      chain: 'main',
      bucket: '2026-11-21',
      seq: 2,
      prev: one.hash,
      phase: 'intent',
    })
    expect(two.at).toBe('2026-11-21T12:00:00.000Z')
  })

  it('appends nothing while an alarm stands that the follower raised while nothing was appended', async () => {
    const { audit, store, clock } = setUp()
    for (const id of ['1', '2', '3']) await clock.run(audit.append(event(id)))
    const partition = store.partitionOf('main', '2026-11-21')
    const rows = store.buckets.get(partition)?.rows
    rows?.delete(Math.max(...rows.keys()))
    await expect(clock.run(audit.follow())).rejects.toMatchObject({ code: 'audit-damaged' })
    const before = bodies(store).length
    await expect(clock.run(audit.append(event('4')))).rejects.toMatchObject({ code: 'audit-damaged' })
    expect(bodies(store)).toHaveLength(before)
  })

  it('puts entries that come at the same time into one batch', async () => {
    const { store, audit, clock } = setUp()
    await clock.run(audit.append(event('0')))
    const before = store.appends
    await clock.run(Promise.all(Array.from({ length: 17 }, (_, i) => audit.append(event(`${i}`)))))
    // The first goes alone; the others wait for it, and go 16 at once.
    expect(store.appends - before).toBe(2)
  })

  it('cuts long values, with a mark', async () => {
    const { audit, clock } = setUp()
    const long = { value: 'x'.repeat(20_000) }
    const entry = await clock.run(audit.append(event('1', { before: long, after: undefined })))
    expect(entry.before).toMatchObject({ bytes: 20_012, cut: expect.stringMatching(/^\{"value":"xxx/) })
    expect(JSON.stringify(entry.before).length).toBeLessThan(8192)
    expect(entry.after).toBeNull()
  })

  it('cuts no character in two', async () => {
    const { audit, clock } = setUp()
    // One letter before them: the cut comes in the middle of a pair, or of its four bytes.
    const long = `x${'👑'.repeat(10_000)}`
    const entry = await clock.run(audit.append(event('1', { reason: long, before: { value: long } })))
    const { cut } = entry.before as { cut: string }
    expect(entry.reason).toMatch(/👑…$/u)
    expect([entry.reason?.isWellFormed(), cut.endsWith('👑'), cut.includes('\ufffd')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('refuses at once while the store is away, and writes nothing later', async () => {
    const { store, audit, clock } = setUp()
    store.down = true
    await expect(clock.run(audit.append(event('1')))).rejects.toMatchObject({ code: 'store-unavailable' })
    store.down = false
    await clock.run(audit.append(event('2')))
    expect(bodies(store).map(({ id }) => id)).toEqual(['2'])
  })

  it('is done in a cluster whose statements take 8 s, also by a process that has just started', async () => {
    const { store, audit, key, clock } = setUp()
    await clock.run(audit.append(event('1')))
    store.slow = { timer: clock, ms: 8_000 }
    const startedMs = clock.now().monotonicMs
    await clock.run(audit.append(event('2')))
    const fresh = testLog({ store, clock, timer: clock, key }).audit
    expect(await clock.run(fresh.append(event('3')))).toMatchObject({ seq: 3 })
    // One that appends and reads back, and one that looks for the end of the chain before it.
    expect(clock.now().monotonicMs - startedMs).toBe(16_000 + 32_000)
  })

  it('gives up after 40 s without an answer; a try that arrives late is in the chain once', async () => {
    const { store, audit, key, clock } = setUp()
    await clock.run(audit.append(event('0')))
    store.fault = () => 'late'
    const given = audit.append(event('1'))
    const caught = given.catch((error) => error)
    for (let i = 0; i < 39; i++) await clock.advance(1_000)
    expect(await Promise.race([caught, 'waits'])).toBe('waits')
    await clock.advance(1_000)
    expect(await clock.run(caught)).toMatchObject({ code: 'store-unavailable' })
    store.fault = () => undefined
    await clock.run(audit.append(event('2')))
    while (store.late.length > 0) store.arrive()
    expect(bodies(store).map(({ id }) => id)).toEqual(['0', '2'])
    expect(await verified(memorySource(store), key)).toEqual([])
  })

  it('writes outcomes after an outage, and shows them as pending meanwhile', async () => {
    const { store, audit, clock } = setUp()
    store.down = true
    audit.appendUntilWritten(event('1', { phase: 'outcome', outcome: 'released' }))
    audit.appendUntilWritten(event('2', { phase: 'outcome', outcome: 'superseded' }))
    await clock.advance(30_000)
    expect(audit.pending.map(({ id }) => id)).toEqual(['1', '2'])
    store.down = false
    await clock.advance(6_000)
    expect(audit.pending).toEqual([])
    // The time is that of the event, not of the write.
    expect(bodies(store).map(({ id, at }) => [id, at])).toEqual([
      ['1', '2026-11-21T12:00:00.000Z'],
      ['2', '2026-11-21T12:00:00.000Z'],
    ])
  })

  it('writes an intent that an act waits for first, and keeps the order of one act’s entries', async () => {
    const { store, audit, clock } = setUp()
    store.down = true
    audit.appendUntilWritten(event('release', { phase: 'event', outcome: 'planned' }))
    for (let i = 0; i < 200; i++) audit.appendUntilWritten(event(`sign-out ${i}`, { act: 'sign-out' }))
    await clock.advance(1_000)
    store.down = false
    const intent = audit.append(event('release', { phase: 'intent', outcome: null }))
    const other = audit.append(event('other', { phase: 'intent', outcome: null }))
    audit.appendUntilWritten(event('other', { phase: 'outcome', outcome: 'released' }))
    await clock.run(Promise.all([intent, other]))
    await clock.advance(10_000)
    const placed = bodies(store).map(({ id, phase }) => `${id} ${phase}`)
    expect(placed.slice(0, 3)).toEqual(['release event', 'release intent', 'other intent'])
    expect(placed.at(-1)).toBe('other outcome')
    expect(placed).toHaveLength(204)
  })

  it('shows unwritten entries as pending when it ends', async () => {
    const { store, audit, clock } = setUp()
    store.down = true
    audit.appendUntilWritten(event('1'))
    await clock.run(audit.close())
    expect(audit.pending).toHaveLength(1)
  })
})

describe('buckets', () => {
  it('roll at midnight; the new one begins with the hash of the seal', async () => {
    const { store, audit, key, anchors, clock } = setUp(new FakeClock(Date.UTC(2026, 10, 21, 23, 59, 59)))
    await clock.run(audit.append(event('1')))
    await clock.advance(2_000)
    const entry = await clock.run(audit.append(event('2')))
    expect(entry).toMatchObject({ bucket: expect.stringMatching(/^2026-11-22#\d+$/), seq: 1 })
    const seal = store.buckets.get('main:2026-11-21')?.rows.get(2)
    expect(seal?.hash).toBe(entry.prev)
    expect(await verified(memorySource(store), key, anchors)).toEqual([])
  })

  it('are rolled by two instances at once, one with a clock that is behind, over days without an entry', async () => {
    const store = new MemoryAuditStore()
    const key = testKey()
    const ahead = new FakeClock(day)
    const behind = new FakeClock(day - 3_600_000)
    const [one, other] = [ahead, behind].map((clock) => testLog({ store, clock, timer: clock, key }).audit)
    await Promise.all([ahead.run(one!.append(event('1'))), behind.run(other!.append(event('2')))])
    await ahead.advance(5 * 86_400_000)
    await behind.advance(2 * 86_400_000)
    await Promise.all([ahead.run(one!.append(event('3'))), behind.run(other!.append(event('4')))])
    await behind.run(other!.append(event('5')))
    expect(await verified(memorySource(store), key)).toEqual([])
    const last = await ahead.run(one!.append(event('6')))
    expect(last.bucket).toMatch(/^2026-11-26#/)
    expect(
      bodies(store)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  it('that are full get a second part', async () => {
    const { store, audit, key, clock } = setUp()
    await clock.run(audit.append(event('1')))
    const bucket = store.buckets.get('main:2026-11-21')!
    // As if 24 MB had been written.
    bucket.head.bytes = 24 * 1024 * 1024
    const fresh = testLog({ store, clock, timer: clock, key }).audit
    const second = await clock.run(fresh.append(event('2')))
    expect(second).toMatchObject({ bucket: expect.stringMatching(/^2026-11-21#\d+$/), seq: 1 })
    // An instance that has not noticed the second part follows.
    expect(await clock.run(audit.append(event('3')))).toMatchObject({ bucket: second.bucket, seq: 2 })
    expect(await verified(memorySource(store), key)).toEqual([])
  })
})

it('each entry stands once in one chain without a gap, also when answers are lost, late or contended', async () => {
  const faultKind = fc.constantFrom<AppendFault | undefined>(
    ...(['applied-unheard', 'lost-unheard', 'late', 'unavailable'] as const),
    ...Array.from({ length: 6 }, () => undefined),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(faultKind, { minLength: 40, maxLength: 120 }),
      fc.array(fc.tuple(fc.nat(2), fc.boolean(), fc.nat(40_000_000)), { minLength: 5, maxLength: 40 }),
      async (faults, steps) => {
        const store = new MemoryAuditStore()
        const key = testKey()
        const clock = new FakeClock(day)
        const writers = [0, 1, 2].map(() => testLog({ store, clock, timer: clock, key }).audit)
        let at = 0
        store.fault = () => faults[at++]
        let reads = 0
        store.arrives = () => reads++ % 2 === 0
        const given: Promise<[string, boolean]>[] = []
        for (const [i, [writer, until, pauseMs]] of steps.entries()) {
          const id = `${i}`
          if (until) writers[writer]!.appendUntilWritten(event(id))
          else {
            const written = writers[writer]!.append(event(id))
            given.push(
              written.then(
                () => [id, true] as [string, boolean],
                () => [id, false] as [string, boolean],
              ),
            )
          }
          await clock.advance(i % 3 === 0 ? pauseMs : i % 7)
          if (i % 4 === 0) store.arrive()
        }
        await clock.advance(60_000)
        while (store.late.length > 0) store.arrive()
        const outcomes = await clock.run(Promise.all(given))
        const ids = bodies(store).map(({ id }) => id as string)
        expect(new Set(ids).size).toBe(ids.length)
        for (const [i, [, until]] of steps.entries()) if (until) expect(ids).toContain(`${i}`)
        for (const [id, written] of outcomes) if (written) expect(ids).toContain(id)
        expect(writers.flatMap(({ pending }) => pending)).toEqual([])
        expect(await verified(memorySource(store), key)).toEqual([])
      },
    ),
    { seed: 20261121, numRuns: 60 },
  )
})

it('entries of one act keep their order, also when answers are lost or late', async () => {
  const fault = fc.constantFrom<AppendFault | undefined>(
    ...(['applied-unheard', 'lost-unheard', 'late', 'unavailable', undefined, undefined, undefined] as const),
  )
  const step = fc.tuple(fc.nat(4), fc.boolean(), fc.nat(200))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { minLength: 5, maxLength: 60 }),
      fc.array(step, { minLength: 30, maxLength: 60 }),
      async (faults, steps) => {
        const { store, audit, clock } = setUp()
        let at = 0
        store.fault = () => faults[at++]
        const given: Promise<unknown>[] = []
        for (const [i, [act, until, pauseMs]] of steps.entries()) {
          const each = event(`act ${act}`, { before: i })
          if (until) audit.appendUntilWritten(each)
          else given.push(audit.append(each).catch(() => {}))
          if (pauseMs > 150) await clock.advance(pauseMs)
        }
        await clock.advance(60_000)
        while (store.late.length > 0) store.arrive()
        await clock.run(Promise.all(given))
        for (let act = 0; act < 5; act++) {
          const order = bodies(store)
            .filter(({ id }) => id === `act ${act}`)
            .map(({ before }) => before)
          expect(order).toEqual(order.toSorted((a, b) => a - b))
        }
      },
    ),
    { seed: 20261121, numRuns: 60 },
  )
})

it('a chain that cannot be followed, while the look for changes goes on, is no unhandled rejection', async () => {
  const { store, audit, clock } = setUp()
  await clock.run(audit.append(event('1')))
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  store.down = true
  store.silentAfter = { timer: clock, ms: 100 }
  // Each read of the look fails after 100 ms too, one after the other: the follower fails long before the look ends.
  const ending = new AbortController()
  const watching = audit.watch(ending.signal)
  for (let round = 0; round < 10; round++) {
    await clock.advance(50)
    // Node reports a rejection once its microtasks are done.
    await new Promise((done) => setImmediate(done))
  }
  ending.abort()
  await clock.run(watching)
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('the meter of the audit log', () => {
  it('gets each entry once it is written or refused, with the time that it took', async () => {
    const clock = new FakeClock(day)
    const store = new MemoryAuditStore()
    const told: unknown[] = []
    const meter: AuditMeter = { appended: ({ id }, ...rest) => told.push([id, ...rest]) }
    const { audit } = testLog({ store, clock, timer: clock, meter })
    store.slow = { timer: clock, ms: 1_000 }
    await clock.run(audit.append(event('1')))
    await clock.run(audit.appendUntilWritten(event('2', { act: 'refusal', outcome: 'forbidden' })))
    store.down = true
    await expect(clock.run(audit.append(event('3')))).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(told).toMatchObject([
      ['1', 'main', 'written', expect.any(Number)],
      ['2', 'refused', 'written', expect.any(Number)],
      ['3', 'main', 'failed', expect.any(Number)],
    ])
    expect((told[0] as number[])[3]).toBeGreaterThanOrEqual(2_000)
  })

  it('gets how long ago the chain was read to its end, not counting reads that failed', async () => {
    const { store, audit, clock } = setUp()
    await clock.advance(5_000)
    expect(audit.followAgeMs).toBe(5_000)
    await clock.run(audit.follow())
    expect(audit.followAgeMs).toBe(0)
    store.down = true
    await clock.advance(3_000)
    await expect(clock.run(audit.follow())).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(audit.followAgeMs).toBeGreaterThanOrEqual(3_000)
  })
})
