import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiError } from '../call/api-error.ts'
import { testLease } from '../row/test-lease.ts'
import { backoffMs, EventStream, silenceMs } from '../stream/event-stream.ts'
import { PageClock } from '../time/page-clock.ts'
import type { LeaseView } from '../view/lease-view.ts'
import { type StreamListener, type WatchNews, WatchStream } from './watch-stream.ts'

const view: LeaseView = {
  table: undefined,
  prefix: '',
  q: 'run',
  owner: '',
  states: ['risk', 'zombie'],
  sort: 'trouble',
  order: 'asc',
}
const now = '2026-11-20T03:14:00.000Z'
const scan = { endedAt: now, rows: 1, tookMs: 4, pauseMs: 2000 }
const store = { kind: 'good' } as const
const row = { ...testLease(), heldSince: null, renewed: false }
const counts = { total: 1, matching: 1, byState: { held: 1 } }
const snapshot = { counts, offset: 0, rows: [row], scan, store, now }
const heartbeat = { scan, store, viewers: 2, now }

const sent = (name: string, data: unknown, id = '') =>
  `event: ${name}\n${id && `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** A server: each test sets its answer to the next request. */
interface Asked {
  path: string
  headers: Record<string, string>
  say: (text: string) => void
  end: () => void
  isOpen: () => boolean
}
let asked: Asked[] = []
let refusals: Response[] = []
let heard: (WatchNews | string)[] = []
let errors: ApiError[] = []
let stream: WatchStream
const clock = new PageClock(
  () => 1000,
  () => 5000,
)
/** Whether streams may stay open; and the callback for when that changes. */
let mayStay = true
let turnChanged = () => {}
const join = (changed: () => void) => {
  turnChanged = changed
  return {
    get mayStay() {
      return mayStay
    },
    leave: () => {},
  }
}

const listener: StreamListener = {
  news: (news) => heard.push(news),
  silence: (silence) => heard.push(silence === null ? 'heard again' : `silent since ${silence.sinceMs}`),
  broken: (error, final) => {
    errors.push(error)
    heard.push(`${error.code}${final ? ', final' : ''}`)
  },
  sessionEnded: () => heard.push('session ended'),
}

async function answer(path: string, init: RequestInit): Promise<Response> {
  const refusal = refusals.shift()
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sink = controller
    },
    cancel: () => {
      isOpen = false
    },
  })
  init.signal?.addEventListener('abort', () => {
    if (isOpen) sink?.error(init.signal?.reason)
    isOpen = false
  })
  asked.push({
    path,
    headers: init.headers as Record<string, string>,
    say: (text) => sink?.enqueue(new TextEncoder().encode(text)),
    end: () => {
      isOpen = false
      sink?.close()
    },
    isOpen: () => isOpen,
  })
  return refusal ?? new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** Streams pass pieces on in turns of their own, which no clock counts. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done))
}
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    await vi.advanceTimersByTimeAsync(Math.min(250, left))
    await settle()
  }
}
const names = () => heard.map((each) => (typeof each === 'string' ? each : each.name))

beforeEach(async () => {
  await import('./watch-answers.ts')
  await import('../call/answers.ts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  asked = []
  refusals = []
  heard = []
  errors = []
  mayStay = true
  stream = new WatchStream({ ...view, offset: 50, limit: 100 }, listener, {
    fetch: answer,
    clock,
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as number),
    random: () => 1,
    join,
  }).open()
  await settle()
})
afterEach(() => {
  stream.close()
  vi.useRealTimers()
})

