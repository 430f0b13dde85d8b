import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Log } from '../log/log.ts'
import { filesPerWindow, PageLimits, pagesPerWindow } from './page-limits.ts'

const lines: unknown[] = []
const log = { warn: (fields: unknown) => lines.push(fields) } as unknown as Log

beforeEach(() => {
  vi.useFakeTimers()
  lines.length = 0
})
afterEach(() => {
  vi.useRealTimers()
})

const asked = (limits: PageLimits, count: number, address: string, path = '/sign-in') =>
  Promise.all(Array.from({ length: count }, () => limits.take(path, address)))

it('refuses an address that asks for pages in a loop, and no other; one line a window', async () => {
  const limits = new PageLimits(log)
  const answers = await asked(limits, pagesPerWindow + 50, '192.0.2.1')
  expect(answers.filter((seconds) => seconds === null)).toHaveLength(pagesPerWindow)
  expect(answers.at(-1)).toBe(5)
  expect(await limits.take('/', '192.0.2.2')).toBeNull()
  expect(lines).toEqual([{ act: 'page-limit', address: '192.0.2.1', perSecond: 20 }])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await limits.take('/', '192.0.2.1')).toBeNull()
})

it('takes a /64 of IPv6 for one address', async () => {
  const limits = new PageLimits(log)
  await asked(limits, pagesPerWindow, '2001:db8:0:7::1')
  expect(await limits.take('/', '2001:db8:0:7::2')).toBe(5)
})

it('counts files of the build for themselves: many browsers open their first page at once, none asks in a loop', async () => {
  const limits = new PageLimits(log)
  const answers = await asked(limits, filesPerWindow + 50, '192.0.2.1', '/_next/static/chunks/a.js')
  expect(answers.filter((seconds) => seconds === null)).toHaveLength(filesPerWindow)
  expect(lines).toEqual([{ act: 'file-limit', address: '192.0.2.1', perSecond: 400 }])
  expect(await limits.take('/', '192.0.2.1')).toBeNull()
})
