import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { StreamTurns } from '../../http/streams/stream-turns.ts'
import { type RunFacts, runJson } from '../journal/run-facts.ts'
import { RunHub } from './run-hub.ts'
import type { RunSource } from './run-source.ts'

const facts: RunFacts = {
  run: 'g17aaaaa',
  scenario: null,
  name: 'lab/g17aaaaa/leader',
  ttlSeconds: 10,
  maxClockSkewMs: 100,
  fair: false,
  startedBy: 'ann',
  startedAtMs: Date.UTC(2026, 0, 1),
}

class TestSource implements RunSource {
  readonly facts = facts
  readonly entries: JournalEntry[] = []
  readonly nowMs = 0
  isComplete = false
  viewers: number[] = []
  #news: (() => void) | undefined
  json() {
    return runJson(facts, { endedAtMs: null, story: null })
  }
  listen(news: () => void) {
    this.#news = news
    return () => {
      this.#news = undefined
    }
  }
  watched(viewers: number) {
    this.viewers.push(viewers)
  }
  add(count: number) {
    for (let i = 0; i < count; i++)
      this.entries.push({ seq: this.entries.length, atMs: 0, kind: 'joined', candidate: 'c1' })
    this.#news?.()
  }
}

let clock: FakeClock
let source: TestSource
let closing: AbortController
let verdicts: number
let hub: RunHub
let viewers = 0

beforeEach(() => {
  clock = new FakeClock()
  source = new TestSource()
  closing = new AbortController()
  verdicts = 0
  const verdictOf = () => {
    verdicts++
    return []
  }
  const turns = new StreamTurns({ clock, timer: clock })
  hub = new RunHub(source, { clock, timer: clock, turns, closing: closing.signal, verdictOf })
})

/** @param room how many texts its connection takes before it is full */
async function viewer(from = 0, room = 1_000) {
  const ended = new AbortController()
  const stream = hub.stream(from, `viewer ${++viewers}`, ended.signal)
  const state = { texts: [] as string[], room, ended: false }
  stream.open({
    write: (text) => {
      state.texts.push(text)
      return --state.room > 0
    },
    end: () => {
      state.ended = true
      stream.closed()
    },
  })
  // One stream begins in a turn of the event loop.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  const events = () =>
    state.texts.map((text) => {
      const {
        id = null,
        event,
        data = '',
      } = /(id: (?<id>\d+)\n)?event: (?<event>\w+)\ndata: (?<data>.*)/.exec(text)?.groups ?? {}
      return { id, event, data: JSON.parse(data) }
    })
  return {
    state,
    ended,
    events,
    stream,
    seqs: () => events().flatMap(({ data }) => (data.entries ?? []).map(({ seq }: JournalEntry) => seq)),
  }
}

it('sends what there is, and then what comes, together', async () => {
  source.add(3)
  const [all, late] = [await viewer(), await viewer(2)]
  expect([all.seqs(), late.seqs()]).toEqual([[0, 1, 2], [2]])
  source.add(1)
  source.add(1)
  await clock.advance(50)
  expect(all.events().at(-1)).toMatchObject({ id: '5', event: 'entries' })
  expect(all.seqs()).toEqual([0, 1, 2, 3, 4])
  // One text for both.
  expect(late.state.texts.at(-1)).toBe(all.state.texts.at(-1))
  expect(source.viewers).toEqual([1, 2])
})

it('a viewer whose connection is full gets the rest once it has read on, in parts', async () => {
  source.add(2_500)
  const slow = await viewer(0, 2)
  expect(slow.seqs()).toHaveLength(1_000)
  source.add(10)
  await clock.advance(5_000)
  expect(slow.seqs()).toHaveLength(1_000)
  slow.state.room = 1_000
  slow.stream.drained()
  expect(slow.seqs()).toEqual(Array.from({ length: 2_510 }, (_, i) => i))
})

it('sends a heartbeat every two seconds, and at once when it is asked to', async () => {
  const ann = await viewer()
  const beats = () => ann.events().filter(({ event }) => event === 'heartbeat').length
  expect(beats()).toBe(1)
  await clock.advance(2_000)
  expect(beats()).toBe(2)
  hub.beat()
  expect(beats()).toBe(3)
  await clock.advance(1_999)
  expect(beats()).toBe(3)
  await clock.advance(1)
  expect(beats()).toBe(4)
})

it('ends with the run, with its session, and with the server', async () => {
  const [first, second] = [await viewer(), await viewer()]
  first.ended.abort(new HttpProblem('unauthenticated', 'gone'))
  expect(first.events().at(-1)).toMatchObject({ event: 'end', data: { reason: 'session' } })
  source.isComplete = true
  source.add(1)
  await clock.advance(50)
  expect(second.events().at(-1)).toMatchObject({ event: 'end', data: { reason: 'run' } })
  expect([second.state.ended, hub.viewers]).toEqual([true, 0])
  source.isComplete = false
  const third = await viewer()
  closing.abort()
  expect(third.events().at(-1)).toMatchObject({ event: 'end', data: { reason: 'closing' } })
})

it('counts a viewer before the turn of its stream, until it goes or is refused', () => {
  const ask = () => hub.stream(0, 'ann', new AbortController().signal)
  const [refused, gone] = [ask(), ask()]
  expect(hub.viewers).toBe(2)
  refused.closed()
  gone.open({ write: () => true, end: () => {} })
  expect(hub.viewers).toBe(1)
  gone.closed()
  expect(hub.viewers).toBe(0)
})

it('makes a verdict once a second at most, and none where no entry came', async () => {
  source.add(1)
  for (let i = 0; i < 50; i++) hub.verdict()
  expect(verdicts).toBe(1)
  source.add(1)
  hub.verdict()
  expect(verdicts).toBe(1)
  await clock.advance(1_000)
  for (let i = 0; i < 50; i++) hub.verdict()
  expect(verdicts).toBe(2)
})
