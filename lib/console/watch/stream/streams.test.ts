import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { StreamSink } from '../../http/adapters/api-request.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { StreamTurns } from '../../http/streams/stream-turns.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { ViewSpec } from '../rows/view.ts'
import { TableWatch } from '../table-watch.ts'
import { lease, nothing, startMs, toTheEnd } from '../test-rows.ts'
import { eventsIn, type SomeEvent } from '../test-stream.ts'
import { WatchStreams, type WindowSpec } from './streams.ts'

let clock: FakeClock
let table: TableWatch
let closing: AbortController
let streams: WatchStreams
let viewers = 0

const view: ViewSpec = { sort: 'name', prefix: '', q: '', owner: null, states: null, within: '' }
const all: WindowSpec = { ...view, order: 'asc', offset: 0, limit: 3 }
const serial = (sent: number) => ({ level: 'SERIAL' as const, sent })

beforeEach(() => {
  clock = new FakeClock(startMs)
  closing = new AbortController()
  const turns = new StreamTurns({ clock, timer: clock })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  table = new TableWatch({ id: 'leases', mapping } as LeaseTable, {
    clock,
    due: () => {},
    seen: () => {},
    letGoOne: () => streams.forgetOne('leases'),
  })
  streams = new WatchStreams({ clock, turns, closing: closing.signal })
})

/** Streams begin one after the other, one in a turn of the event loop. */
const turnComes = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

/** A viewer whose connection takes `room` texts, and then no more until it has drained. */
async function viewer(
  spec: Partial<WindowSpec> = {},
  lastEventId: string | null = null,
  room = 1_000,
  sender?: string,
) {
  const ended = new AbortController()
  const asked = { sender: sender ?? `viewer ${++viewers}`, lastEventId, signal: ended.signal }
  const stream = await streams.stream(table, { ...all, ...spec }, asked)
  const state = { events: [] as SomeEvent[], room, ended: false }
  const sink: StreamSink = {
    write: (text) => {
      state.events.push(...eventsIn(text))
      return --state.room > 0
    },
    end: () => {
      state.ended = true
      stream.closed()
    },
  }
  stream.open(sink)
  await turnComes()
  return {
    state,
    lose: () => ended.abort(new HttpProblem('unauthenticated', 'gone')),
    leave: () => stream.closed(),
    drain: (more: number) => {
      state.room = more
      stream.drained()
    },
    last: () => state.events.at(-1),
    changes: () => state.events.flatMap(({ event, data }) => (event === 'changes' ? [data] : [])),
  }
}
async function tick(ms = 100): Promise<void> {
  for (let past = 0; past < ms; past += 100) {
    await clock.advance(100)
    toTheEnd(table.snapshot.tick())
    streams.tick()
  }
}
const nowMs = () => clock.now().monotonicMs
const put = (name: string, owner = 'a', ttlSeconds = 60) =>
  table.snapshot.add(lease(name, serial(nowMs()), { owner, writtenMs: nowMs(), ttlSeconds }))

it('begins with the window, whole; then sends what differs, together', async () => {
  for (const name of ['a', 'b', 'c', 'd']) put(name)
  const ann = await viewer()
  expect(ann.state.events).toMatchObject([
    { event: 'snapshot', data: { counts: { total: 4, matching: 4 }, offset: 0, scan: { endedAt: null } } },
  ])
  await tick()
  put('b', 'z')
  put('aa')
  await tick()
  expect(ann.changes()).toHaveLength(1)
  expect(ann.changes()[0]).toMatchObject({ names: ['a', 'aa', 'b'], gone: [] })
  expect(ann.changes()[0]?.rows.map(({ name, owner }) => [name, owner])).toEqual([
    ['aa', 'a'],
    ['b', 'z'],
  ])
})

