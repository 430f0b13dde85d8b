import { StoreRefusedError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { startMs } from '../test-rows.ts'
import { StoreHealthWatch } from './store-health.ts'

const down = new StoreUnavailableError('down')
const refused = new StoreRefusedError('User reader has no SELECT permission')

let clock: FakeClock
let store: StoreHealthWatch
beforeEach(() => {
  clock = new FakeClock(startMs)
  store = new StoreHealthWatch(clock)
})

const kind = () => store.health.kind
const pass = (ms: number) => clock.advance(ms)
function wholeScan(): void {
  store.scanBegan()
  store.scanAnswered()
  store.scanEnded()
}
function scanFailedAfterAnAnswer(): void {
  store.scanBegan()
  store.scanAnswered()
  store.scanFailed(down)
}
function silentScan(): void {
  store.scanBegan()
  store.scanFailed(down)
}

it('is lost when no read has succeeded for a while, and not by one read that failed', async () => {
  store.answered()
  await pass(1_000)
  store.failed(down)
  await pass(1_000)
  store.answered()
  await pass(5_000)
  expect(store.health).toEqual({ kind: 'good' })
  store.failed(down)
  await pass(1_600)
  store.failed(down)
  expect(store.health).toEqual({
    kind: 'lost',
    sinceMs: startMs + 7_000,
    asOfMs: startMs + 2_000,
    isRefused: false,
  })
  store.answered()
  expect(store.health).toEqual({ kind: 'good' })
})

it('of a process that never had an answer, no row is known', async () => {
  store.failed(down)
  await pass(2_000)
  expect(store.health).toEqual({ kind: 'lost', sinceMs: startMs, asOfMs: null, isRefused: false })
})

it('a scan without an answer loses the table, as a read of a row does', async () => {
  wholeScan()
  await pass(2_000)
  silentScan()
  await pass(1_400)
  expect(kind()).toBe('good')
  await pass(100)
  expect(store.health).toMatchObject({ kind: 'lost', sinceMs: startMs + 2_000, asOfMs: startMs })
})

it('is good while scans get some answers, whatever else fails and however long a statement hangs', async () => {
  wholeScan()
  for (let scan = 0; scan < 5; scan++) {
    await pass(2_000)
    store.scanBegan()
    store.scanAnswered()
    for (let second = 0; second < 10; second++) {
      // Rows of the part that has no quorum are due, and asked for each second; not in the first scan, which finds it out.
      if (scan > 0) store.failed(down)
      await pass(1_000)
      expect(kind()).toBe('good')
    }
    store.scanFailed(down)
  }
  await pass(60_000)
  expect(kind()).toBe('good')
})

it('a part that fails is known from the first answer of a scan, though the reads before it had lost the table', async () => {
  wholeScan()
  await pass(1_000)
  store.failed(down)
  await pass(1_500)
  expect(kind()).toBe('lost')
  store.scanBegan()
  store.scanAnswered()
  for (let second = 0; second < 10; second++) {
    store.failed(down)
    await pass(1_000)
    expect(kind()).toBe('good')
  }
})

it('after a scan that failed half-way, the first one without an answer loses the table', async () => {
  wholeScan()
  await pass(2_000)
  scanFailedAfterAnAnswer()
  await pass(2_000)
  expect(kind()).toBe('good')
  silentScan()
  expect(store.health).toMatchObject({ kind: 'lost', sinceMs: startMs + 2_000, asOfMs: startMs + 2_000 })
})

it('and so does one whose first statement hangs', async () => {
  wholeScan()
  await pass(2_000)
  scanFailedAfterAnAnswer()
  await pass(2_000)
  store.scanBegan()
  await pass(2_900)
  expect(kind()).toBe('good')
  await pass(100)
  expect(kind()).toBe('lost')
  store.scanAnswered()
  expect(kind()).toBe('good')
})

it('is good while rows are answered between scans that all fail', async () => {
  wholeScan()
  // A free name is read every two seconds.
  for (let scan = 0; scan < 10; scan++) {
    store.answered()
    silentScan()
    for (let tick = 0; tick < 21; tick++) {
      await pass(100)
      expect(kind()).toBe('good')
    }
  }
})

it('and is lost by the second of two such scans between which no row was answered', async () => {
  wholeScan()
  store.answered()
  silentScan()
  await pass(1_000)
  store.answered()
  await pass(1_000)
  silentScan()
  await pass(2_000)
  expect(kind()).toBe('good')
  silentScan()
  expect(kind()).toBe('lost')
})

it('an answered row speaks for the table until it is asked for again, and not once another one failed', async () => {
  wholeScan()
  store.answered()
  silentScan()
  await pass(2_400)
  expect(kind()).toBe('good')
  await pass(100)
  expect(kind()).toBe('lost')
  store.answered()
  wholeScan()
  store.answered()
  store.failed(down)
  await pass(1_500)
  expect(kind()).toBe('lost')
})

it('a scan that came to its end forgets what failed before it', async () => {
  scanFailedAfterAnAnswer()
  await pass(2_000)
  wholeScan()
  store.failed(down)
  await pass(1_500)
  expect(kind()).toBe('lost')
})

it('says by the last failure whether Cassandra refuses to read the table, or does not answer', async () => {
  wholeScan()
  store.scanBegan()
  store.scanFailed(refused)
  await pass(2_000)
  expect(store.health).toMatchObject({ kind: 'lost', isRefused: true })
  store.failed(down)
  expect(store.health).toMatchObject({ kind: 'lost', isRefused: false })
  store.failed(refused)
  expect(store.health).toMatchObject({ kind: 'lost', isRefused: true })
})
