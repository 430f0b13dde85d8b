import { type RowScan, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { startMs, TiringClock } from '../test-rows.ts'
import { type ScanEnd, type ScannedTable, Scanner } from './scanner.ts'

let clock: FakeClock
let closing: AbortController
let underWay: number
let most: number
let ended: (ScanEnd & { id: string })[]
let failed: unknown[]

beforeEach(() => {
  clock = new FakeClock(startMs)
  closing = new AbortController()
  underWay = 0
  most = 0
  ended = []
  failed = []
})

/** A table whose pages take so long. @param fails how many statements of it fail */
function table(pages: number, pageMs: number, fails = { times: 0 }) {
  const events: string[] = []
  const noted = (event: string): Iterator<void, void> => {
    events.push(event)
    return [].values()
  }
  const scanned: ScannedTable = {
    scanRows: async ({ afterToken }) => {
      const sent = clock.now()
      most = Math.max(most, ++underWay)
      await clock.sleep(pageMs)
      underWay--
      if (fails.times-- > 0) throw new StoreUnavailableError('down')
      const page = Number(afterToken ?? 0) + 1
      return { rows: [], nextToken: page < pages ? String(page) : null, sent, at: clock.now() } as RowScan
    },
    snapshot: {
      beginScan: () => events.push('begin'),
      addScanned: () => noted('rows'),
      endScan: () => noted('end'),
    },
  }
  return { scanned, events }
}
function run(tables: Record<string, ScannedTable>): Promise<void> {
  const scanner = new Scanner(new Map(Object.entries(tables)), {
    clock,
    timer: clock,
    ended: (id, end) => ended.push({ id, ...end }),
    began: () => {},
    answered: () => {},
    failed: (_, error) => failed.push(error),
  })
  return scanner.run(closing.signal)
}

it('scans one table at a time, and pauses for 2 s, or four times as long as the scan took', async () => {
  const [small, large] = [table(1, 10), table(5, 1_000)]
  const running = run({ small: small.scanned, large: large.scanned })
  await clock.advance(60_000)
  closing.abort()
  await clock.advance(5_000)
  await running
  expect(most).toBe(1)
  const endsOf = (id: string) => ended.filter((end) => end.id === id)
  expect(endsOf('large').map(({ tookMs, pauseMs }) => [tookMs, pauseMs])).toContainEqual([5_000, 20_000])
  expect(endsOf('small')[0]).toMatchObject({ tookMs: 10, pauseMs: 2_000 })
  const begins = endsOf('large').map(({ endedAtMs, tookMs }) => endedAtMs - tookMs)
  for (const [i, { endedAtMs }] of endsOf('large').entries())
    if (begins[i + 1] !== undefined) expect((begins[i + 1] ?? 0) - endedAtMs).toBeGreaterThanOrEqual(20_000)
  expect(endsOf('small').length).toBeGreaterThan(10)
  expect(large.events.slice(0, 7)).toEqual(['begin', 'rows', 'rows', 'rows', 'rows', 'rows', 'end'])
})

it('pauses no longer because the machine slept, or the wall clock was set, while it scanned', async () => {
  const { scanned } = table(1, 10)
  let asked = 0
  const sleeping: ScannedTable = {
    ...scanned,
    scanRows: (range) => {
      if (++asked === 1) clock.suspend(3_600_000)
      return scanned.scanRows(range)
    },
  }
  const running = run({ sleeping })
  await clock.advance(5_000)
  closing.abort()
  await clock.advance(5_000)
  await running
  expect(ended.slice(0, 2).map(({ pauseMs }) => pauseMs)).toEqual([2_000, 2_000])
})

it('a scan that failed has no end, and begins again after the pause', async () => {
  const leases = table(3, 100, { times: 2 })
  const running = run({ leases: leases.scanned })
  await clock.advance(5_000)
  expect(failed).toHaveLength(2)
  expect(leases.events).toEqual(['begin', 'begin', 'begin', 'rows', 'rows', 'rows', 'end'])
  closing.abort()
  await running
})

it('compares the rows of one statement over many turns of the event loop', async () => {
  clock = new TiringClock(startMs)
  let turns = 0
  let hasEnded = false
  function* rows(): Generator<void, void> {
    const from = turns
    for (let i = 0; i < 1_000; i++) yield
    expect(turns - from).toBeGreaterThan(100)
    hasEnded = true
  }
  const { scanned } = table(1, 0)
  const running = run({ leases: { ...scanned, snapshot: { ...scanned.snapshot, addScanned: rows } } })
  await clock.advance(1)
  for (; !hasEnded && failed.length === 0; turns++) await new Promise((begins) => setImmediate(begins))
  closing.abort()
  await clock.advance(5_000)
  await running
  expect(failed).toEqual([])
})