it('says of a row that it is gone, when a SERIAL read has said so, and not of one that moved out', async () => {
  for (const name of ['b', 'c', 'd']) put(name)
  const ann = await viewer()
  await tick()
  put('a')
  await tick()
  expect(ann.changes().at(-1)).toMatchObject({ names: ['a', 'b', 'c'], gone: [] })
  table.snapshot.add(nothing('b', serial(nowMs())))
  await tick()
  expect(ann.changes().at(-1)).toMatchObject({ names: ['a', 'c', 'd'], gone: [{ name: 'b' }] })
})

it('sends mere reads once a second, and a beat every two', async () => {
  put('a')
  const ann = await viewer()
  await tick(1_500)
  const before = ann.changes().length
  for (let i = 0; i < 40; i++) {
    table.snapshot.add(lease('a', serial(nowMs()), { owner: 'a', ttlSeconds: 60 }))
    await tick()
  }
  expect(ann.changes().length - before).toBeGreaterThanOrEqual(3)
  expect(ann.changes().length - before).toBeLessThanOrEqual(4)
  expect(ann.state.events.filter(({ event }) => event === 'heartbeat').length).toBeGreaterThanOrEqual(2)
  expect(ann.state.events.filter(({ event }) => event === 'heartbeat').length).toBeLessThanOrEqual(4)
})

it('tells the viewers of a table at once that Cassandra does not answer for it, and when it does again', async () => {
  put('a')
  const ann = await viewer()
  table.health.answered()
  await tick(1_000)
  table.health.failed(new StoreUnavailableError('down'))
  await tick(1_400)
  expect(ann.last()?.data).toMatchObject({ store: { kind: 'good' } })
  await tick(100)
  expect(ann.last()?.data).toMatchObject({
    store: {
      kind: 'lost',
      since: new Date(startMs + 1_000).toISOString(),
      asOf: new Date(startMs).toISOString(),
    },
  })
  table.health.answered()
  await tick(100)
  expect(ann.last()?.data).toMatchObject({ store: { kind: 'good' } })
})

it('writes nothing to a viewer that is full, and then what is different since, once', async () => {
  for (const name of ['a', 'b', 'c']) put(name)
  const [slow, quick] = [await viewer({}, null, 1), await viewer()]
  for (let i = 0; i < 100; i++) {
    put('b', `owner ${i}`)
    await tick()
  }
  expect(slow.state.events).toHaveLength(1)
  expect(quick.changes().length).toBeGreaterThan(50)
  slow.drain(1_000)
  expect(slow.state.events).toHaveLength(2)
  expect(slow.changes()[0]?.rows).toMatchObject([{ name: 'b', owner: 'owner 99' }])
  expect(slow.last()?.id).toBe(quick.state.events.filter(({ event }) => event === 'changes').at(-1)?.id)
})

it('goes on after the last event of a reader that comes back; begins again for any other', async () => {
  for (const name of ['a', 'b', 'c']) put(name)
  const ann = await viewer()
  await tick()
  const id = ann.last()?.id ?? null
  ann.leave()
  put('b', 'next')
  table.snapshot.add(nothing('c', serial(nowMs())))
  await tick(500)
  const back = await viewer({}, id)
  expect(back.changes()).toMatchObject([{ rows: [{ name: 'b', owner: 'next' }], names: ['a', 'b'] }])
  expect(back.changes()[0]?.gone.map(({ name }) => name)).toEqual(['c'])
  expect((await viewer({ limit: 2 }, id)).last()?.event).toBe('snapshot')
  expect((await viewer({}, 'another.7')).last()?.event).toBe('snapshot')
  expect((await viewer({}, `${id}9999`)).last()?.event).toBe('snapshot')
  for (const each of [back]) each.leave()
  await tick(60_000)
})

