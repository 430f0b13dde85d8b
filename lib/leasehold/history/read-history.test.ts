import { beforeEach, expect, it } from 'vitest'
import { MemoryEventStore } from '../testing/index.ts'
import {
  bareEvent,
  type EventPlace,
  hourMs,
  type LeaseEvent,
  lastBefore,
  minuteMs,
  type RenewalMinute,
  readHistory,
} from './index.ts'

const toMs = Date.UTC(2026, 0, 8, 12, 30)
const fromMs = toMs - 7 * 24 * hourMs
let store: MemoryEventStore

beforeEach(() => {
  store = new MemoryEventStore()
})

const event = (atMs: number, id: string): LeaseEvent => ({
  ...bareEvent,
  id,
  name: 'job',
  kind: 'asked',
  source: 'observed',
  atMs,
  owner: 'a',
})
const minute = (atMs: number): RenewalMinute => ({
  id: `m${atMs}`,
  name: 'job',
  source: 'observed',
  atMs,
  owner: 'a',
  count: 6,
  exact: null,
  leastMarginMs: null,
})

/** All pages of a query; each follows the one before without a gap. */
async function pages(limit: number, renewals: 'minute' | 'hour' = 'minute') {
  const found: { events: string[]; renewals: RenewalMinute[] } = { events: [], renewals: [] }
  let before: EventPlace | undefined
  let endMs = toMs
  for (let count = 1; ; count++) {
    const page = await readHistory(store, 'job', { fromMs, toMs, renewals, limit, before })
    expect(page.toMs).toBe(endMs)
    found.events.push(...page.events.map(({ id }) => id))
    found.renewals.push(...page.renewals)
    if (page.next === null) {
      expect(page.fromMs).toBe(fromMs)
      return { ...found, count }
    }
    endMs = page.fromMs
    before = page.next
  }
}

it.each([1, 3, 7, 200])('pages of %i show each event and each minute once', async (limit) => {
  const ids: string[] = []
  // Two at one instant, on the edges of hours, in a row, and after days without any.
  for (const atMs of [fromMs, fromMs + hourMs / 2, toMs - 50 * hourMs, toMs - hourMs / 2, toMs - 1])
    for (const id of ['x', 'y']) {
      await store.write(event(atMs, `${id}${atMs}`))
      ids.push(`${id}${atMs}`)
    }
  await store.write(event(toMs, 'too late'))
  await store.write(event(fromMs - 1, 'too early'))
  for (let count = 0; count < 90; count++) await store.writeRenewals(minute(toMs - minuteMs * (count + 1)))
  const found = await pages(limit)
  expect(found.events.toSorted()).toEqual(ids.toSorted())
  expect(found.renewals.map(({ atMs }) => atMs)).toEqual(
    Array.from({ length: 90 }, (_, count) => toMs - minuteMs * (count + 1)),
  )
  expect(found.count > 1).toBe(limit < 200)
})

it('adds up the renewals of an hour', async () => {
  for (let count = 0; count < 90; count++) await store.writeRenewals(minute(toMs - minuteMs * (count + 1)))
  const { renewals } = await pages(200, 'hour')
  expect(renewals.map(({ atMs, count }) => [new Date(atMs).toISOString(), count])).toEqual([
    ['2026-01-08T12:00:00.000Z', 180],
    ['2026-01-08T11:00:00.000Z', 360],
  ])
})

it.each([1, 7, 10])(
  'pages of %i, whose edges cut hours, tell each hour’s renewals once and whole',
  async (limit) => {
    for (let count = 0; count < 90; count++) {
      const atMs = toMs - minuteMs * (count + 1)
      await store.write(event(atMs, `x${count}`))
      await store.writeRenewals(minute(atMs))
    }
    const whole = await pages(200, 'hour')
    expect(whole.renewals.map(({ count }) => count)).toEqual([180, 360])
    expect((await pages(limit, 'hour')).renewals).toEqual(whole.renewals)
  },
)

it('finds the last transition before a range', async () => {
  await store.write(event(fromMs + 1, 'old'))
  expect(await lastBefore(store, 'job', { fromMs, toMs })).toMatchObject({ id: 'old' })
  expect(await lastBefore(store, 'job', { fromMs: toMs - 60 * hourMs, toMs })).toBeNull()
})
