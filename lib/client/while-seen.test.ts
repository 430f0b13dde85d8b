import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sleepAfterMs, whileSeen } from './while-seen.ts'

let page: EventTarget & { hidden: boolean }
let done: string[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  done = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const reader = { wake: () => done.push('wake'), sleep: () => done.push('sleep') }

function turn(hidden: boolean): void {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

it('sleeps once the page has been hidden for a while, and wakes when it is seen', () => {
  whileSeen(reader)
  turn(true)
  vi.advanceTimersByTime(sleepAfterMs - 1)
  turn(false)
  vi.advanceTimersByTime(sleepAfterMs)
  expect(done).toEqual(['wake', 'wake'])
  turn(true)
  vi.advanceTimersByTime(sleepAfterMs)
  turn(false)
  expect(done).toEqual(['wake', 'wake', 'sleep', 'wake'])
})

it('a page that was hidden from the start, in a tab opened in the background, reads once and sleeps after the same time', () => {
  page.hidden = true
  whileSeen(reader)
  vi.advanceTimersByTime(sleepAfterMs - 1)
  expect(done).toEqual(['wake'])
  vi.advanceTimersByTime(1)
  expect(done).toEqual(['wake', 'sleep'])
  turn(false)
  expect(done).toEqual(['wake', 'sleep', 'wake'])
})

it('sleeps for good at the end', () => {
  page.hidden = true
  const end = whileSeen(reader)
  end()
  vi.advanceTimersByTime(sleepAfterMs)
  turn(false)
  expect(done).toEqual(['wake', 'sleep'])
})
