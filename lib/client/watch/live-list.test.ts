import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WatchEvent, WatchedLease } from '../../contract/leases/watch.ts'
import { ApiError } from '../call/api-error.ts'
import { epochMs, libraryOwner, sightingAt } from '../row/test-lease.ts'
import type { LeaseView, LeaseWindow } from '../view/lease-view.ts'
import { LiveList } from './live-list.ts'
import type { StreamListener, WatchNews } from './watch-stream.ts'

const view: LeaseView = {
  table: undefined,
  prefix: '',
  q: '',
  owner: '',
  states: [],
  sort: 'trouble',
  order: 'asc',
}
const window = { offset: 0, limit: 100 }

let nowMs = 0
let streams: { view: LeaseView & LeaseWindow; say: StreamListener; isOpen: boolean }[] = []
let said: string[] = []
let list: LiveList

const at = (ms: number) => new Date(epochMs + ms).toISOString()
const lease = (name: string, over: Partial<WatchedLease> = {}): WatchedLease => ({
  ...sightingAt(nowMs, { name }).lease,
  heldSince: null,
  renewed: false,
  ...over,
})
const scan = { endedAt: at(0), rows: 2, tookMs: 4, pauseMs: 2000 }
const good = { kind: 'good' } as const

function snapshot(rows: WatchedLease[], over: Partial<WatchEvent<'snapshot'>> = {}): void {
  const counts = { total: 5, matching: rows.length, byState: { held: rows.length } }
  const data = { counts, offset: 0, rows, scan, store: good, now: at(nowMs), ...over }
  news({ name: 'snapshot', data, atMs: nowMs })
}
const changes = (over: Partial<WatchEvent<'changes'>>) =>
  news({ name: 'changes', data: { rows: [], gone: [], now: at(nowMs), ...over }, atMs: nowMs })
const heartbeat = (over: Partial<WatchEvent<'heartbeat'>> = {}) =>
  news({ name: 'heartbeat', data: { scan, store: good, viewers: 3, now: at(nowMs), ...over }, atMs: nowMs })
const news = (each: WatchNews) => streams.at(-1)?.say.news(each)
const names = () => list.shown().rows.map((row) => row.lease.name)
const states = () => list.shown().rows.map((row) => row.state)

async function passTo(ms: number): Promise<void> {
  while (nowMs < ms) {
    nowMs++
    await vi.advanceTimersByTimeAsync(1)
  }
}

const newList = () =>
  new LiveList({
    open: (opened, say) => {
      const stream = { view: opened, say, isOpen: true }
      streams.push(stream)
      return {
        close: () => {
          stream.isOpen = false
        },
      }
    },
    now: () => nowMs,
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    onTrouble: () => said.push('trouble'),
    onSession: () => said.push('session'),
    onCounts: (_, { total }) => said.push(`${total} leases`),
  })

beforeEach(() => {
  vi.useFakeTimers()
  nowMs = 0
  streams = []
  said = []
  list = newList()
  list.watch(view, window)
})
afterEach(() => {
  list.sleep()
  vi.useRealTimers()
})

