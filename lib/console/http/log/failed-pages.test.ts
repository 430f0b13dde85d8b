import { EventEmitter } from 'node:events'
import { FakeClock } from 'leasehold/testing'
import pino from 'pino'
import { expect, it } from 'vitest'
import { Sampler } from '../limits/sampler.ts'
import { strangerLines } from './access-log.ts'
import { FailedPages, pageThrew } from './failed-pages.ts'
import { logOptions } from './log.ts'

function setUp() {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { ...logOptions, level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const clock = new FakeClock(1_790_000_000_000)
  const pages = new FailedPages(log, new Sampler(clock, strangerLines))
  /** A page of Next, which answers with this status. */
  const open = async (render: () => Promise<void>, statusCode = 200, address = '192.0.2.1') => {
    const response = Object.assign(new EventEmitter(), { statusCode })
    await pages.watch({ requestId: '0123456789', address, response }, render).catch(() => {})
    response.emit('close')
  }
  return { lines, clock, pages, open }
}

it('a page that throws has one line, with the id of its request, its route and its error', async () => {
  const { lines, open } = setUp()
  await open(async () => {
    await Promise.resolve()
    pageThrew(new Error('no such row'), '/leases/[name]')
    pageThrew(new Error('no such row'), '/leases/[name]')
  }, 500)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    act: 'page',
    requestId: '0123456789',
    route: '/leases/[name]',
    status: 500,
    address: '192.0.2.1',
    error: { message: 'no such row' },
  })
})

it('an answer of 500 that no error explains has a line too; any other has none', async () => {
  const { lines, open } = setUp()
  await open(async () => {}, 404)
  await open(async () => {}, 200)
  expect(lines).toEqual([])
  await open(async () => {}, 500)
  expect(lines).toMatchObject([{ requestId: '0123456789', status: 500 }])
})

it('an error that Next lets through is logged once', async () => {
  const { lines, pages, open } = setUp()
  const thrown = new Error('Next failed')
  await open(async () => Promise.reject(thrown), 500)
  expect([pages.isNoted(thrown), pages.isNoted(new Error('another'))]).toEqual([true, false])
  expect(lines).toMatchObject([{ error: { message: 'Next failed' } }])
})

it('pages that fail by the thousand have a limited number of lines; the next one says how many were left out', async () => {
  const { lines, clock, open } = setUp()
  const fails = async () => pageThrew(new Error('fails'))
  for (let i = 0; i < 1_000; i++) await open(fails, 500)
  expect(lines).toHaveLength(strangerLines.perKey)
  for (let i = 0; i < 1_000; i++) await open(fails, 500, `198.51.100.${i % 250}`)
  expect(lines).toHaveLength(strangerLines.total)
  await clock.advance(strangerLines.windowMs)
  await open(fails, 500)
  expect(lines.at(-1)).toMatchObject({ notLogged: 900 })
})
