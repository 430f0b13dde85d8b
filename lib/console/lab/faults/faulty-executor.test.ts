import { CassandraLeaseStore } from 'leasehold/cassandra'
import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { RunJournal } from '../journal/run-journal.ts'
import { CandidateTime } from './candidate-time.ts'
import { FaultyExecutor } from './faulty-executor.ts'
import { applied, TestSession } from './test-session.ts'

let clock: FakeClock
let session: TestSession
let journal: RunJournal
let time: CandidateTime
let executor: FaultyExecutor
let store: CassandraLeaseStore
let swallowed: number

beforeEach(() => {
  clock = new FakeClock()
  session = new TestSession()
  journal = new RunJournal(clock)
  time = new CandidateTime(clock, clock)
  swallowed = 0
  executor = new FaultyExecutor({
    session,
    by: 'c1',
    journal,
    time,
    timer: clock,
    onSwallowed: () => swallowed++,
  })
  store = new CassandraLeaseStore(executor)
})

const renewal = { name: 'n', owner: 'o', value: null, knownValue: null, ttlSeconds: 10, giveUpAfterMs: 1_000 }
/** What a call came to: its result, or the code of its error. `waits`: neither, so far. */
function outcomeOf(calling: Promise<unknown>) {
  const state: { came: unknown } = { came: 'waits' }
  calling.then(
    (result) => {
      state.came = result
    },
    (thrown) => {
      state.came = thrown.code
    },
  )
  return state
}
const kinds = () => journal.entries.map(({ kind }) => kind)
const turn = () => clock.advance(0)

describe('without a fault', () => {
  it('notes the statement, its parameters, and the answer', async () => {
    const renewed = outcomeOf(store.renew(renewal))
    await turn()
    await clock.advance(7)
    session.sent[0]?.answer(applied)
    await turn()
    expect(renewed.came).toEqual({ applied: true })
    expect(journal.entries).toMatchObject([
      {
        seq: 0,
        kind: 'sent',
        statement: 0,
        by: 'c1',
        purpose: 'renew',
        params: ['10', 'o', 'null', 'n', 'o', 'null'],
      },
      { seq: 1, kind: 'answered', statement: 0, outcome: 'applied', found: null, tookMs: 7 },
    ])
  })

  it('a refusal names the holder', async () => {
    void store.renew(renewal)
    await turn()
    session.sent[0]?.answer([{ '[applied]': false, owner: 'c2:x', value: 'v' }])
    await turn()
    expect(journal.entries[1]).toMatchObject({ outcome: 'not-applied', found: 'c2:x' })
  })

  it('a hint that shows the same again is left out, and one that shows a change is not', async () => {
    for (const owner of ['a', 'a', 'b']) {
      const hint = outcomeOf(store.hint('n'))
      await turn()
      session.sent.at(-1)?.answer([{ owner, value: null }])
      await turn()
      expect(hint.came).toMatchObject({ owner })
    }
    expect(session.sent).toHaveLength(3)
    expect(kinds()).toEqual(['sent', 'answered', 'sent', 'answered'])
  })
})

describe('cut', () => {
  it('sends nothing, and ends each statement at its time-out: a write as unknown, a read as unavailable', async () => {
    executor.cut(true)
    const [write, read] = [outcomeOf(store.renew(renewal)), outcomeOf(store.read('n'))]
    await turn()
    await clock.advance(999)
    expect([write.came, read.came]).toEqual(['waits', 'waits'])
    await clock.advance(2_000)
    expect([write.came, read.came]).toEqual(['statement-unknown', 'store-unavailable'])
    expect(session.sent).toEqual([])
    expect(journal.entries).toMatchObject([
      { kind: 'sent', statement: 0 },
      { kind: 'sent', statement: 1 },
      { kind: 'delivered', statement: 0, as: 'unknown' },
      { kind: 'delivered', statement: 1, as: 'unavailable' },
    ])
  })

  it('lets no answer through to a statement that was sent before', async () => {
    const write = outcomeOf(store.renew(renewal))
    await turn()
    executor.cut(true)
    session.sent[0]?.answer(applied)
    await turn()
    expect(write.came).toBe('waits')
    await clock.advance(1_000)
    expect(write.came).toBe('statement-unknown')
    expect(kinds()).toEqual(['sent', 'answered', 'delivered'])
  })
})

it('delayed: the candidate gets the answer later, or not any more', async () => {
  executor.delay(400)
  const soon = outcomeOf(store.renew(renewal))
  await turn()
  session.sent[0]?.answer(applied)
  await clock.advance(399)
  expect(soon.came).toBe('waits')
  await clock.advance(1)
  expect(soon.came).toEqual({ applied: true })
  expect(journal.entries.at(-1)).toMatchObject({ kind: 'delivered', as: 'answer' })
  executor.delay(5_000)
  const late = outcomeOf(store.renew(renewal))
  await turn()
  session.sent[1]?.answer(applied)
  await clock.advance(1_000)
  expect(late.came).toBe('statement-unknown')
})

