import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Lease } from '../../contract/leases/lease.ts'
import { libraryOwner, sightingAt } from '../row/test-lease.ts'
import type { LeaseView } from '../view/lease-view.ts'
import { LiveList } from './live-list.ts'
import type { StreamListener } from './watch-stream.ts'

/** The page's time, which goes on in each look at it and in each drawing: in the other tests both take no time at all. */
let nowMs = 0
let lookTakesMs = 0
let drawingTakesMs = 0
let drawings = 0
let list: LiveList
let stream: StreamListener

const view: LeaseView = {
  table: undefined,
  prefix: '',
  q: '',
  owner: '',
  states: [],
  sort: 'trouble',
  order: 'asc',
}
const watch = () => list.watch(view, { offset: 0, limit: 100 })

beforeEach(() => {
  vi.useFakeTimers()
  nowMs = lookTakesMs = drawingTakesMs = 0
  list = new LiveList({
    open: (_, listener) => {
      stream = listener
      return { close: () => {} }
    },
    now: () => {
      nowMs += lookTakesMs
      return nowMs
    },
    // Browsers leave out the fraction: a timer may fire up to a millisecond early.
    setTimer: (run, ms) => setTimeout(run, Math.trunc(ms)),
    clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    onTrouble: () => {},
    onSession: () => {},
  })
  drawings = 0
  list.subscribe(() => {
    drawings++
    nowMs += drawingTakesMs
  })
})
afterEach(() => {
  list.sleep()
  vi.useRealTimers()
})

const ending = { remainingMs: 100, valueRemainingMs: 100 }
const sighting = (over: Partial<Lease> = ending) => sightingAt(nowMs, { name: 'a', ...over })
const scan = { endedAt: null, rows: 1, tookMs: 4, pauseMs: 2000 }
const store = { kind: 'good' as const }

function snapshot(over?: Partial<Lease>): void {
  watch()
  const { lease, now } = sighting(over)
  const counts = { total: 1, matching: 1, byState: { held: 1 } }
  const rows = [{ ...lease, heldSince: null, renewed: false }]
  stream.news({ name: 'snapshot', data: { counts, offset: 0, rows, scan, store, now }, atMs: nowMs })
}

const state = () => list.shown().rows[0]?.state

async function passTo(ms: number): Promise<void> {
  while (nowMs < ms) {
    nowMs++
    await vi.advanceTimersByTimeAsync(1)
  }
}

it('a lease whose timer fires at the very moment of its risk is shown to be at risk: at that moment it is held still', async () => {
  snapshot({ owner: libraryOwner })
  await passTo(10_000)
  expect(state()).toBe('held')
  await passTo(10_002)
  expect(state()).toBe('risk')
})

it('a lease that ends while the page draws an event is shown to have ended', async () => {
  snapshot()
  nowMs = 90
  drawingTakesMs = 20
  const { now } = sighting()
  stream.news({ name: 'heartbeat', data: { scan, store, viewers: 1, now }, atMs: nowMs })
  await vi.advanceTimersByTimeAsync(1)
  expect(state()).toBe('verifying')
})

it('a lease that ends between two looks at the clock, of a timer that was a little early, is shown to have ended', async () => {
  snapshot()
  nowMs = 99.5
  lookTakesMs = 0.3
  await vi.advanceTimersByTimeAsync(110)
  expect(state()).toBe('verifying')
})

it('a lease of the page’s HTML that ends before the first event of the stream is shown to have ended', async () => {
  const { lease, now } = sighting()
  list.begin(view, { leases: [lease], now }, nowMs)
  drawings = 0
  watch()
  expect(drawings).toBe(0)
  await passTo(100)
  expect([state(), drawings]).toEqual(['verifying', 1])
})

it('a lease that ends between the drawing of the page’s HTML and its stream is shown to have ended', () => {
  const { lease, now } = sighting()
  list.begin(view, { leases: [lease], now }, nowMs)
  nowMs = 100
  watch()
  expect(state()).toBe('verifying')
})

it('a lease that ends after the page was hidden for a moment is shown to have ended', async () => {
  snapshot()
  list.sleep()
  await passTo(50)
  list.wake()
  await passTo(100)
  expect(state()).toBe('verifying')
})

it('a lease that ends while the page is hidden is shown as it was read once the page has slept for long, or is paused', async () => {
  snapshot()
  list.sleep()
  await passTo(5000)
  list.wake()
  await passTo(5200)
  expect(state()).toBe('held')

  snapshot()
  list.pause(true)
  list.sleep()
  list.wake()
  await passTo(5400)
  expect(state()).toBe('held')
})
