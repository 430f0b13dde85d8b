/** Pages of any limit tell together what one large page tells, wherever their edges cut. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryEventStore } from '../testing/index.ts'
import {
  bareEvent,
  type EventPlace,
  eventId,
  type HistoryPlace,
  hourMs,
  type LeaseEvent,
  readHistory,
} from './index.ts'

const edgeMs = Date.UTC(2026, 0, 1, 11)
const startMs = edgeMs - hourMs / 2
const range = { fromMs: edgeMs - 2 * hourMs, toMs: edgeMs + 2 * hourMs }

const event = (
  source: LeaseEvent['source'],
  kind: LeaseEvent['kind'],
  owner: string,
  atMs: number,
  more: Partial<LeaseEvent> = {},
): LeaseEvent => ({
  ...bareEvent,
  id: eventId(source, kind, owner, atMs),
  name: 'job',
  source,
  kind,
  owner,
  atMs,
  ttlSeconds: 30,
  ...more,
})
const within = (notBeforeMs: number, notAfterMs: number) => ({ notBeforeMs, notAfterMs })

async function storeOf(events: readonly LeaseEvent[]): Promise<MemoryEventStore> {
  const store = new MemoryEventStore()
  for (const each of events) await store.write(each)
  return store
}

/** All pages, one after the other. @param placeOf what a client keeps of a page's end */
async function told(
  store: MemoryEventStore,
  limit: number,
  placeOf: (place: HistoryPlace) => EventPlace = (place) => place,
): Promise<LeaseEvent[]> {
  const found: LeaseEvent[] = []
  let before: HistoryPlace | undefined
  for (let count = 0; count < 1_000; count++) {
    const page = await readHistory(store, 'job', { ...range, renewals: 'none', limit, before })
    found.push(...page.events)
    if (page.next === null) return found
    before = placeOf(page.next)
  }
  throw new Error('The pages have no end.')
}

const lines = (events: readonly LeaseEvent[]) =>
  events.map(({ id, kind, previousOwner, version }) => `${id} ${kind} ${previousOwner} ${version}`)
const brief = (events: readonly LeaseEvent[]) =>
  events.map(({ kind, owner, source }) => `${kind} ${owner} (${source})`)

/** Each tenure as the library and the recorder wrote it down. */
function tenure(owner: string, atMs: number, token: bigint): LeaseEvent[] {
  return [
    event('library', 'acquired', owner, atMs, { token, version: token }),
    event('observed', 'acquired', owner, atMs + 1_000, within(atMs - 1_000, atMs + 1_000)),
    event('library', 'released', owner, atMs + 30_000),
    event('observed', 'released', owner, atMs + 31_000, within(atMs + 29_000, atMs + 31_000)),
  ]
}

it.each([1, 2, 3, 4, 100])('two sources of each transition are one, over pages of %i', async (limit) => {
  const tenures = [0, 1, 2, 3].flatMap((i) => tenure(`o${i}`, startMs + i * 60_000, BigInt(i + 1)))
  expect(await told(await storeOf(tenures), limit)).toHaveLength(8)
})

it('so they are when the edge of an hour stands between them', async () => {
  const store = await storeOf([
    event('library', 'acquired', 'a', edgeMs - 500),
    event('observed', 'acquired', 'a', edgeMs + 500, within(edgeMs - 1_500, edgeMs + 500)),
  ])
  for (const limit of [1, 100]) expect(brief(await told(store, limit))).toEqual(['acquired a (library)'])
})

it('a recorder that looked late tells of a beginning on a page before', async () => {
  const between = [10, 20, 30, 40].map((minute) => event('console', 'asked', 'b', startMs + minute * 60_000))
  const seenMs = startMs + 50 * 60_000
  const store = await storeOf([
    event('library', 'acquired', 'b', startMs, { token: 7n }),
    ...between,
    event('observed', 'changed-hands', 'b', seenMs, {
      ...within(startMs - 60_000, seenMs),
      previousOwner: 'a',
      version: 7n,
    }),
  ])
  for (const limit of [1, 2, 100])
    expect((await told(store, limit)).at(-1)).toMatchObject({
      kind: 'changed-hands',
      source: 'library',
      previousOwner: 'a',
      version: 7n,
    })
})

it('the end that no row tells of comes with the beginning after it, hours later', async () => {
  const store = await storeOf([
    event('observed', 'acquired', 'a', edgeMs - hourMs),
    event('observed', 'acquired', 'b', edgeMs + hourMs),
  ])
  for (const limit of [1, 100])
    expect(brief(await told(store, limit))).toEqual([
      'acquired b (observed)',
      'ended-unknown a (observed)',
      'acquired a (observed)',
    ])
})

it('a place of an older version has no context, and is read on from', async () => {
  const store = await storeOf(tenure('a', startMs, 1n))
  expect(brief(await told(store, 1, ({ atMs, id }) => ({ atMs, id })))).toEqual([
    'released a (library)',
    'acquired a (library)',
  ])
})

it('a page of one transition reads little of a long history', async () => {
  const events = Array.from({ length: 5_000 }, (_, i) => event('console', 'asked', `o${i}`, edgeMs + i * 100))
  const store = await storeOf(events)
  let rows = 0
  const { transitions } = store
  store.transitions = async (...args) => {
    const found = await transitions.apply(store, args)
    rows += found.length
    return found
  }
  const { next } = await readHistory(store, 'job', { ...range, renewals: 'none', limit: 1 })
  expect(rows).toBeLessThan(100)
  rows = 0
  await readHistory(store, 'job', { ...range, renewals: 'none', limit: 1, before: next ?? undefined })
  expect(rows).toBeLessThan(250)
})

const secondMs = fc.integer({ min: -600, max: 600 }).map((second) => edgeMs + second * 1_000)
const row = fc
  .record({
    source: fc.constantFrom('library', 'console', 'observed', 'observed'),
    begins: fc.boolean(),
    end: fc.constantFrom('released', 'lost', 'killed', 'expired', 'resigned', 'asked', 'ended-unknown'),
    owner: fc.constantFrom('a', 'b', 'c'),
    atMs: secondMs,
    isSeenFor: fc.option(fc.integer({ min: 0, max: 300 })),
    isFoundAfter: fc.integer({ min: 0, max: 300 }),
    previousOwner: fc.option(fc.constantFrom('a', 'b', 'c')),
    ttlSeconds: fc.constantFrom(10, 30, 120),
  } as const)
  .map((made): LeaseEvent => {
    const { source, begins, end, owner, atMs, isSeenFor, ttlSeconds } = made
    const isObserved = source === 'observed'
    // The recorder names the instant of a beginning, and of an end that it did not see the last read that it can have.
    const kind = !begins ? end : isObserved && made.previousOwner !== null ? 'changed-hands' : 'acquired'
    const laterMs = kind === 'ended-unknown' ? made.isFoundAfter * 1_000 : 0
    const seen =
      isObserved && isSeenFor !== null ? within(atMs - isSeenFor * 1_000, atMs + laterMs) : undefined
    const previousOwner = begins ? made.previousOwner : null
    return event(source, kind, owner, atMs, { ...seen, previousOwner, ttlSeconds })
  })

it('pages of any limit tell together what one large page tells', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 150, size: 'max' }), async (events) => {
      const store = await storeOf(events)
      const whole = await told(store, 1_000)
      for (const limit of [1, 2, 7, 40, events.length])
        expect(lines(await told(store, limit))).toEqual(lines(whole))
    }),
    { seed: 20261125, numRuns: 30, endOnFailure: true },
  )
})