it('delayed, and then cut: an answer or a failure on its way reaches no candidate', async () => {
  executor.delay(400)
  const [answered, failed] = [outcomeOf(store.renew(renewal)), outcomeOf(store.renew(renewal))]
  await turn()
  session.sent[0]?.answer(applied)
  session.sent[1]?.fail(new StoreUnavailableError('no node'))
  await clock.advance(100)
  executor.cut(true)
  await clock.advance(800)
  expect([answered.came, failed.came]).toEqual(['waits', 'waits'])
  await clock.advance(100)
  expect([answered.came, failed.came]).toEqual(['statement-unknown', 'statement-unknown'])
})

it('delayed: an answer on its way is late although the delay has ended by then', async () => {
  executor.delay(400)
  const soon = outcomeOf(store.renew(renewal))
  await turn()
  session.sent[0]?.answer(applied)
  await clock.advance(100)
  executor.delay(0)
  await clock.advance(300)
  expect(soon.came).toEqual({ applied: true })
  expect(journal.entries.at(-1)).toMatchObject({ kind: 'delivered', as: 'answer', atMs: 400 })
})

it('hold-next: the write goes out when it is let go, long after the candidate has given up', async () => {
  executor.holdNext(true)
  const read = outcomeOf(store.read('n'))
  const held = outcomeOf(store.renew(renewal))
  await turn()
  // The read is not held back.
  expect(session.sent.map(({ statement }) => statement.operation)).toEqual(['read'])
  await clock.advance(1_000)
  expect([held.came, read.came]).toEqual(['statement-unknown', 'waits'])
  const again = outcomeOf(store.renew(renewal))
  await turn()
  session.sent[1]?.answer(applied)
  await turn()
  expect(again.came).toEqual({ applied: true })
  executor.holdNext(false)
  expect(session.sent).toHaveLength(3)
  session.sent[2]?.answer([{ '[applied]': false, owner: 'c2:x' }])
  await turn()
  expect(held.came).toBe('statement-unknown')
  expect(journal.entries.slice(-2)).toMatchObject([
    { kind: 'let-go', statement: 1 },
    { kind: 'answered', statement: 1, outcome: 'not-applied' },
  ])
})

it('hold-next again, while a write is held: both are held, and let go in their order', async () => {
  executor.holdNext(true)
  void outcomeOf(store.renew(renewal))
  await turn()
  executor.holdNext(true)
  void outcomeOf(store.renew({ ...renewal, owner: 'p' }))
  await turn()
  expect(session.sent).toEqual([])
  executor.holdNext(false)
  expect(journal.entries.slice(-2)).toMatchObject([
    { kind: 'let-go', statement: 0 },
    { kind: 'let-go', statement: 1 },
  ])
  expect(session.sent.map(({ params }) => params[1])).toEqual(['o', 'p'])
})

it('swallow-next: carried out, and the candidate does not know; the next answer comes through', async () => {
  executor.swallowNext(true)
  const lost = outcomeOf(store.acquire(renewal))
  await turn()
  session.sent[0]?.answer(applied)
  await turn()
  expect(lost.came).toBe('statement-unknown')
  expect(swallowed).toBe(1)
  expect(kinds()).toEqual(['sent', 'answered', 'delivered'])
  const next = outcomeOf(store.acquire(renewal))
  await turn()
  session.sent[1]?.answer(applied)
  await turn()
  expect(next.came).toEqual({ applied: true })
})

describe('a candidate that is paused', () => {
  it('gets its answers, and sends, when it goes on', async () => {
    const asked = outcomeOf(store.read('n'))
    await turn()
    time.pause()
    session.sent[0]?.answer([])
    const later = outcomeOf(store.hint('n'))
    await clock.advance(10_000)
    expect([asked.came, later.came, session.sent.length]).toEqual(['waits', 'waits', 1])
    time.resume()
    await turn()
    expect(asked.came).toMatchObject({ cells: null })
    expect(session.sent).toHaveLength(2)
    expect(journal.entries.at(-1)).toMatchObject({ kind: 'delivered', statement: 0, as: 'answer' })
  })

  it('and has crashed: nothing of it goes on', async () => {
    const asked = outcomeOf(store.read('n'))
    await turn()
    time.crash()
    session.sent[0]?.answer([])
    const later = outcomeOf(store.read('n'))
    await clock.advance(60_000)
    expect([asked.came, later.came, session.sent.length]).toEqual(['waits', 'waits', 1])
  })
})