it('says how many watch: a page with two streams is one', async () => {
  const open = [
    await viewer({}, null, 1_000, 'ann'),
    await viewer({ q: 'a' }, null, 1_000, 'ann'),
    await viewer(),
  ]
  await tick(2_100)
  expect(open[0]?.state.events.filter(({ event }) => event === 'heartbeat').at(-1)?.data).toMatchObject({
    viewers: 2,
  })
  expect(streams.viewers).toBe(3)
  open[1]?.leave()
  open[2]?.leave()
  await tick(2_100)
  expect(open[0]?.last()?.data).toMatchObject({ viewers: 1 })
  open[0]?.leave()
})

it('ends with a word when the sender may not watch any longer, and when the server ends', async () => {
  const [ann, ben] = [await viewer(), await viewer()]
  expect(streams.viewers).toBe(2)
  ann.lose()
  expect([ann.last()?.data, ann.state.ended, ben.state.ended]).toEqual([{ reason: 'session' }, true, false])
  expect(streams.viewers).toBe(1)
  closing.abort()
  expect([ben.last()?.data, ben.state.ended, streams.viewers]).toEqual([{ reason: 'closing' }, true, 0])
  expect((await viewer()).state).toMatchObject({ ended: true })
})

it('a stream of one name says when that was found free, when its row comes, and nothing of other names', async () => {
  for (const name of ['job/10', 'Job/1', 'job/1 ']) put(name)
  const ann = await viewer({ name: 'job/1' })
  expect(ann.last()?.data).toMatchObject({ rows: [], free: null, counts: { total: 0 } })
  expect([...streams.absent()]).toEqual([{ table: 'leases', name: 'job/1', foundMs: null }])
  table.snapshot.add(nothing('job/1', serial(nowMs())))
  const { wallMs: foundMs, monotonicMs: foundMonotonicMs } = clock.now()
  await tick(1_100)
  expect(ann.changes().at(-1)).toMatchObject({ rows: [], free: new Date(foundMs).toISOString() })
  expect([...streams.absent()]).toEqual([{ table: 'leases', name: 'job/1', foundMs: foundMonotonicMs }])
  put('job/1')
  await tick()
  expect(ann.changes().at(-1)).toMatchObject({ names: ['job/1'], rows: [{ name: 'job/1' }], free: null })
  expect([...streams.absent()]).toEqual([])
  const said = ann.changes().length
  for (const name of ['job/10', 'Job/1', 'job/1 ']) put(name, 'another owner')
  await tick(1_500)
  expect(ann.changes()).toHaveLength(said)
  table.snapshot.add(nothing('job/1', serial(nowMs())))
  await tick()
  expect(ann.changes().at(-1)).toMatchObject({
    names: [],
    gone: [{ name: 'job/1' }],
    free: expect.any(String),
  })
  expect((await viewer()).last()?.data).not.toHaveProperty('free')
})

it('as many names are watched as there are viewers, beside the hundred filters', async () => {
  for (let i = 0; i < 300; i++) await viewer({ name: `job/${i}` })
  for (let i = 0; i < 100; i++) await viewer({ q: `${i}` })
  expect((await viewer({ name: 'one more' })).state.events).toMatchObject([{ event: 'snapshot' }])
})

it('a program knows of no row outside of its prefix', async () => {
  for (const name of ['mine/1', 'theirs/1', 'theirs/2']) put(name)
  const program = await viewer({ prefix: 'mine/', within: 'mine/' })
  expect(program.last()?.data).toMatchObject({
    counts: { total: 1, matching: 1 },
    rows: [{ name: 'mine/1' }],
  })
  put('theirs/3')
  await tick(1_500)
  expect(program.changes()).toEqual([])
})

it('a table scanned by the hundred views says so to the next', async () => {
  for (let i = 0; i < 100; i++) await viewer({ q: `${i}` })
  await expect(viewer({ q: 'more' })).rejects.toThrow('100 different filters')
  await viewer({ q: '7', offset: 3 })
})

