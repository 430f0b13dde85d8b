import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PageClock } from '../time/page-clock.ts'
import { backoffMs, EventStream } from './event-stream.ts'

let answers: Response[] = []
let heard: string[] = []
let stream: EventStream<{ name: string }>

const event = 'event: snapshot\nid: 7\ndata: {}\n\n'
/** A stream that ends after one event. */
const told = () => new Response(event, { headers: { 'content-type': 'text/event-stream' } })
const page = (status: number) => new Response('<html>', { status, headers: { 'content-type': 'text/html' } })

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
async function open(...list: Response[]): Promise<void> {
  answers = list
  stream.open()
  await settle()
}

beforeEach(async () => {
  await import('../call/answers.ts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  heard = []
  const clock = new PageClock(
    () => 1000,
    () => 5000,
  )
  stream = new EventStream(
    { path: '/v1/watch', parser: async () => (name: string) => ({ name }) },
    {
      event: ({ name }) => heard.push(name),
      silence: (silence) => heard.push(silence === null ? 'heard again' : `silent since ${silence.sinceMs}`),
      broken: ({ code, status }, final) => heard.push(`${code} ${status}${final ? ', final' : ''}`),
    },
    {
      fetch: async () => answers.shift() ?? told(),
      clock,
      setTimer: (run, ms) => setTimeout(run, ms),
      clearTimer: (timer) => clearTimeout(timer as number),
      random: () => 1,
      join: () => ({ mayStay: true, leave: () => {} }),
    },
  )
})
afterEach(() => {
  stream.close()
  vi.useRealTimers()
})

it.each([400, 403, 404, 502])(
  'an answer of a proxy, with status %i, is tried again: the API did not refuse',
  async (status) => {
    await open(told(), page(status))
    await pass(backoffMs(0) + backoffMs(1))
    expect(heard).toEqual(['snapshot', `bad-answer ${status}`, 'snapshot'])
  },
)
