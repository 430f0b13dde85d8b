import { beforeEach, expect, it } from 'vitest'
import { StreamTurns, streamsMost } from './stream-turns.ts'

let nowMs: number
let timers: { atMs: number; run: () => void }[]
/** What each window hears; a window does not hear itself, as with a BroadcastChannel. */
let windows: Map<string, (data: unknown) => void>

beforeEach(() => {
  nowMs = 1_000
  timers = []
  windows = new Map()
})

function pass(ms: number): void {
  const untilMs = nowMs + ms
  for (;;) {
    const next = timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
    if (next === undefined) break
    timers = timers.filter((timer) => timer !== next)
    nowMs = next.atMs
    next.run()
  }
  nowMs = untilMs
}

function open(name: string) {
  nowMs += 1
  let isGone = false
  const turns = new StreamTurns({
    window: name,
    post: (claim) => {
      if (isGone) return
      for (const [other, hear] of windows) if (other !== name) hear(structuredClone(claim))
    },
    listen: (hear) => windows.set(name, hear),
    nowMs: () => nowMs,
    setTimer: (run, ms) => {
      const timer = { atMs: nowMs + ms, run }
      timers.push(timer)
      return timer
    },
    clearTimer: (timer) => {
      timers = timers.filter((other) => other !== timer)
    },
  })
  let told = 0
  const stream = () => turns.join(() => told++)
  /** It says nothing more, and hears nothing. */
  const crash = () => {
    windows.delete(name)
    isGone = true
  }
  return { turns, stream, told: () => told, crash }
}

it('a window alone keeps four streams open', () => {
  const { stream } = open('one')
  const streams = Array.from({ length: 6 }, stream)
  expect(streams.map(({ mayStay }) => mayStay)).toEqual([true, true, true, true, false, false])
  streams[0]?.leave()
  expect(streams.slice(1).map(({ mayStay }) => mayStay)).toEqual([true, true, true, true, false])
})

it('of three windows with two streams each, those stay that had the focus last', () => {
  const opened = ['c', 'a', 'b'].map(open)
  const streams = opened.map(({ stream }) => [stream(), stream()])
  const staying = () => streams.map((each) => each.filter(({ mayStay }) => mayStay).length)
  expect(staying()).toEqual([0, 2, 2])
  const told = opened.map((each) => each.told())
  nowMs += 1
  opened[0]?.turns.focused()
  expect(staying()).toEqual([2, 0, 2])
  // All streams have to hear it: none asks again by itself.
  for (const [i, each] of opened.entries()) expect(each.told()).toBeGreaterThan(told[i] ?? 0)
  expect(staying().reduce((sum, each) => sum + each, 0)).toBe(streamsMost)
})

it('a window that opens hears of those that were there, and one that closes makes room', () => {
  const [first, second] = [open('first'), open('second')]
  const early = [first.stream(), first.stream(), first.stream(), first.stream()]
  const late = [second.stream(), second.stream()]
  expect(early.map(({ mayStay }) => mayStay)).toEqual([true, true, false, false])
  for (const each of late) each.leave()
  expect(early.map(({ mayStay }) => mayStay)).toEqual([true, true, true, true])
  second.stream()
  second.turns.gone()
  expect(early.map(({ mayStay }) => mayStay)).toEqual([true, true, true, true])
})

it('a window that says nothing for ten seconds has no streams any more', () => {
  const first = open('first')
  const streams = Array.from({ length: streamsMost }, first.stream)
  const second = open('second')
  second.stream()
  expect(streams.map(({ mayStay }) => mayStay)).toEqual([true, true, true, false])
  pass(60_000)
  expect(streams.map(({ mayStay }) => mayStay)).toEqual([true, true, true, false])
  second.crash()
  pass(14_000)
  expect(streams.map(({ mayStay }) => mayStay)).toEqual([true, true, true, true])
})

it('of windows that had the focus at the same time, each finds the same order', () => {
  const [b, a] = ['b', 'a'].map((name) => {
    nowMs = 500
    return open(name)
  })
  const streams = [b, a].map((window) => Array.from({ length: 3 }, () => window?.stream()))
  expect(streams.map((each) => each.filter((stream) => stream?.mayStay).length)).toEqual([1, 3])
})

it('what is no claim is not heard', () => {
  const { stream } = open('one')
  const streams = Array.from({ length: streamsMost }, stream)
  for (const wrong of [
    null,
    'streams',
    { window: 'x' },
    { window: 'x', focusedAtMs: Number.NaN, streams: 9 },
  ])
    windows.get('one')?.(wrong)
  expect(streams.every(({ mayStay }) => mayStay)).toBe(true)
})
