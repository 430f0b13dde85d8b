import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PageClock } from '../time/page-clock.ts'
import { backoffMs, EventStream } from './event-stream.ts'

/** What stands still while the machine is suspended, and what goes on. */
let clocks = { monotonicMs: 1000, wallMs: 5000 }
let asked: { headers: Record<string, string>; say: (text: string) => void; signal: AbortSignal }[] = []
let heard: string[] = []
let clock: PageClock
let stream: EventStream<{ name: string }>

const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done))
}
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    clocks = { monotonicMs: clocks.monotonicMs + 250, wallMs: clocks.wallMs + 250 }
    await vi.advanceTimersByTimeAsync(250)
    await settle()
  }
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  clocks = { monotonicMs: 1000, wallMs: 5000 }
  asked = []
  heard = []
  clock = new PageClock(
    () => clocks.monotonicMs,
    () => clocks.wallMs,
  )
  const source = { path: '/v1/watch', parser: async () => (name: string) => ({ name }) }
  const listener = {
    event: ({ name }: { name: string }) => heard.push(name),
    silence: (silence: { sinceMs: number | null } | null) =>
      heard.push(silence === null ? 'heard again' : `silent since ${silence.sinceMs}`),
    broken: () => {},
  }
  stream = new EventStream(source, listener, {
    fetch: async (_, init) => {
      const signal = init.signal as AbortSignal
      let sink: ReadableStreamDefaultController<Uint8Array> | undefined
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          sink = controller
        },
      })
      signal.addEventListener('abort', () => sink?.error(signal.reason))
      const say = (text: string) => sink?.enqueue(new TextEncoder().encode(text))
      asked.push({ headers: init.headers as Record<string, string>, say, signal })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    clock,
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as number),
    random: () => 1,
    join: () => ({ mayStay: true, leave: () => {} }),
  }).open()
  await settle()
  asked[0]?.say('event: snapshot\nid: 7\ndata: {}\n\n')
  await settle()
})
afterEach(() => {
  stream.close()
  vi.useRealTimers()
})

it('after a suspend, in which the monotonic clock stood still, it is silent at once, and reads everything again', async () => {
  clocks.wallMs += 60_000
  await pass(500)
  expect(heard).toEqual(['snapshot', 'silent since 1000'])
  // A minute longer ago than the monotonic clock says.
  expect(clock.now()).toBe(1500 + 60_000)
  expect(asked[0]?.signal.aborted).toBe(true)
  await pass(backoffMs(0))
  // Rows that have not changed since then have clocks from before it: all of them are read.
  expect(asked[1]?.headers['last-event-id']).toBeUndefined()
  asked[1]?.say('event: snapshot\nid: 8\ndata: {}\n\n')
  await settle()
  expect(heard.slice(2)).toEqual(['heard again', 'snapshot'])
  await pass(2000)
  expect(asked).toHaveLength(2)
})

it('an event that waited in the browser for the whole suspend is not of now', async () => {
  clocks.wallMs += 60_000
  asked[0]?.say('event: changes\nid: 8\ndata: {}\n\n')
  await settle()
  expect(heard).toEqual(['snapshot', 'silent since 1000'])
  await pass(backoffMs(0))
  expect(asked[1]?.headers['last-event-id']).toBeUndefined()
})

it('a wall clock that is set forward costs one connection; a small correction and a step back cost none', async () => {
  clocks.wallMs += 1500
  await pass(500)
  clocks.wallMs -= 60_000
  await pass(500)
  expect(heard).toEqual(['snapshot'])
  expect(clock.now()).toBe(2000)
  clocks.wallMs += 60_000
  await pass(500)
  expect(heard).toEqual(['snapshot', 'silent since 1000'])
  await pass(backoffMs(0))
  expect(asked).toHaveLength(2)
})

it('a stream that is closed hears of no suspend', async () => {
  stream.close()
  clocks.wallMs += 60_000
  clock.now()
  await settle()
  expect(heard).toEqual(['snapshot'])
})
