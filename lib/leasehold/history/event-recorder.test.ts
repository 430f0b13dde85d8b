/** What a process writes of the leases that it keeps, in fake time. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Leases, StatementUnknownError } from '../lease/index.ts'
import { Operator } from '../operator/index.ts'
import { FakeClock, MemoryEventStore, MemoryLeaseStore, MemoryResignRequests } from '../testing/index.ts'
import { EventRecorder, type HistoryPage, readHistory } from './index.ts'

const startMs = Date.UTC(2026, 0, 1, 12) + 250
let clock: FakeClock
let store: MemoryLeaseStore
let history: MemoryEventStore
let events: EventRecorder
let resignRequests: MemoryResignRequests
let leases: Leases

beforeEach(() => {
  clock = new FakeClock(startMs)
  store = new MemoryLeaseStore(clock)
  history = new MemoryEventStore()
  events = new EventRecorder({ store: history, clock, timer: clock })
  resignRequests = new MemoryResignRequests(clock)
  leases = new Leases({
    store,
    events,
    resignRequests,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
  })
})

const acquire = (name = 'job') => clock.run(leases.acquire(name))
const around = {
  fromMs: startMs - 3_600_000,
  toMs: startMs + 7_200_000,
  renewals: 'minute',
  limit: 100,
} as const
async function page(name = 'job'): Promise<HistoryPage> {
  await clock.run(events.flush())
  return readHistory(history, name, around)
}
const kinds = async (name = 'job') => (await page(name)).events.map(({ kind, reason }) => [kind, reason])

it('an acquisition has its token, and a release follows it', async () => {
  const lease = await acquire()
  const { token, owner } = lease
  await clock.advance(1_000)
  await clock.run(lease.release())
  expect((await page()).events).toMatchObject([
    { kind: 'released', owner, source: 'library', atMs: startMs + 1_000 },
    { kind: 'acquired', owner, source: 'library', atMs: startMs, token, ttlSeconds: 10 },
  ])
})

it('each renewal has its instant and its margin, in one row a minute', async () => {
  const lease = await acquire()
  await clock.advance(90_000)
  await clock.run(lease.release())
  const { renewals } = await page()
  // The window is 8.9 s, and a third of it 2,967 ms: 30 renewals in 90 s.
  expect(renewals.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(30)
  expect(renewals.map(({ atMs }) => new Date(atMs).toISOString())).toEqual([
    '2026-01-01T12:01:00.000Z',
    '2026-01-01T12:00:00.000Z',
  ])
  expect(renewals.at(-1)).toMatchObject({ owner: lease.owner, source: 'library', leastMarginMs: 5_933 })
  expect(renewals.at(-1)?.exact?.[0]).toEqual({ atMs: startMs + 2_967, marginMs: 5_933 })
})

it('a loss says why, once', async () => {
  const late = await acquire('late')
  store.fault = (kind) => (kind === 'renew' ? { kind: 'unavailable' } : undefined)
  await clock.advance(20_000)
  expect(late.held).toBe(false)
  await clock.run(late.release())
  store.fault = () => undefined
  const killed = await acquire('killed')
  await clock.run(new Operator(leases.protocol).kill({ name: 'killed', owner: killed.owner }))
  await clock.advance(5_000)
  expect(await kinds('late')).toEqual([
    ['lost', 'deadline'],
    ['acquired', null],
  ])
  expect(await kinds('killed')).toEqual([
    ['lost', 'not-holder'],
    ['acquired', null],
  ])
})

it('a holder that was asked resigned', async () => {
  const { owner } = await acquire()
  const request = { id: 'r1', name: 'job', owner, requestedBy: 'ann', reason: 'x', requestedAtMs: startMs }
  await resignRequests.ask(request)
  await clock.advance(10_000)
  expect(await kinds()).toEqual([
    ['resigned', null],
    ['acquired', null],
  ])
})

it('closing writes what is left', async () => {
  await acquire()
  await clock.advance(10_000)
  await clock.run(leases.close())
  expect((await page()).renewals).toHaveLength(1)
  expect(await kinds()).toHaveLength(2)
})

it('a store that takes nothing harms no lease, and what waits for it is bounded', async () => {
  history.fault = () => 'unavailable'
  const { name, owner, ttlSeconds } = await acquire()
  // As many names, so that the limit of one name does not hide that of the queue.
  for (let at = 0; at < 1_500; at++) events.acquired({ name: `${name}-${at}`, owner, ttlSeconds }, 1n)
  expect(events.dropped).toBeGreaterThan(400)
  const lease = await acquire('other')
  await clock.advance(60_000)
  expect(lease.held).toBe(true)
  const closedAtMs = clock.now().monotonicMs
  await clock.run(leases.close())
  expect(clock.now().monotonicMs - closedAtMs).toBeLessThanOrEqual(5_000)
})

it('a write whose answer was lost is written once', async () => {
  let faults = 2
  history.fault = () => (faults-- > 0 ? 'lost' : undefined)
  const lease = await acquire()
  await clock.run(lease.release())
  await clock.advance(5_000)
  expect(await kinds()).toHaveLength(2)
  expect(events.dropped).toBe(0)
  expect(history.writes).toBeGreaterThan(2)
})

it('a lease that changes hands too fast has 60 transitions a minute, and the rest is counted', async () => {
  for (let turn = 0; turn < 40; turn++) await clock.run((await acquire()).release())
  await clock.run(events.flush())
  expect(events.dropped).toBe(20)
  // 60 transitions, and the gap.
  expect(history.writes).toBe(61)
})

it('counts on for a lease that changes hands too fast while 20,000 others come and go', async () => {
  const others = { owner: 'other', ttlSeconds: 10 }
  const { monotonicMs: beganMs } = clock.now()
  for (let turn = 0; turn < 100; turn++) {
    events.acquired({ name: 'job', owner: `owner ${turn}`, ttlSeconds: 10 }, BigInt(turn))
    for (let i = 0; i < 200; i++) events.acquired({ name: `other ${turn} ${i}`, ...others }, 1n)
    await clock.run(events.flush())
  }
  const { events: written, dropped } = await page()
  expect(clock.now().monotonicMs - beganMs).toBeLessThan(59_000)
  const acquired = written.filter(({ kind }) => kind === 'acquired')
  expect([acquired.length, dropped.length]).toEqual([60, 1])
})

it('what could not be written is a gap in the history, once Cassandra takes writes again', async () => {
  history.fault = () => 'unavailable'
  const lost = await acquire()
  await clock.run(lost.release())
  await clock.advance(90_000)
  expect(events.dropped).toBe(2)
  history.fault = () => undefined
  await clock.run((await acquire('other')).release())
  await clock.advance(1_000)
  const { events: written, dropped } = await page()
  expect(written).toEqual([])
  expect(dropped).toMatchObject([{ name: 'job', source: 'library', what: 'everything' }])
  const [{ fromMs = 0, toMs = 0 } = {}] = dropped
  expect([fromMs <= startMs, toMs > startMs, toMs - fromMs]).toEqual([true, true, 1_000])
  expect((await page('other')).dropped).toEqual([])
})

it('of more than 10,000 leases the gaps are counted, and not kept', async () => {
  history.fault = () => 'unavailable'
  const nameOf = (i: number) => `lease ${i}`
  const report = (...names: number[]) => {
    for (const i of names) events.acquired({ name: nameOf(i), owner: 'owner', ttlSeconds: 10 }, 1n)
    return names.length
  }
  // A thousand events wait, and there is room for the gaps of the next 10,000 leases.
  let reported = report(...Array(12_500).keys())
  await clock.advance(1_000)
  // What a lease misses later is joined to its gap, and needs no room. The first of these fill the places that became free.
  reported += report(...Array(100).keys(), 5_000)
  history.fault = () => undefined
  await clock.run(events.flush())
  expect(events.dropped).toBeGreaterThan(11_000)
  expect(history.writes - (reported - events.dropped)).toBeLessThan(10_050)
  const gapsOf = async (i: number) => (await page(nameOf(i))).dropped.map(({ fromMs, toMs }) => toMs - fromMs)
  expect([await gapsOf(4_999), await gapsOf(5_000), await gapsOf(12_499)]).toEqual([[1_000], [2_000], []])
})

it('a gap is written in the next minute in which a write succeeds, also by a process that never flushes', async () => {
  history.fault = () => 'unavailable'
  await clock.run((await acquire()).release())
  await clock.advance(90_000)
  history.fault = () => undefined
  await acquire('other')
  await clock.advance(1_000)
  const { dropped } = await readHistory(history, 'job', around)
  expect(dropped).toMatchObject([{ name: 'job', what: 'everything' }])
})

it('a minute of renewals that could not be written leaves its transitions known', async () => {
  const lease = await acquire()
  await clock.run(events.flush())
  history.fault = () => 'unavailable'
  await clock.advance(70_000)
  history.fault = () => undefined
  await clock.advance(60_000)
  await clock.run(lease.release())
  const { events: written, dropped } = await page()
  expect(written.map(({ kind }) => kind)).toEqual(['released', 'acquired'])
  const from = Math.floor(startMs / 60_000) * 60_000
  expect(dropped).toMatchObject([{ what: 'renewals', fromMs: from, toMs: from + 60_000 }])
})

it('of a lease that changes hands too fast the rest is a gap; over midnight it is two', async () => {
  for (let turn = 0; turn < 40; turn++) await clock.run((await acquire()).release())
  expect((await page()).dropped).toMatchObject([{ what: 'everything' }])
  const untilMidnightMs = Date.UTC(2026, 0, 2) - clock.now().wallMs
  await clock.advance(untilMidnightMs - 30_000)
  history.fault = () => 'unavailable'
  for (const name of ['late', 'late']) {
    await clock.run((await acquire(name)).release())
    await clock.advance(60_000)
  }
  history.fault = () => undefined
  await clock.run(events.flush())
  const midnightMs = Date.UTC(2026, 0, 2)
  const range = { fromMs: midnightMs - 3_600_000, toMs: midnightMs + 3_600_000 }
  const { dropped } = await readHistory(history, 'late', { ...range, renewals: 'none', limit: 10 })
  expect(dropped.map(({ fromMs, toMs }) => [fromMs < midnightMs, toMs <= midnightMs])).toEqual([
    [false, false],
    [true, true],
  ])
  const later = { fromMs: midnightMs + 5_000, toMs: midnightMs + 10_000 }
  expect(
    (await readHistory(history, 'late', { ...later, renewals: 'none', limit: 10 })).dropped,
  ).toMatchObject([later])
})

it('a release without an answer: the renewals of its last minute are written', async () => {
  const lease = await acquire()
  await clock.advance(20_000)
  store.release = async () => {
    throw new StatementUnknownError('silence', 'never')
  }
  await clock.run(lease.release().catch(() => {}))
  await clock.advance(60_000)
  expect(await kinds()).toEqual([['acquired', null]])
  expect((await page()).renewals.map(({ count }) => count)).toEqual([6])
})

describe('an event that comes while gaps are written', () => {
  let write: () => void
  const report = (name: string) => events.acquired({ name, owner: `owner of ${name}`, ttlSeconds: 10 }, 1n)

  /** Four names have a gap that can be written, and the writing of gaps waits for `write`. */
  beforeEach(async () => {
    history.fault = () => 'unavailable'
    for (const name of ['a', 'b', 'c', 'd']) report(name)
    await clock.advance(90_000)
    history.fault = () => undefined
    const writable = new Promise<void>((resolve) => {
      write = resolve
    })
    const { writeGap } = history
    history.writeGap = async (gap) => {
      await writable
      await writeGap.call(history, gap)
    }
  })

  it('is written when each writer is busy with a gap', async () => {
    // One for each writer, which then finds a gap of its own.
    for (const name of ['e', 'f', 'g', 'h']) report(name)
    await clock.advance(1_000)
    report('late')
    await clock.advance(1_000)
    write()
    await clock.advance(1_000)
    expect((await readHistory(history, 'late', around)).events).toMatchObject([{ kind: 'acquired' }])
    expect(events.dropped).toBe(4)
  })

  it('is written before the flush that writes them ends', async () => {
    const { write: writeEvent } = history
    history.write = async (event) => {
      await clock.sleep(2_000)
      await writeEvent.call(history, event)
    }
    const flushed = events.flush()
    await clock.advance(1_000)
    report('late')
    write()
    await clock.run(flushed)
    expect((await readHistory(history, 'late', around)).events).toMatchObject([{ kind: 'acquired' }])
  })
})
