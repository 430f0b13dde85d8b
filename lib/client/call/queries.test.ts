import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Release } from '../../contract/releases/release.ts'
import { sightingAt } from '../row/test-lease.ts'
import { pageClock } from '../time/page-clock.ts'
import { ApiError } from './api-error.ts'
import { hearServer } from './call.ts'
import {
  followed,
  isNotActedOn,
  type LeaseReading,
  leaseQuery,
  leaseRhythm,
  releaseRhythm,
  termRhythm,
} from './queries.ts'

// A call waits ten seconds for them, and a busy machine may need longer to read them for the first time.
beforeAll(() => import('./answers.ts'))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const free = (readAtMs: number): LeaseReading => ({ held: false, readAtMs, now: undefined })
const held = { held: true, sighting: sightingAt(0) } as LeaseReading

it('a free lease is read less and less often, and every second again once it is held', () => {
  let reading = followed(held, free(1000))
  const gaps = [leaseRhythm(reading)]
  for (const atMs of [2000, 11_000, 61_000, 3_600_000]) {
    reading = followed(reading, free(atMs))
    gaps.push(leaseRhythm(reading))
  }
  expect(gaps).toEqual([1000, 1000, 1000, 6000, 15_000])
  expect(leaseRhythm(followed(reading, held))).toBe(1000)
  expect(leaseRhythm(undefined)).toBe(1000)
})

it('a plan is asked about for a minute after its expiry: a request that came just before may be on its way to its first write', () => {
  const planExpiresAt = '2026-11-20T03:15:00.000Z'
  const planned = (now: string) => releaseRhythm({ outcome: 'planned', planExpiresAt, now } as Release)
  expect(planned('2026-11-20T03:14:59.000Z')).toBe(1000)
  expect(planned('2026-11-20T03:15:59.000Z')).toBe(1000)
  expect(planned('2026-11-20T03:16:00.000Z')).toBe(false)
})

it('a plan was not acted on as long as the last read says so: the request may have arrived since', () => {
  const read = (outcome: Release['outcome']) => ({ outcome }) as Release
  expect(isNotActedOn(read('planned'), null)).toBe(true)
  expect(isNotActedOn(read('planned'), new Error('no answer'))).toBe(false)
  expect(isNotActedOn(read('released'), null)).toBe(false)
  expect(isNotActedOn(undefined, null)).toBe(false)
  expect(isNotActedOn(undefined, new ApiError({ code: 'not-found', status: 404 }))).toBe(true)
})

it('a term whose first read failed is asked for again: nothing else would', () => {
  expect(termRhythm({ data: undefined, error: new Error('no answer'), dataUpdateCount: 0 })).toBe(2000)
})

it('a lock has no term, and a table without owners has no leaders: after that they are not asked for again', () => {
  const read = (term: string | null, dataUpdateCount: number) =>
    termRhythm({ data: { term }, error: null, dataUpdateCount })
  expect([read(null, 1), read(null, 2), read(null, 3), read('7', 1)]).toEqual([2000, 2000, false, false])
  const error = new ApiError({ code: 'bad-request', status: 400 })
  expect(termRhythm({ data: undefined, error, dataUpdateCount: 0 })).toBe(false)
})

it('a free lease was read when the server wrote so, not when a late answer came', async () => {
  const writtenMs = Date.parse('2026-11-20T03:14:00.000Z')
  const at = (ms: number) => new Date(writtenMs + ms).toISOString()
  let nowMs = 10_000
  vi.spyOn(pageClock, 'now').mockImplementation(() => nowMs)
  vi.stubGlobal('fetch', async () => {
    // The server reads it at 10 s; its answer is 3 s on the way.
    nowMs = 13_000
    const problem = {
      type: 'about:blank',
      title: 'Not held',
      status: 404,
      code: 'not-held',
      detail: '',
      now: at(0),
    }
    return new Response(JSON.stringify(problem), { status: 404 })
  })
  // The clock of the page, from an answer that came at once.
  hearServer(at(-1000), 9000, 9000)
  const { queryFn } = leaseQuery('job')
  const reading = await (queryFn as (context: unknown) => Promise<LeaseReading>)({})
  expect(reading).toEqual({ held: false, askedAtMs: 10_000, readAtMs: 10_000, now: at(0) })
})
