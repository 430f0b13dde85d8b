import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pageClock } from './page-clock.ts'
import { onTick, type Pace } from './ticker.ts'

// The ticker asks the document only whether it is hidden, and to be called when that changes.
let isHidden = false
let changed: (() => void) | undefined

beforeEach(() => {
  isHidden = false
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(pageClock, 'now').mockImplementation(() => performance.now())
  vi.stubGlobal('document', {
    get hidden() {
      return isHidden
    },
    addEventListener: (_: string, listener: () => void) => {
      changed = listener
    },
    removeEventListener: () => {
      changed = undefined
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function counting(pace: (nowMs: number) => Pace) {
  const calledAtMs: number[] = []
  const end = onTick((nowMs) => {
    calledAtMs.push(nowMs)
    return pace(nowMs)
  })
  return { calledAtMs, end }
}

test('Calls a listener with tenths ten times a second, and one with seconds once', () => {
  const fast = counting(() => 'tenths')
  const slow = counting(() => 'seconds')
  vi.advanceTimersByTime(5000)
  expect(fast.calledAtMs.length).toBeGreaterThanOrEqual(50)
  expect(slow.calledAtMs.length).toBeLessThanOrEqual(7)
  expect(slow.calledAtMs.length).toBeGreaterThanOrEqual(5)
  fast.end()
  slow.end()
  expect(vi.getTimerCount()).toBe(0)
})

test('With none that shows tenths it wakes once a second, for all of them in one turn', () => {
  const some = [counting(() => 'seconds'), counting(() => 'seconds')]
  vi.advanceTimersByTime(1)
  let wakes = 0
  const seen = onTick(() => {
    wakes++
    return 'seconds'
  })
  vi.advanceTimersByTime(10_000)
  expect(wakes).toBeLessThanOrEqual(12)
  expect(some[0]?.calledAtMs.slice(1)).toEqual(some[1]?.calledAtMs.slice(1))
  seen()
  for (const { end } of some) end()
})

test('A listener that comes near its end is called ten times a second from then on', () => {
  const { calledAtMs, end } = counting((nowMs) => (nowMs < 3000 ? 'seconds' : 'tenths'))
  vi.advanceTimersByTime(5000)
  expect(calledAtMs.filter((atMs) => atMs < 3000).length).toBeLessThanOrEqual(4)
  expect(calledAtMs.filter((atMs) => atMs >= 4000).length).toBeGreaterThanOrEqual(9)
  end()
})

test('Stands still while the page is hidden, and writes at once when it is seen again', () => {
  const { calledAtMs, end } = counting(() => 'tenths')
  vi.advanceTimersByTime(500)
  isHidden = true
  changed?.()
  const before = calledAtMs.length
  vi.advanceTimersByTime(5000)
  expect(calledAtMs).toHaveLength(before)
  isHidden = false
  changed?.()
  expect(calledAtMs).toHaveLength(before + 1)
  end()
})
