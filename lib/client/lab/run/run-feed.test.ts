import { expect, it, vi } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { LabRun } from '../../../contract/lab/run.ts'
import { ApiError } from '../../call/api-error.ts'
import type { EventListener, EventSource } from '../../stream/event-stream.ts'
import { pageClock } from '../../time/page-clock.ts'
import { parseRunEvent, type RunMessage } from './run-answers.ts'
import { RunFeed } from './run-feed.ts'

const run: LabRun = {
  run: 'abcd1234',
  scenario: 'crash',
  name: 'lab/abcd1234/leader',
  ttlSeconds: 10,
  maxClockSkewMs: 500,
  fair: false,
  startedBy: 'operator-1',
  startedAt: '2026-11-20T03:14:00.000Z',
  endsAt: '2026-11-20T03:29:00.000Z',
  state: 'running',
  story: { state: 'playing', step: 0 },
}
const joined = (seq: number): JournalEntry => ({ seq, atMs: seq * 100, kind: 'joined', candidate: 'c1' })

function feedOf() {
  const opened: { source: EventSource<RunMessage>; listener: EventListener<RunMessage>; isOpen: boolean }[] =
    []
  const told = { sessions: 0, nowMs: 1000 }
  const feed = new RunFeed('abcd1234', {
    open: (source, listener) => {
      const stream = { source, listener, isOpen: true }
      opened.push(stream)
      return {
        close: () => {
          stream.isOpen = false
        },
      }
    },
    now: () => told.nowMs,
    onSession: () => {
      told.sessions += 1
    },
  })
  const say = (message: RunMessage, arrivedAtMs = told.nowMs) =>
    opened.at(-1)?.listener.event(message, { arrivedAtMs, askedAtMs: 0 })
  const entries = (list: JournalEntry[], over: Partial<LabRun> = {}) =>
    say({ name: 'entries', data: { entries: list, run: { ...run, ...over }, nowMs: 500 } })
  return { feed, opened, told, say, entries }
}

it('shows what has come, and goes on from there after it slept', () => {
  const { feed, opened, entries } = feedOf()
  feed.wake()
  expect(opened[0]?.source.path).toBe('/v1/lab/runs/abcd1234/stream?from=0')
  entries([joined(0), joined(1)])
  expect(feed.shown()).toMatchObject({ run, revision: 1, silence: null })
  expect(feed.shown().lanes?.entries).toHaveLength(2)
  feed.sleep()
  feed.wake()
  expect(opened[1]?.source.path).toMatch(/from=2$/)
  entries([joined(1), joined(2)])
  expect(feed.shown().lanes?.entries.map(({ seq }) => seq)).toEqual([0, 1, 2])
})

it('stands still while the stream is silent', () => {
  const { feed, opened, told, entries } = feedOf()
  feed.wake()
  entries([joined(0)])
  expect(feed.shown().clock).toEqual({ zeroMs: 500, stoppedAtMs: null })
  told.nowMs = 7000
  opened[0]?.listener.silence({ sinceMs: 1000 })
  expect(feed.shown().clock?.stoppedAtMs).toBe(500)
  entries([joined(1)])
  expect(feed.shown().silence).toBeNull()
  expect(feed.shown().clock?.stoppedAtMs).toBeNull()
})

it('stands still when it wakes after a while, until it hears again', () => {
  const { feed, told, entries } = feedOf()
  feed.wake()
  entries([joined(0)])
  feed.sleep()
  told.nowMs = 60_000
  feed.wake()
  expect(feed.shown()).toMatchObject({ silence: { sinceMs: 1000 }, clock: { stoppedAtMs: 500 } })
  entries([joined(1)])
  expect(feed.shown().clock?.stoppedAtMs).toBeNull()
})

it('begins its clock again after a suspend, in which the page’s clock may have gone too far', () => {
  const { feed, told, entries } = feedOf()
  feed.wake()
  entries([joined(0)])
  const suspended = vi.spyOn(pageClock, 'wasSuspendedSince').mockImplementation((atMs) => atMs < 11_000)
  told.nowMs = 11_000
  entries([joined(1)])
  told.nowMs = 11_500
  entries([joined(2)])
  suspended.mockRestore()
  expect(feed.shown().clock).toEqual({ zeroMs: 10_500, stoppedAtMs: null })
})

it('reads a run to its end once', () => {
  const { feed, opened, say, entries } = feedOf()
  feed.wake()
  entries([joined(0)], { state: 'ended' })
  say({ name: 'end', data: { reason: 'run' } })
  expect(opened[0]?.isOpen).toBe(false)
  feed.wake()
  expect(opened).toHaveLength(1)
  expect(feed.shown().clock?.stoppedAtMs).toBe(500)
})

it('of a run whose journal has no end, says so when all of it has come', () => {
  const { feed, say, entries } = feedOf()
  feed.wake()
  entries([joined(0)], { state: 'ended' })
  expect(feed.shown().isCut).toBe(false)
  say({ name: 'end', data: { reason: 'run' } })
  expect(feed.shown().isCut).toBe(true)

  const whole = feedOf()
  whole.feed.wake()
  whole.entries([joined(0), { seq: 1, atMs: 200, kind: 'ended', why: 'person', detail: null }], {
    state: 'ended',
  })
  whole.say({ name: 'end', data: { reason: 'run' } })
  expect(whole.feed.shown().isCut).toBe(false)
})

it('asks who is signed in when the session has ended, and keeps what it shows', () => {
  const { feed, opened, told, say, entries } = feedOf()
  feed.wake()
  entries([joined(0)])
  say({ name: 'end', data: { reason: 'session' } })
  opened[0]?.listener.broken(new ApiError({ code: 'unauthenticated', status: 401 }), false)
  expect(told.sessions).toBe(2)
  expect(feed.shown().lanes?.entries).toHaveLength(1)
})

it('asks again after a refusal only when it is pressed', () => {
  const { feed, opened } = feedOf()
  feed.wake()
  opened[0]?.listener.broken(new ApiError({ code: 'not-found', status: 404 }), true)
  expect(feed.shown()).toMatchObject({ isFinal: true, run: null })
  feed.retry()
  expect(opened).toHaveLength(2)
  expect(feed.shown().isFinal).toBe(false)
})

it('a stream that was refused for good while the run was shown is opened again when the page is', () => {
  const { feed, opened, entries } = feedOf()
  feed.wake()
  entries([joined(0)])
  opened[0]?.listener.silence({ sinceMs: 1000 })
  opened[0]?.listener.broken(new ApiError({ code: 'forbidden', status: 403 }), true)
  expect(feed.shown()).toMatchObject({
    isFinal: true,
    clock: { stoppedAtMs: 500 },
    silence: { sinceMs: 1000 },
  })
  feed.wake()
  expect(opened).toHaveLength(2)
  expect(feed.shown()).toMatchObject({ isFinal: false, error: { code: 'forbidden' } })
})

it('refuses an event that the contract does not know, and passes over a newer one', () => {
  expect(() => parseRunEvent('entries', '{"entries":[{}]}')).toThrow()
  expect(parseRunEvent('of-a-newer-server', '{}')).toEqual({ name: 'unknown' })
})
