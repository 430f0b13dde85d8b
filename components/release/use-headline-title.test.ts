import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serverNow } from '../../lib/client/call/call.ts'
import { pageClock } from '../../lib/client/time/page-clock.ts'
import { keepTitle } from './use-headline-title.ts'

let page: EventTarget & { title: string; hidden: boolean }

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.spyOn(pageClock, 'now').mockImplementation(() => performance.now())
  page = Object.assign(new EventTarget(), { title: 'Release · Leasehold', hidden: true })
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('counts down in the name of a tab that is hidden: it is read from another tab', () => {
  const end = keepTitle('Broken: a, safe in', serverNow(pageClock.now()) + 10_000)
  expect(page.title).toBe('Broken: a, safe in 00:10 · Leasehold')
  vi.advanceTimersByTime(7000)
  expect(page.title).toBe('Broken: a, safe in 00:03 · Leasehold')
  end()
  expect(page.title).toBe('Release · Leasehold')
  expect(vi.getTimerCount()).toBe(0)
})

it('a headline without a time needs no timer', () => {
  const end = keepTitle('Killed: a, free', undefined)
  expect(page.title).toBe('Killed: a, free · Leasehold')
  expect(vi.getTimerCount()).toBe(0)
  end()
})
