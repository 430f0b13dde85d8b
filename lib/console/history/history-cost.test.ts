/** What one look at a lease's history reads, and that it shows what a whole reading shows. */
import { getMaxListeners } from 'node:events'
import { bareEvent, dayMs, type EventStore, hourMs, type LeaseEvent, minuteMs } from 'leasehold/history'
import { FakeClock, MemoryEventStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LeaseHistory } from '../../contract/leases/history.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { getLeaseHistory } from './history-handler.ts'
import type { HistoryServices } from './history-services.ts'
import { HistoryTurns, statementsAtOnce, statementsOfOneSender } from './reading/history-turns.ts'
import { LastTransitions } from './reading/last-transitions.ts'
import { RecordedDays } from './reading/recorded-days.ts'
import { daysOf, type Stretch } from './recordings.ts'

const startMs = Date.UTC(2026, 0, 8, 12, 30)
let clock: FakeClock
let statements: number
/** Of events alone, those that are under way, and the most that were. */
let underWay: number
let mostUnderWay: number
/** Called at each statement on events, which is answered when this has ended. */
let answer: () => unknown
let events: MemoryEventStore
let stretches: Stretch[]
let services: HistoryServices

function setUp(retentionDays: number) {
  statements = 0
  underWay = 0
  mostUnderWay = 0
  answer = () => {}
  events = new MemoryEventStore()
  stretches = []
  const counted = new Proxy<EventStore>(events, {
    get:
      (of, key: keyof EventStore) =>
      async (...given: never[]) => {
        statements++
        mostUnderWay = Math.max(mostUnderWay, ++underWay)
        await answer()
        underWay--
        return (of[key] as (...given: never[]) => unknown).apply(of, given)
      },
  })
  const store = {
    write: async () => {},
    between: async (_table: string, fromMs: number, toMs: number) => {
      const days = daysOf(fromMs, toMs)
      statements += days.length
      return stretches.filter(({ beganMs }) => days.includes(Math.floor(beganMs / dayMs) * dayMs))
    },
  }
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping } as LeaseTable
  const history = {
    retentionSeconds: (retentionDays * dayMs) / 1000,
    recordedDays: new RecordedDays({ store, clock }),
    lastTransitions: new LastTransitions({ clock }),
    turns: new HistoryTurns(),
    leaseTableOf: () => 'k.leases',
    eventsOf: () => counted,
  }
  const session = { keyspace: 'k' }
  services = {
    clock,
    history,
    session,
    tables: new Map([['leases', table]]),
  } as unknown as HistoryServices
}

beforeEach(() => {
  clock = new FakeClock(startMs)
  setUp(7)
})

const nowMs = () => clock.now().wallMs
const iso = (ms: number) => new Date(ms).toISOString()

interface Reader {
  name?: string
  senderKey?: string
  signal?: AbortSignal
}
const turn = () => new Promise(setImmediate)
const never = new AbortController().signal

async function look(
  sinceMs: number,
  untilMs = 0,
  { name = 'job', senderKey = 'person ann', signal = never }: Reader = {},
): Promise<{ body: LeaseHistory; cost: number }> {
  const before = statements
  const query = {
    from: iso(nowMs() - sinceMs),
    to: untilMs === 0 ? undefined : iso(nowMs() - untilMs),
    renewals: 'none',
    limit: 200,
  }
  const input = { params: { name }, query, session: { role: 'admin' }, senderKey, signal }
  const { body } = await getLeaseHistory(input as never, services)
  return { body: body as LeaseHistory, cost: statements - before }
}

const acquired = (atMs: number, owner = 'a'): LeaseEvent => ({
  ...bareEvent,
  id: `${owner}${atMs}`,
  name: 'job',
  kind: 'acquired',
  source: 'observed',
  atMs,
  owner,
})
const watched = (beganMs: number, untilMs: number, why: Stretch['why'] = 'store'): Stretch => ({
  beganMs,
  untilMs,
  why,
  recorder: 'r',
  what: 'everything',
})

/** Every day is watched whole, and today until now. */
function watchSince(fromMs: number) {
  for (const day of daysOf(fromMs, nowMs()))
    stretches.push(watched(Math.max(day, fromMs), Math.min(day + dayMs, nowMs())))
}