describe('a watch', () => {
  it('asks for its view and window, and passes on what the server says', async () => {
    const url = new URL(asked[0]?.path ?? '', 'http://x')
    expect(url.pathname).toBe('/v1/watch')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'run',
      state: 'risk,zombie',
      sort: 'trouble',
      order: 'asc',
      offset: '50',
      limit: '100',
    })
    asked[0]?.say(sent('snapshot', snapshot, '1'))
    asked[0]?.say(sent('hint', { newer: true }) + sent('heartbeat', heartbeat))
    await settle()
    expect(names()).toEqual(['snapshot', 'heartbeat'])
    expect(heard[0]).toMatchObject({ data: snapshot, atMs: 1000 })
  })

  it('keeps the id of the last event over a connection that only said that it is there', async () => {
    asked[0]?.say(sent('snapshot', snapshot, 'a7'))
    await settle()
    asked[0]?.end()
    await settle()
    await pass(backoffMs(0))
    asked[1]?.say(sent('heartbeat', heartbeat))
    await settle()
    asked[1]?.end()
    await settle()
    await pass(backoffMs(0))
    expect(asked[2]?.headers).toMatchObject({ 'last-event-id': 'a7' })
  })

  it('is opened again after the last event when it breaks, and each time later', async () => {
    asked[0]?.say(sent('snapshot', snapshot, 'a7'))
    await settle()
    asked[0]?.end()
    await settle()
    await pass(backoffMs(0))
    expect(asked[1]?.headers).toMatchObject({ 'last-event-id': 'a7' })
    asked[1]?.end()
    await settle()
    await pass(backoffMs(1) - 1)
    expect(asked).toHaveLength(2)
    await pass(1)
    expect(asked).toHaveLength(3)
    // An event ends the backing off.
    asked[2]?.say(sent('heartbeat', heartbeat))
    await settle()
    asked[2]?.end()
    await settle()
    await pass(backoffMs(0))
    expect(asked).toHaveLength(4)
    expect(backoffMs(20)).toBe(5000)
  })

  it('is silent after five seconds without an event, connects again, and brings events again', async () => {
    asked[0]?.say(sent('heartbeat', heartbeat))
    await settle()
    await pass(silenceMs - 500)
    expect(names()).toEqual(['heartbeat'])
    await pass(500)
    expect(names()).toContain('silent since 1000')
    expect(asked[0]?.isOpen()).toBe(false)
    await pass(backoffMs(0))
    asked[1]?.say(sent('heartbeat', heartbeat))
    await settle()
    expect(names().slice(-2)).toEqual(['heard again', 'heartbeat'])
  })

  it('is silent too when each attempt is refused at once', async () => {
    refusals = Array.from({ length: 20 }, () => new Response('busy', { status: 503 }))
    asked[0]?.end()
    await settle()
    await pass(silenceMs)
    expect(names()).toContain('silent since null')
    expect(asked.length).toBeGreaterThan(2)
  })

  it('waits as long as a refusal says, and gives up where trying again changes nothing', async () => {
    const problem = (status: number, code: string) =>
      new Response(JSON.stringify({ type: 'about:blank', title: 't', status, code, detail: 'd' }), {
        status,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '3' },
      })
    refusals = [problem(429, 'too-many-requests'), problem(404, 'unknown-table')]
    asked[0]?.end()
    await settle()
    await pass(backoffMs(0))
    expect(names()).toEqual(['too-many-requests'])
    expect(errors[0]?.retryAfterMs).toBe(3000)
    await pass(2999)
    expect(asked).toHaveLength(2)
    await pass(1)
    expect(names()).toEqual(['too-many-requests', 'silent since null', 'unknown-table, final'])
    await pass(20_000)
    expect(asked).toHaveLength(3)
  })

  it('says that its session has ended, and that the server closes nothing', async () => {
    asked[0]?.say(sent('end', { reason: 'closing' }))
    await settle()
    expect(names()).toEqual([])
    await pass(backoffMs(0))
    asked[1]?.say(sent('end', { reason: 'session' }))
    await settle()
    expect(names()).toEqual(['session ended'])
  })

  it('that is not what the contract says is read from a snapshot on', async () => {
    asked[0]?.say(sent('snapshot', snapshot, '9') + sent('changes', { rows: 'none' }, '10'))
    await settle()
    expect(names()).toEqual(['snapshot', 'bad-answer'])
    await pass(backoffMs(0))
    expect(asked[1]?.headers['last-event-id']).toBeUndefined()
  })

  it('that is closed asks no more', async () => {
    stream.close()
    await pass(20_000)
    expect([asked.length, heard]).toEqual([1, []])
    expect(asked[0]?.isOpen()).toBe(false)
  })
})

