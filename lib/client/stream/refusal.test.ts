import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PageClock } from '../time/page-clock.ts'
import { backoffMs, EventStream, silenceMs } from './event-stream.ts'

let answers: Response[] = []
let requests = 0
let heard: string[] = []
let stream: EventStream<{ name: string }>

const event = 'event: snapshot\nid: 7\ndata: {}\n\n'
/** A stream that ends after one event. */
const told = () => new Response(event, { headers: { 'content-type': 'text/event-stream' } })
const problem = (status: number, code: string) =>
  Response.json({ type: 'about:blank', title: 't', status, code, detail: 'd' }, { status })
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
  requests = 0
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
      fetch: async () => {
        requests++
        return answers.shift() ?? told()
      },
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

it('a stream that is refused for good is silent at once: its page said that it was live', async () => {
  await open(told(), problem(403, 'forbidden'))
  await pass(backoffMs(0))
  expect(heard).toEqual(['snapshot', 'silent since 1000', 'forbidden 403, final'])
  await pass(4 * silenceMs)
  expect(requests).toBe(2)
})

it('of a stream that is silent already, a final refusal is said alone', async () => {
  await open(told(), ...Array.from({ length: 5 }, () => problem(503, 'not-ready')), problem(404, 'not-found'))
  await pass(4 * silenceMs)
  expect(heard.filter((each) => each.startsWith('silent'))).toHaveLength(1)
  expect(heard.at(-1)).toBe('not-found 404, final')
})

it.each([400, 403, 404, 502])(
  'an answer of a proxy, with status %i, is tried again: the API did not refuse',
  async (status) => {
    await open(told(), page(status))
    await pass(backoffMs(0) + backoffMs(1))
    expect(heard).toEqual(['snapshot', `bad-answer ${status}`, 'snapshot'])
  },
)
