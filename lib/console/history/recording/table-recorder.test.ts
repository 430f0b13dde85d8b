/** One table's recorder, on a watch whose scans and changes a test makes. Times in milliseconds after the start. */
import { StoreRefusedError } from 'leasehold/lease'
import { FakeClock, MemoryEventStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { WatchedRow } from '../../watch/rows/watched-row.ts'
import type { TableWatch } from '../../watch/table-watch.ts'
import { TableRecorder } from './table-recorder.ts'
import { brief, MemoryRecordings } from './test-instances.ts'
import { WriteQueue } from './write-queue.ts'

const startMs = Date.UTC(2026, 0, 1, 12)
const pauseMs = 2_000
let clock: FakeClock
let events: MemoryEventStore
let recordings: MemoryRecordings
let rows: Map<string, WatchedRow>
let lastScan: TableWatch['lastScan']
let changed: (before: WatchedRow | null, after: WatchedRow | null) => void
let recorder: TableRecorder

beforeEach(() => {
  clock = new FakeClock(startMs)
  events = new MemoryEventStore()
  recordings = new MemoryRecordings()
  rows = new Map()
  lastScan = null
  const watch = {
    get lastScan() {
      return lastScan
    },
    table: { mapping: { owner: 'owner' } },
    snapshot: { rows, goneAtMs: () => null },
    listen: (listener: typeof changed) => {
      changed = listener
      return () => {}
    },
  } as unknown as TableWatch
  const queue = new WriteQueue({ timer: clock, isElected: () => true, refused: () => {} })
  recorder = new TableRecorder({
    watch,
    leaseTable: 'k.leases',
    events,
    recordings,
    queue,
    clock,
    recorder: 'r',
  })
})

/** A scan ends now, and the recorder looks. */
async function scanned(tookMs: number): Promise<void> {
  lastScan = { endedAtMs: clock.now().wallMs, rows: 0, tookMs, pauseMs }
  await recorder.beat()
}
const until = (ms: number) => clock.advance(startMs + ms - clock.now().wallMs)
const stretches = async () =>
  (await recordings.between()).map(({ what, why, beganMs, untilMs }) => [
    what,
    why,
    beganMs - startMs,
    untilMs - startMs,
  ])

function row(name: string, writtenMs: number, heldSinceMs: number | null = null): WatchedRow {
  const now = clock.now()
  return {
    name,
    owner: 'a',
    value: null,
    version: BigInt(startMs + writtenMs) * 1_000n,
    expiresAtMs: null,
    valueExpiresAtMs: null,
    ttlSeconds: 30,
    state: 'held',
    heldSinceMs: heldSinceMs === null ? null : startMs + heldSinceMs,
    renewed: false,
    scan: 1,
    read: { level: 'SERIAL', sent: now, at: now, serverNowMs: now.wallMs },
  } as WatchedRow
}

it('the stretch does not pass the earliest time of an event that is not written, be its version later', async () => {
  await until(3_000)
  await scanned(1_000)
  await until(6_000)
  await scanned(1_000)
  expect(await stretches()).toEqual([['everything', 'no-recorder', 3_000, 5_000]])
  // The last scan without the row began at 5 s: the lease may have been acquired right after, and renewed at 8 s.
  events.fault = () => 'unavailable'
  await until(8_500)
  changed(null, row('job', 8_000))
  await until(12_000)
  await scanned(1_000)
  expect(await stretches()).toEqual([['everything', 'no-recorder', 3_000, 5_000]])
  events.fault = () => undefined
  await until(15_000)
  await scanned(1_000)
  expect(await stretches()).toEqual([['everything', 'no-recorder', 3_000, 14_000]])
})

it('a scan that takes long is no outage, and the same time without a scan is one', async () => {
  await until(3_000)
  await scanned(1_000)
  await until(5_000 + 20_000)
  await scanned(20_000)
  expect(await stretches()).toEqual([['everything', 'no-recorder', 3_000, 5_000]])
  await until(25_000 + pauseMs + 20_000)
  await scanned(1_000)
  await until(25_000 + pauseMs + 23_000)
  await scanned(1_000)
  expect(await stretches()).toEqual([
    ['everything', 'no-recorder', 3_000, 5_000],
    ['everything', 'store', 46_000, 49_000],
  ])
})

it('a tenure that began up to a second before the last recorder ended is written again: clocks differ', async () => {
  const before = { beganMs: startMs, untilMs: startMs + 10_000, recorder: 'earlier' }
  await recordings.write('k.leases', { ...before, what: 'everything', why: 'no-recorder' })
  await until(30_000)
  rows.set('near', row('near', 20_000, 9_100))
  rows.set('far', row('far', 20_000, 8_900))
  await scanned(1_000)
  await clock.advance(1_000)
  const range = { fromMs: startMs, toMs: startMs + 60_000 }
  const written = async (name: string) => (await events.transitions(name, range, 10)).map(brief)
  expect([await written('near'), await written('far')]).toEqual([['acquired a'], []])
})

it('a minute whose renewals were refused is marked once', async () => {
  await until(3_000)
  await scanned(1_000)
  let marks = 0
  const write = recordings.write.bind(recordings)
  recordings.write = (table, stretch) => {
    if (stretch.what === 'renewals') marks++
    return write(table, stretch)
  }
  events.writeRenewals = async () => {
    throw new StoreRefusedError('The row is too large.')
  }
  changed(row('job', 3_000), row('job', 4_000))
  for (let atMs = 62_000; atMs < 100_000; atMs += 5_000) {
    await until(atMs)
    await scanned(1_000)
  }
  expect(await stretches()).toContainEqual(['renewals', 'dropped', 0, 60_000])
  expect(marks).toBe(1)
})