it('a stream whose code took longer than the silence blamed the server, which had not been asked', async () => {
  let requests = 0
  const slow = new EventStream(
    {
      path: '/v1/watch',
      parser: async () => {
        await new Promise((done) => setTimeout(done, 6_000))
        return (name: string) => ({ name })
      },
    },
    {
      event: ({ name }) => heard.push(name),
      silence: (silence) => heard.push(silence === null ? 'heard again' : 'silent'),
      broken: ({ code }) => heard.push(code),
    },
    {
      fetch: async (path, init) => {
        requests++
        init.signal?.throwIfAborted()
        return answer(path, init)
      },
      clock,
      setTimer: (run, ms) => setTimeout(run, ms),
      clearTimer: (timer) => clearTimeout(timer as number),
      random: () => 1,
      join,
    },
  )
  stream.close()
  asked = []
  heard = []
  slow.open()
  await pass(6_000)
  expect(requests).toBe(1)
  await pass(silenceMs - 1_000)
  asked[0]?.say(sent('heartbeat', heartbeat))
  await settle()
  // No event for five seconds is silence, whatever is late.
  expect(heard).toEqual(['silent', 'heard again', 'heartbeat'])
  slow.close()
})

it('a stream that is tried again and again leaves no listener behind', async () => {
  const listeners = new Map<AbortSignal, number>()
  const count = (signal: AbortSignal, by: number) => listeners.set(signal, (listeners.get(signal) ?? 0) + by)
  const { addEventListener, removeEventListener } = AbortSignal.prototype
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: Parameters<typeof addEventListener>
  ) {
    count(this, 1)
    addEventListener.apply(this, args)
  })
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: Parameters<typeof removeEventListener>
  ) {
    count(this, -1)
    removeEventListener.apply(this, args)
  })
  let tries = 0
  const tried = new WatchStream({ ...view, offset: 0, limit: 100 }, listener, {
    fetch: async () => {
      tries++
      throw new TypeError('no network')
    },
    clock,
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as number),
    random: () => 1,
    join,
  }).open()
  await pass(120_000)
  tried.close()
  added.mockRestore()
  removed.mockRestore()
  expect(tries).toBeGreaterThan(15)
  expect(Math.max(...listeners.values())).toBeLessThan(5)
})

describe('a stream that may not stay open', () => {
  const takeTurn = async () => {
    asked.at(-1)?.say(sent('snapshot', snapshot, `7-${asked.length}`))
    await settle()
  }

  it('hears what is new, closes, and opens again after the event that came last, without a silence', async () => {
    mayStay = false
    for (let turns = 1; turns <= 5; turns++) {
      expect(asked).toHaveLength(turns)
      await takeTurn()
      await pass(250)
      expect(asked.at(-1)?.isOpen()).toBe(true)
      await pass(500)
      expect(asked.at(-1)?.isOpen()).toBe(false)
      await pass(2_500)
    }
    expect(asked.at(-1)?.headers['last-event-id']).toBe('7-5')
    expect([names(), errors]).toEqual([Array(5).fill('snapshot'), []])
  })

  it('opens at once when it may stay, and stays', async () => {
    mayStay = false
    await takeTurn()
    await pass(1_000)
    expect(asked).toHaveLength(1)
    mayStay = true
    turnChanged()
    await settle()
    expect(asked).toHaveLength(2)
    await takeTurn()
    await pass(4_000)
    expect(asked[1]?.isOpen()).toBe(true)
  })

  it('closes in a moment when others take its place, however often that is said', async () => {
    await takeTurn()
    await pass(1_000)
    expect(asked[0]?.isOpen()).toBe(true)
    mayStay = false
    for (let i = 0; i < 4; i++) {
      turnChanged()
      await pass(250)
    }
    expect(asked[0]?.isOpen()).toBe(false)
  })

  it('waits for its first event, and says when none comes', async () => {
    mayStay = false
    turnChanged()
    await pass(4_000)
    expect(asked[0]?.isOpen()).toBe(true)
    await pass(2_000)
    expect(names()).toContain('silent since null')
  })
})