describe('the statements of a look at a lease that is held steadily', () => {
  it.each([7, 365])('are few where %i days are kept, from the second look on', async (days) => {
    setUp(days)
    watchSince(nowMs() - days * dayMs)
    await events.write(acquired(nowMs() - days * dayMs + hourMs))
    const { body } = await look(hourMs)
    expect(body.before).toMatchObject({ owner: 'a' })
    const costs: number[] = []
    for (let count = 0; count < 720; count++) {
      await clock.advance(5_000)
      const { cost, body } = await look(hourMs)
      expect(body.before).toMatchObject({ owner: 'a' })
      costs.push(cost)
    }
    costs.sort((one, other) => one - other)
    expect(costs[360]).toBeLessThan(6)
    // Within this hour the last seven days are read once.
    expect(costs[718]).toBeLessThan(32)
    expect(costs[719]).toBeLessThan(200)
  })

  it('are shared by viewers who look at the same time', async () => {
    const before = statements
    await Promise.all([look(hourMs), look(hourMs)])
    const ofTwo = statements - before
    setUp(7)
    const { cost } = await look(hourMs)
    // The page of a look, and the hour before it, are its own.
    expect(ofTwo - cost).toBeLessThan(6)
  })
})

describe('looks at names that were not looked at before', () => {
  const looks = (count: number, senderOf: (look: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        look(6 * dayMs, 0, { name: `random ${i}`, senderKey: senderOf(i) }),
      ),
    )

  it('sent the statements of all of them at once', async () => {
    answer = turn
    await looks(8, (i) => `person ${i}`)
    expect(mostUnderWay).toBe(statementsAtOnce)
  })

  it('leave turns to others, when one sender makes them', async () => {
    answer = turn
    await looks(8, () => 'person vic')
    expect(mostUnderWay).toBe(statementsOfOneSender)
  })

  it('went on for a client that had gone', async () => {
    setUp(365)
    const client = new AbortController()
    answer = () => {
      if (statements >= 1_000) client.abort()
      return turn()
    }
    await expect(look(365 * dayMs, 0, { signal: client.signal })).rejects.toThrow('abort')
    // Each statement listens. Node would print a warning of a leak from the eleventh listener on.
    expect(getMaxListeners(client.signal)).toBe(Number.POSITIVE_INFINITY)
    await turn()
    const atItsEnd = statements
    for (let turns = 0; turns < 20; turns++) await turn()
    expect(statements).toBe(atItsEnd)
    expect(atItsEnd).toBeLessThan(1_000 + statementsAtOnce)
  })
})

describe('what was written late is seen', () => {
  it.each([
    ['in the hour of the range’s beginning, at once', hourMs + 20 * minuteMs, 5_000],
    ['in the hours before, after 30 s', 3 * hourMs, 30_000],
    ['on the last day, after 10 minutes', 20 * hourMs, 600_000],
    ['on the last 7 days, after an hour', 5 * dayMs, hourMs],
    ['on earlier days, after a day', 50 * dayMs, dayMs],
  ])('%s', async (_, agoMs, withinMs) => {
    setUp(365)
    expect((await look(hourMs)).body.before).toBeNull()
    await events.write(acquired(nowMs() - agoMs))
    await clock.advance(withinMs)
    expect((await look(hourMs)).body.before).toMatchObject({ owner: 'a' })
  })

  it('a range that begins later sees a transition that the earlier one showed as within it', async () => {
    await events.write(acquired(nowMs() - 10 * minuteMs))
    expect((await look(hourMs)).body.before).toBeNull()
    await clock.advance(hourMs)
    expect((await look(hourMs)).body.before).toMatchObject({ owner: 'a' })
  })

  it('what is older than the retention is not shown, although it was read', async () => {
    await events.write(acquired(nowMs() - 7 * dayMs + minuteMs))
    expect((await look(hourMs)).body.before).toMatchObject({ owner: 'a' })
    await clock.advance(2 * minuteMs)
    expect((await look(hourMs)).body.before).toBeNull()
  })
})

describe('what was recorded', () => {
  it('since when and until when, whatever range is asked', async () => {
    watchSince(nowMs() - 4 * dayMs)
    const { body } = await look(3 * dayMs, 2 * dayMs)
    expect(body.recordedSince).toBe(iso(nowMs() - 4 * dayMs))
    expect(body.recordedUntil).toBe(iso(nowMs()))
    expect(body.notObserved).toEqual([])
  })

  it('of a gap beyond the end of the range the reason is known, which a later day has', async () => {
    stretches.push(watched(nowMs() - 5 * dayMs, nowMs() - 4 * dayMs - 13 * hourMs))
    stretches.push(watched(nowMs() - dayMs, nowMs() - dayMs + hourMs))
    const { body } = await look(5 * dayMs, 4 * dayMs)
    expect(body.notObserved).toMatchObject([{ why: 'store', to: iso(nowMs() - 4 * dayMs) }])
    expect(body.recordedUntil).toBe(iso(nowMs() - dayMs + hourMs))
  })

  it('a recorder that begins is seen within seconds', async () => {
    expect((await look(hourMs)).body.recordedSince).toBeNull()
    await clock.advance(1_000)
    watchSince(nowMs() - 500)
    expect((await look(hourMs)).body.recordedSince).toBe(iso(nowMs() - 500))
  })
})