it('a reader that leaves a hundred filters behind keeps no other out', async () => {
  put('a')
  for (let i = 0; i < 150; i++) (await viewer({ q: `filter ${i}` })).leave()
  expect((await viewer({ q: 'a' })).state.events).toMatchObject([
    { event: 'snapshot', data: { counts: { matching: 1 } } },
  ])
  await table.view({ ...view, q: 'of a page' }, 'ann')
})

it('filters that are looked at are not taken away, and one more is refused', async () => {
  const open = await Promise.all(Array.from({ length: 100 }, (_, i) => viewer({ q: `filter ${i}` })))
  await expect(viewer({ q: 'one more' })).rejects.toThrow(/100 different filters/)
  open[0]?.leave()
  await viewer({ q: 'one more' })
})

it('of the windows that were left, the last ones wait for their viewers', async () => {
  put('a')
  const windows: Awaited<ReturnType<typeof viewer>>[] = []
  for (let i = 0; i < 60; i++) windows.push(await viewer({ limit: 1, offset: i }))
  const ids = windows.map(({ last }) => last()?.id ?? null)
  for (const { leave } of windows) leave()
  const cameBack = async (i: number) =>
    (await viewer({ limit: 1, offset: i }, ids[i] ?? null)).state.events[0]?.event
  expect(await cameBack(59)).toBe('changes')
  expect(await cameBack(20)).toBe('changes')
  expect(await cameBack(0)).toBe('snapshot')
})

it('a window whose stream is about to open stays, whatever others leave behind', async () => {
  put('a')
  const { signal } = new AbortController()
  const stream = await streams.stream(table, { ...all, q: 'a' }, { sender: 'ann', lastEventId: null, signal })
  for (let i = 0; i < 150; i++) (await viewer({ q: `filter ${i}` })).leave()
  const texts: string[] = []
  stream.open({ write: (text) => texts.push(text) > 0, end: () => {} })
  await turnComes()
  put('a', 'another owner')
  await tick()
  expect(texts.join('')).toContain('another owner')
})

it('a program that knows some names does not learn how many others there are', async () => {
  for (const name of ['a/1', 'b/1', 'b/2', 'b/3']) put(name)
  const scan = { endedAtMs: startMs, rows: 4, tookMs: 1, pauseMs: 2_000 } as Parameters<
    TableWatch['scanned']
  >[0]
  table.scanned(scan)
  const program = await viewer({ prefix: 'a/', within: 'a/' })
  const person = await viewer({ prefix: 'a/' })
  await tick(4_000)
  const rowsSeenBy = ({ state }: typeof program) =>
    new Set(state.events.flatMap(({ data }) => ('scan' in data ? [data.scan.rows] : [])))
  expect(program.state.events.map(({ event }) => event)).toContain('heartbeat')
  expect(rowsSeenBy(program)).toEqual(new Set([1]))
  expect(rowsSeenBy(person)).toEqual(new Set([4]))
})

it('a viewer that comes between two counts learns the next ones, also where they are those of before', async () => {
  for (const name of ['a', 'b', 'c']) put(name)
  const ann = await viewer()
  await tick(300)
  put('z')
  await tick()
  const bob = await viewer()
  table.snapshot.add(nothing('z', serial(nowMs())))
  await tick(2_000)
  const totalOf = ({ state }: typeof ann) =>
    state.events.map(({ data }) => ('counts' in data ? data.counts?.total : undefined)).findLast(Boolean)
  expect([totalOf(ann), totalOf(bob)]).toEqual([3, 3])
})

it('an event that had to wait for its connection says how much time is left then, not before', async () => {
  put('a')
  const ann = await viewer()
  const bob = await viewer({}, null, 1)
  put('a', 'z')
  await tick()
  await clock.advance(80)
  bob.drain(10)
  for (const { changes } of [ann, bob])
    for (const { now, rows } of changes())
      for (const { remainingMs, expiresAt } of rows)
        expect(Date.parse(now) + (remainingMs ?? 0)).toBe(Date.parse(expiresAt ?? ''))
  expect(bob.changes()).toHaveLength(1)
})
