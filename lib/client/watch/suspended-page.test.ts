/** A laptop's lid is closed for an hour, and opened where there is no network: the whole page, by the clocks of the machine. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { epochMs, testLease } from '../row/test-lease.ts'
import type { LeaseView } from '../view/lease-view.ts'

const hourMs = 3_600_000
const view: LeaseView = {
  table: undefined,
  prefix: '',
  q: '',
  owner: '',
  states: [],
  sort: 'trouble',
  order: 'asc',
}
/** What stands still while the machine is suspended, and what goes on. */
const clocks = { monotonicMs: 1000, wallMs: epochMs - 60_000 }
let serverAheadMs = 60_000
let isOnline = true
/** Each answer waits for it, after it was written. */
let delivery = Promise.resolve()
const serverTime = () => new Date(clocks.wallMs + serverAheadMs).toISOString()

const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done))
}
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    clocks.monotonicMs += 100
    clocks.wallMs += 100
    await vi.advanceTimersByTimeAsync(100)
    await settle()
  }
}

function answer(path: string): Response {
  if (!isOnline) throw new TypeError('no network')
  const now = serverTime()
  if (path.startsWith('/v1/cluster'))
    return Response.json({
      name: 'c',
      embedded: true,
      nodesUp: 1,
      nodes: 1,
      serialReadMs: 2,
      tables: [],
      now,
    })
  const row = { ...testLease({ read: { level: 'SERIAL', at: now } }), heldSince: null, renewed: false }
  const data = {
    counts: { total: 1, matching: 1, byState: { held: 1 } },
    offset: 0,
    rows: [row],
    scan: { endedAt: now, rows: 1, tookMs: 4, pauseMs: 2000 },
    store: { kind: 'good' },
    now,
  }
  const body = new ReadableStream<Uint8Array>({
    start: (sink) =>
      sink.enqueue(new TextEncoder().encode(`event: snapshot\nid: 7\ndata: ${JSON.stringify(data)}\n\n`)),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockImplementation(() => clocks.monotonicMs)
  vi.spyOn(Date, 'now').mockImplementation(() => clocks.wallMs)
  vi.stubGlobal('fetch', async (path: string) => {
    const written = answer(path)
    await delivery
    return written
  })
  vi.stubGlobal('document', { hidden: false, addEventListener: () => {}, removeEventListener: () => {} })
})
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('after a suspend no age is too small by its length, the server’s time goes on, and no time is left that is over', async () => {
  // The page's clock begins with the page.
  const { pageClock, pageNow } = await import('../time/page-clock.ts')
  const { call, serverNow } = await import('../call/call.ts')
  const { live } = await import('../row/live.ts')
  const { onTick } = await import('../time/ticker.ts')
  const { LiveList } = await import('./live-list.ts')
  const { WatchStream } = await import('./watch-stream.ts')
  await import('./watch-answers.ts')
  await import('../call/answers.ts')

  let tickMs = 0
  const ends = [
    live.subscribe(() => {}),
    onTick((nowMs) => {
      tickMs = nowMs
      return 'tenths'
    }),
  ]
  const list = new LiveList({
    open: (opened, listener) =>
      new WatchStream(opened, listener, {
        fetch: (path, init) => fetch(path, init),
        clock: pageClock,
        setTimer: (run, ms) => setTimeout(run, ms),
        clearTimer: (timer) => clearTimeout(timer as number),
        random: () => 1,
        join: () => ({ mayStay: true, leave: () => {} }),
      }).open(),
    now: pageNow,
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as number),
    onTrouble: () => {},
    onSession: () => {},
  })
  list.watch(view, { offset: 0, limit: 100 })
  await call('getCluster', {})
  await settle()
  expect(list.shown()).toMatchObject({ rows: [{ state: 'held' }], silence: null })
  expect(live.connection().kind).toBe('good')
  const restart = await call('getCluster', {})
  await pass(1000)

  isOnline = false
  clocks.wallMs += hourMs
  await pass(500)
  const [row] = list.shown().rows
  // A list says at once that it is not live, and since when; a page without one how old its last read is.
  expect(list.shown().silence).not.toBeNull()
  expect(tickMs - (list.shown().silence?.sinceMs ?? tickMs)).toBe(hourMs + 1500)
  expect(tickMs - (row?.reading.atMs ?? tickMs)).toBe(hourMs + 1500)
  expect(tickMs - restart.arrivedAtMs).toBe(hourMs + 1500)
  expect(new Date(serverNow(tickMs)).toISOString()).toBe(serverTime())
  expect(tickMs).toBeGreaterThan(row?.clock.endsAtMs ?? tickMs)

  await expect(call('getCluster', {})).rejects.toMatchObject({ code: 'server-unreachable' })
  // "Leasehold's server has not answered for 1 h".
  const lost = live.connection()
  expect(tickMs - (lost.kind === 'lost' ? lost.sinceMs : tickMs)).toBe(hourMs + 1500)

  // A list that slept in the suspend.
  list.sleep()
  clocks.wallMs += hourMs
  list.wake()
  expect(list.shown().silence).not.toBeNull()
  await pass(100)
  expect(tickMs - (list.shown().silence?.sinceMs ?? tickMs)).toBe(2 * hourMs + 1600)
  list.leave()
  for (const end of ends) end()
})

it('an answer that waited in the browser for the whole suspend is as old as that, and says nothing of the time now', async () => {
  const { pageNow } = await import('../time/page-clock.ts')
  const { call, serverNow } = await import('../call/call.ts')
  const { live } = await import('../row/live.ts')
  const end = live.subscribe(() => {})
  isOnline = true
  await call('getCluster', {})
  let deliver = () => {}
  delivery = new Promise<void>((done) => {
    deliver = done
  })
  const asking = call('getCluster', {})
  await settle()
  const writtenAtMs = pageNow()
  clocks.wallMs += hourMs
  deliver()
  expect((await asking).arrivedAtMs).toBe(writtenAtMs)
  expect(live.connection()).toEqual({ kind: 'good', goodAtMs: writtenAtMs })
  end()
  expect(new Date(serverNow(pageNow())).toISOString()).toBe(serverTime())
})

it('a wall clock that is set forward moves the server’s time until the next answer, and one that is set back does not move it', async () => {
  const { pageNow } = await import('../time/page-clock.ts')
  const { call, serverNow } = await import('../call/call.ts')
  await call('getCluster', {})
  const setBy = (ms: number) => {
    clocks.wallMs += ms
    serverAheadMs -= ms
  }
  const behindMs = () => Date.parse(serverTime()) - serverNow(pageNow())
  setBy(-hourMs)
  expect(behindMs()).toBe(0)
  setBy(10_000)
  expect(behindMs()).toBe(-10_000)
  await pass(100)
  await call('getCluster', {})
  expect(behindMs()).toBe(0)
})
