import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { call } from '../call/call.ts'
import { pageClock } from '../time/page-clock.ts'
import { live } from './live.ts'

/** The channel of this window, and what another window says. */
let speak: (data: unknown) => void
let isClosed: boolean
const asked: string[] = []
/** What another window said counts for two and a half seconds: by this clock, and not by that of a machine that stands still. */
let nowMs: number
const wallAheadMs = 1_700_000_000_000

const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done))
}

async function pass(ms: number): Promise<void> {
  nowMs += ms
  await vi.advanceTimersByTimeAsync(ms)
}

// They come late in a page; here no time may pass until they do.
beforeAll(() => import('../call/answers.ts'))
beforeEach(() => {
  asked.length = 0
  isClosed = false
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  nowMs = 10_000
  vi.spyOn(pageClock, 'now').mockImplementation(() => nowMs)
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs + wallAheadMs)
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
      addEventListener(_: string, hear: (event: { data: unknown }) => void) {
        speak = (data) => hear({ data })
      }
      close() {
        isClosed = true
      }
    },
  )
  // All six connections of the browser wait for Cassandra: nothing is sent.
  vi.stubGlobal('fetch', (path: string, { signal, priority }: RequestInit) => {
    asked.push(`${path} ${priority}`)
    return new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('asks whose silence it is, before other reads, and hears what other windows hear', async () => {
  const end = live.subscribe(() => {})
  const pulse = call('getCluster', { timeoutMs: 2000 }).catch(() => {})
  await settle()
  await pass(2000)
  await pulse
  expect(live.connection()).toMatchObject({ kind: 'lost', cause: 'silence' })
  await settle()
  expect(asked).toEqual(['/v1/cluster low', '/healthz auto'])
  speak({ atMs: Date.now(), isCassandraSilent: true })
  await pass(1000)
  await settle()
  expect(live.connection()).toMatchObject({ kind: 'lost', cause: 'cassandra' })
  expect(isClosed).toBe(false)
  end()
  expect(isClosed).toBe(true)
})