describe('a live list', () => {
  it('shows what the stream says, and what time does to it, to the millisecond', async () => {
    expect(list.shown()).toMatchObject({ key: null, rows: [] })
    snapshot([lease('a', { remainingMs: 100, valueRemainingMs: 100 })])
    heartbeat()
    expect(list.shown()).toMatchObject({ counts: { total: 5 }, viewers: 3, scan: { atMs: 0, rows: 2 } })
    await passTo(99)
    expect(states()).toEqual(['held'])
    await passTo(100)
    expect(states()).toEqual(['verifying'])
    changes({ gone: [{ name: 'a', at: at(100) }] })
    await passTo(5099)
    expect(states()).toEqual(['gone'])
    await passTo(5101)
    expect(states()).toEqual([])
  })

  it('says of a row that it is gone, although it learned that more than five seconds late', async () => {
    snapshot([lease('a')])
    const writtenMs = nowMs
    const data = { rows: [], gone: [{ name: 'a', at: at(writtenMs) }], names: [], now: at(writtenMs) }
    await passTo(writtenMs + 6000)
    news({ name: 'changes', data, atMs: writtenMs })
    expect(states()).toEqual(['gone'])
    await passTo(writtenMs + 11_000)
    expect(names()).toEqual([])
  })

  it('stands still in silence and without Cassandra, and makes up for it afterwards', async () => {
    snapshot([lease('a', { remainingMs: 100, valueRemainingMs: 100 })])
    streams[0]?.say.silence({ sinceMs: 50 })
    await passTo(200)
    expect([states(), list.shown().silence]).toEqual([['held'], { sinceMs: 50 }])
    list.lose(true)
    streams[0]?.say.silence(null)
    expect(states()).toEqual(['held'])
    list.lose(false)
    expect(states()).toEqual(['verifying'])
  })

  it('shows each row as it was read last once Cassandra does not answer: a renewal that was not looked for is not missing', async () => {
    snapshot([
      lease('a', { owner: libraryOwner }),
      lease('ending', { owner: libraryOwner, remainingMs: 11_000, valueRemainingMs: 11_000 }),
    ])
    await passTo(2000)
    changes({
      rows: [lease('ending', { owner: libraryOwner, remainingMs: 9000, valueRemainingMs: 9000 })],
    })
    await passTo(12_000)
    expect(states()).toEqual(['risk', 'verifying'])
    list.lose(true)
    expect(states()).toEqual(['held', 'verifying'])
    expect(list.shown().rows.map(({ clock }) => clock.readAtMs)).toEqual([0, 2000])
    list.lose(false)
    expect(states()).toEqual(['risk', 'verifying'])
  })

  it('shows each row as it was read last while Cassandra answers no read of its table, though it answers others', async () => {
    snapshot([lease('a', { owner: libraryOwner })])
    await passTo(12_000)
    heartbeat()
    expect([states(), list.shown().unanswered]).toEqual([['risk'], null])
    heartbeat({ store: { kind: 'lost', since: at(9000), asOf: at(8000) } })
    const unanswered = { table: undefined, sinceMs: 8000, isRefused: false }
    expect([states(), list.shown().unanswered]).toEqual([['held'], unanswered])
    list.pause(true)
    heartbeat()
    expect(list.shown().unanswered).toBeNull()
    list.pause(false)
    expect(states()).toEqual(['risk'])
    heartbeat({ store: { kind: 'lost', since: at(9000), asOf: null, refused: true } })
    expect(list.shown().unanswered).toMatchObject({ sinceMs: 9000, isRefused: true })
    snapshot([lease('a')])
    expect(list.shown().unanswered).toBeNull()
  })

  it('keeps what it shows while it is paused, and counts what comes meanwhile', async () => {
    snapshot([lease('a'), lease('b')])
    await passTo(1000)
    list.pause(true)
    changes({ rows: [lease('a', { value: 'new', version: '2' })] })
    changes({ rows: [lease('b')] })
    changes({ rows: [lease('c')], names: ['c', 'b'] })
    heartbeat()
    expect(names()).toEqual(['a', 'b'])
    expect(list.shown().paused).toEqual({ sinceMs: 1000, changes: 2 })
    list.pause(false)
    expect([names(), list.shown().paused]).toEqual([['c', 'b'], null])
  })

  it('paused, it shows the time that was left at the last read of each row, however long ago the row was written', async () => {
    snapshot([lease('a', { remainingMs: 180_000, ttlSeconds: 180 }), lease('b')])
    await passTo(1000)
    changes({ rows: [lease('a', { remainingMs: 179_000, ttlSeconds: 180 })], names: ['a'] })
    list.hold(true)
    await passTo(1500)
    list.pause(true)
    changes({ rows: [lease('a', { remainingMs: 178_500, ttlSeconds: 180 })] })
    const shown = list.shown().rows.map(({ clock, reading }) => [clock.readAtMs, reading.atMs])
    expect(shown).toEqual([[1000, 1000]])
  })

  it('out of its window a row shows what was left when it was read last', async () => {
    snapshot([lease('a'), lease('b')])
    await passTo(1000)
    changes({ rows: [lease('b', { remainingMs: 19_000, valueRemainingMs: 19_000 })] })
    list.hold(true)
    changes({ names: ['a'] })
    expect(list.shown().rows.map(({ clock, listed }) => [listed, clock.readAtMs])).toEqual([
      [true, 0],
      [false, 1000],
    ])
  })

  it('paused before its first snapshot, it goes on showing the rows of the page’s HTML, and counts what is different', () => {
    const begun = newList()
    begun.begin(view, { leases: [lease('a'), lease('b'), lease('c')], now: at(0) }, 0)
    begun.watch(view, window)
    // The page has seen how many rows its screen has room for.
    begun.watch(view, { offset: 0, limit: 75 })
    begun.pause(true)
    snapshot([lease('a'), lease('b', { version: '2', value: 'new' })])
    expect(begun.shown().rows.map((row) => row.lease.name)).toEqual(['a', 'b', 'c'])
    expect(begun.shown().paused?.changes).toBe(2)
    begun.pause(false)
    expect(begun.shown().rows.map((row) => row.lease.name)).toEqual(['a', 'b'])
  })

  it('paused before its first snapshot, it goes on showing a row that was read meanwhile: as the page of a lease has it', () => {
    list.begin(view, { leases: [lease('a', { owner: 'first' })], now: at(0) }, 0)
    list.pause(true)
    snapshot([lease('a', { owner: 'second', version: '2' })])
    expect(list.shown().rows.map((row) => row.lease.owner)).toEqual(['first'])
    expect(list.shown().paused?.changes).toBe(1)
    list.pause(false)
    expect(list.shown().rows.map((row) => row.lease.owner)).toEqual(['second'])
  })

  it('paused before there is anything to show, it shows the first rows that come, and goes on showing them', () => {
    list.pause(true)
    list.begin(view, { leases: [lease('a', { owner: 'first' })], now: at(0) }, 0)
    expect(list.shown().rows.map((row) => row.lease.owner)).toEqual(['first'])
    snapshot([lease('a', { owner: 'second', version: '2' })])
    expect(list.shown().rows.map((row) => row.lease.owner)).toEqual(['first'])
  })

  it('shows another part of the view although it is paused: the reader went there', () => {
    snapshot([lease('a')])
    list.pause(true)
    list.watch(view, { offset: 50, limit: 100 })
    snapshot([lease('x')], { offset: 50 })
    expect([names(), list.shown().offset]).toEqual([['x'], 50])
    snapshot([lease('y')], { offset: 50 })
    expect(names()).toEqual(['x'])
  })

  it('stands still there as of the moment of that part, and counts what changes in it', async () => {
    snapshot([lease('a')])
    list.pause(true)
    changes({ rows: [lease('a', { version: '2' })] })
    await passTo(5000)
    list.watch(view, { offset: 50, limit: 100 })
    snapshot([lease('x')], { offset: 50 })
    expect(list.shown().paused).toEqual({ sinceMs: 5000, changes: 0 })
    await passTo(6000)
    changes({ rows: [lease('x', { remainingMs: 19_000, valueRemainingMs: 19_000 })] })
    expect(list.shown().rows.map(({ reading }) => reading.atMs)).toEqual([5000])
    changes({ rows: [lease('x', { version: '2' })] })
    expect(list.shown().paused).toEqual({ sinceMs: 5000, changes: 1 })
  })

  it.each<[string, () => void]>([
    [
      'the page was hidden',
      () => {
        list.sleep()
        list.wake()
      },
    ],
    [
      'Cassandra was lost in silence',
      () => {
        streams.at(-1)?.say.silence({ sinceMs: nowMs })
        list.lose(true)
        list.lose(false)
      },
    ],
    [
      'the reader asked again after a refusal',
      () => {
        streams.at(-1)?.say.broken(new ApiError({ code: 'too-many-requests', status: 429 }), false)
        list.retry()
      },
    ],
  ])('stays paused after another stream was opened because %s', (_, open) => {
    snapshot([lease('a')])
    list.pause(true)
    open()
    expect(streams).toHaveLength(2)
    snapshot([lease('b')])
    expect([names(), list.shown().silence, list.shown().error]).toEqual([['a'], null, null])
    list.pause(false)
    expect(names()).toEqual(['b'])
  })

  it('shows where the reader went although it is paused, also if its stream had to be opened again', () => {
    snapshot([lease('a')])
    list.pause(true)
    list.watch(view, { offset: 50, limit: 100 })
    list.sleep()
    list.wake()
    snapshot([lease('x')], { offset: 50 })
    expect(names()).toEqual(['x'])
  })

  it('keeps its rows until another view has come, and hears no more of the one before', () => {
    snapshot([lease('a')])
    list.watch({ ...view, q: 'b' }, window)
    expect([names(), streams[0]?.isOpen]).toEqual([['a'], false])
    const first = list.shown().key
    streams[0]?.say.silence({ sinceMs: 1 })
    expect(list.shown().silence).toBeNull()
    snapshot([lease('b')])
    expect(names()).toEqual(['b'])
    expect(list.shown().key).not.toBe(first)
    list.watch({ ...view, q: 'b' }, window)
    expect(streams).toHaveLength(2)
  })

  it('does not move rows under the pointer, nor make the page longer, until they are let go or asked for', () => {
    const counts = (matching: number) => ({ total: 9, matching, byState: {} })
    snapshot([lease('a'), lease('b')], { counts: counts(6) })
    list.hold(true)
    changes({ names: ['c', 'b', 'a'], rows: [lease('c')], counts: counts(7) })
    expect([names(), list.shown().waits, list.shown().below]).toEqual([['a', 'b'], 2, 4])
    list.letIn()
    expect([names(), list.shown().waits, list.shown().below]).toEqual([['c', 'b', 'a'], 0, 4])
    changes({ names: ['b', 'a'], counts: counts(6) })
    expect([names(), list.shown().waits]).toEqual([['c', 'b', 'a'], 1])
    list.hold(false)
    expect([names(), list.shown().waits, list.shown().below]).toEqual([['b', 'a'], 0, 4])
  })

  it('says when the scan is behind: the next one should have ended long ago', () => {
    const isBehind = () => list.shown().scan?.isBehind
    snapshot([])
    expect(isBehind()).toBe(false)
    nowMs = 12_000
    heartbeat()
    expect(isBehind()).toBe(false)
    nowMs = 12_100
    heartbeat()
    expect(isBehind()).toBe(true)
    heartbeat({ scan: { ...scan, endedAt: at(12_000) } })
    expect(isBehind()).toBe(false)
    heartbeat({ scan: { ...scan, endedAt: null } })
    expect(isBehind()).toBe(false)
    // A long scan follows the one before it after four times its length.
    const long = { endedAt: at(0), rows: 1_000_000, tookMs: 60_000, pauseMs: 240_000 }
    nowMs = 300_000
    heartbeat({ scan: long })
    expect(isBehind()).toBe(false)
    nowMs = 400_000
    heartbeat({ scan: long })
    expect(isBehind()).toBe(true)
  })

  it('finds out who is in trouble, and whether the session has ended', () => {
    snapshot([lease('a')])
    heartbeat({ store: { kind: 'lost', since: at(0), asOf: null } })
    streams[0]?.say.broken(new ApiError({ code: 'server-unreachable' }), false)
    streams[0]?.say.broken(new ApiError({ code: 'unauthenticated', status: 401 }), false)
    streams[0]?.say.broken(new ApiError({ code: 'too-many-requests', status: 429 }), false)
    streams[0]?.say.sessionEnded()
    expect(said).toEqual(['5 leases', 'trouble', 'trouble', 'session', 'session'])
    expect(list.shown().error?.code).toBe('too-many-requests')
    heartbeat()
    expect(list.shown().error).toBeNull()
  })

  it('of one name it says when that was found free, until its row is there, and stands still in a pause', () => {
    snapshot([], { free: null })
    expect(list.shown().free).toBeNull()
    nowMs = 1000
    changes({ free: at(900) })
    expect(list.shown().free).toEqual({ at: at(900), atMs: 900 })
    changes({})
    expect(list.shown().free).toEqual({ at: at(900), atMs: 900 })
    list.pause(true)
    changes({ rows: [lease('a')], names: ['a'], free: null })
    expect([names(), list.shown().free?.atMs]).toEqual([[], 900])
    list.pause(false)
    expect([names(), list.shown().free]).toEqual([['a'], null])
    changes({ names: [], gone: [{ name: 'a', at: at(950) }], free: at(950) })
    snapshot([])
    expect(list.shown().free).toBeNull()
  })

  it('asleep it reads nothing; awake it says how old its rows are, and reads on', async () => {
    snapshot([lease('a')])
    list.sleep()
    expect(streams[0]?.isOpen).toBe(false)
    await passTo(6000)
    list.wake()
    expect([streams.length, list.shown().silence]).toEqual([2, { sinceMs: 0 }])
    // The new stream has heard nothing, and does not know since when.
    streams.at(-1)?.say.silence({ sinceMs: null })
    expect(list.shown().silence).toEqual({ sinceMs: 0 })
    snapshot([lease('a')])
    expect([names(), list.shown().silence]).toEqual([['a'], null])
  })
})
