import { beforeEach, expect, it } from 'vitest'
import { ApiError, type ApiErrorCode } from '../call/api-error.ts'
import type { CallEvent } from '../call/call.ts'
import { afterCall, type Connection, healthTimeoutMs, pulseMs, pulseTimeoutMs } from '../call/connection.ts'
import { SharedAnswers } from './shared-answers.ts'

let nowMs: number
/** By how much the wall clock is ahead of the page's clock of the window that speaks. */
const wallAheadMs = 1_700_000_000_000
/** What each window hears; a window does not hear itself, as with a BroadcastChannel. */
let windows: SharedAnswers[]
let posted: unknown[]

beforeEach(() => {
  nowMs = 10_000
  windows = []
  posted = []
})

/** A window of the browser, whose page's clock began `behindMs` later than that of the first. */
function open(behindMs = 0) {
  const answers: SharedAnswers = new SharedAnswers({
    post: (answer) => {
      posted.push(answer)
      for (const other of windows) if (other !== answers) other.hear(structuredClone(answer))
    },
    nowMs: () => nowMs - behindMs,
    wallNowMs: () => nowMs + wallAheadMs,
  })
  windows.push(answers)
  let connection: Connection = { kind: 'unknown' }
  const end = (route: CallEvent['route'], tookMs: number, code?: ApiErrorCode) => {
    nowMs += tookMs
    const endedAtMs = nowMs - behindMs
    const event: CallEvent = { route, startedAtMs: endedAtMs - tookMs, endedAtMs }
    if (code !== undefined) event.error = new ApiError({ code })
    connection = afterCall(connection, event, answers.heard())
  }
  const silentPulse = () => end('getCluster', pulseTimeoutMs, 'server-timeout')
  const silentHealth = () => end('healthz', healthTimeoutMs, 'server-timeout')
  const cause = () => (connection.kind === 'lost' ? connection.cause : connection.kind)
  return { answers, end, silentPulse, silentHealth, cause, connection: () => connection }
}

it('a window whose requests wait in the browser blames Cassandra, as another window heard the server say: it blamed the server', () => {
  const [queued, streaming] = [open(), open(7_000)]
  queued.end('getCluster', 10)
  queued.silentPulse()
  streaming.answers.note(true)
  queued.silentHealth()
  expect(queued.cause()).toBe('cassandra')
})

it('a window blames neither while another one hears the server, and that is all that is heard', () => {
  const [queued, streaming] = [open(), open()]
  queued.end('getCluster', 10)
  queued.silentPulse()
  streaming.answers.note(false)
  queued.silentHealth()
  expect(queued.cause()).toBe('silence')
  nowMs += pulseMs
  queued.silentPulse()
  queued.silentHealth()
  expect(queued.cause()).toBe('server')
  nowMs += pulseMs
  queued.silentPulse()
  streaming.answers.note(false)
  queued.silentHealth()
  expect(queued.cause()).toBe('silence')
})

it('a server that falls silent is named by the first health without an answer, though all windows heard it until then', () => {
  const [one, other] = [open(), open()]
  one.end('getCluster', 500)
  other.answers.note(true)
  one.answers.note(true)
  one.silentPulse()
  one.silentHealth()
  expect(one.cause()).toBe('server')
})

it('a server that refuses the connection is named, whatever other windows heard a moment ago', () => {
  const [one, other] = [open(), open()]
  one.end('getCluster', 10)
  other.answers.note(true)
  one.end('getCluster', 5, 'server-unreachable')
  expect(one.cause()).toBe('server')
  one.silentPulse()
  other.answers.note(true)
  one.end('healthz', 5, 'server-unreachable')
  expect(one.cause()).toBe('server')
})

it('what another window hears makes no window lost, and none good: its own reads do', () => {
  const [good, lost, other] = [open(), open(), open()]
  good.end('getCluster', 10)
  lost.silentPulse()
  const before = lost.connection()
  other.answers.note(true)
  other.answers.note(false)
  expect([good.cause(), lost.connection()]).toEqual(['good', before])
  lost.silentHealth()
  expect(lost.connection()).toEqual({ ...before, cause: 'cassandra' })
})

it('what waited for a window that stood still is as old as that', () => {
  const [one, other] = [open(), open()]
  one.silentPulse()
  other.answers.note(true)
  const late = posted.pop()
  windows[0] = new SharedAnswers({ post: () => {}, nowMs: () => nowMs, wallNowMs: () => nowMs + wallAheadMs })
  nowMs += 60_000
  windows[0].hear(late)
  expect(windows[0].heard()).toEqual({ answeredAtMs: nowMs - 60_000, cassandraSilentAtMs: nowMs - 60_000 })
})

it('a window says the same again after a quarter of a second, and something new at once', () => {
  const { answers } = open()
  for (let i = 0; i < 10; i++, nowMs += 50) answers.note(false)
  expect(posted).toHaveLength(2)
  answers.note(true)
  answers.note(true)
  answers.note(false)
  expect(posted).toHaveLength(3)
})

it('what is no answer is not heard', () => {
  const { answers } = open()
  const before = answers.heard()
  for (const wrong of [null, 'answer', {}, { atMs: 'now' }, { atMs: Number.NaN, isCassandraSilent: true }])
    answers.hear(wrong)
  expect(answers.heard()).toEqual(before)
})
