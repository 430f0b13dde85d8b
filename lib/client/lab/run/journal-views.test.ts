import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { bakeryLine } from './bakery-line.ts'
import { SaidBuilder } from './said.ts'
import { captionText, storyFacts } from './story-facts.ts'

/** Without the two numbers that each entry has. */
type Bare = JournalEntry extends infer E ? (E extends JournalEntry ? Omit<E, 'seq' | 'atMs'> : never) : never
const journal = (...entries: [number, Bare][]): JournalEntry[] =>
  entries.map(([atMs, entry], seq) => ({ seq, atMs, ...entry }) as JournalEntry)

const leads = (candidate: string, token: string): Bare => ({
  kind: 'leads',
  candidate,
  owner: `${candidate}-owner`,
  token,
  term: null,
  deadlineMs: 9000,
})
const seen = (expiryMs: number): Bare => ({
  kind: 'seen',
  sentAtMs: 0,
  candidate: 'c1',
  owner: 'c1-owner',
  value: null,
  version: null,
  expiryMs,
})
const acquire = (kind: 'sent' | 'answered'): Bare =>
  kind === 'sent'
    ? { kind, statement: 9, by: 'c2', purpose: 'acquire', cql: 'UPDATE', params: [] }
    : { kind, statement: 9, outcome: 'applied', found: null, tookMs: 8 }

it('knows of each sentence what was so when it was shown', () => {
  const facts = storyFacts(
    journal(
      [100, leads('c1', '1417455697411000')],
      [200, { kind: 'caption', step: 0 }],
      [300, seen(10_000)],
      [4200, { kind: 'fault', candidate: 'c1', fault: 'crashed', on: true, ms: null }],
      [10_004, acquire('sent')],
      [10_012, acquire('answered')],
      // The lab has read the new row before the candidate has its token and its term.
      [10_020, seen(20_000)],
      [10_150, leads('c2', '1417455697412884')],
      [10_100, { kind: 'caption', step: 1 }],
    ),
    { ttlSeconds: 10, maxClockSkewMs: 500 },
  )
  expect(facts[0]).toMatchObject({ ttl: '10', leader: 'c1', token: '…\u2060697411000' })
  expect(facts[1]).toMatchObject({ leader: 'c2', victim: 'c1', faultAt: '4.2', afterExpiry: '12 ms' })
  // The two tokens of a takeover, beside each other: one is seen to be greater.
  expect(facts[1]).toMatchObject({ oldToken: '…\u2060697411000', token: '…\u2060697412884' })
  expect(facts[2]).toBeUndefined()
})

it('fills a sentence with what is known, and leaves out what is not', () => {
  const caption = '{leader|The leader} crashes[ at {faultAt} s].'
  expect(captionText(caption, undefined)).toBe('The leader crashes.')
  expect(captionText(caption, { leader: 'c2' })).toBe('c2 crashes.')
  expect(captionText(caption, { leader: 'c2', faultAt: '4.2' })).toBe('c2 crashes at 4.2 s.')
})

it('joins each statement to what came of it, however often it reads on', () => {
  const entries = journal(
    [
      1,
      {
        kind: 'sent',
        statement: 7,
        by: 'c1',
        purpose: 'renew',
        cql: 'UPDATE "k"."t"\n  USING TTL ? SET owner = ?',
        params: ['6', 'c1:x'],
      },
    ],
    [5, { kind: 'answered', statement: 7, outcome: 'applied', found: null, tookMs: 4 }],
    [6, { kind: 'delivered', statement: 7, as: 'unknown' }],
  )
  const said = new SaidBuilder()
  said.read(entries.slice(0, 1))
  expect(said.all[0]).toMatchObject({ outcome: 'waiting', cql: "UPDATE t USING TTL 6 SET owner = 'c1:x'" })
  said.read(entries)
  said.read(entries)
  expect(said.all).toHaveLength(1)
  expect(said.all[0]).toMatchObject({ outcome: 'applied', tookMs: 4, delivered: 'unknown' })
})

it('says which write is held back, until it is let go', () => {
  const sent = (statement: number, purpose: 'renew' | 'read'): Bare => ({
    kind: 'sent',
    statement,
    by: 'c1',
    purpose,
    cql: 'UPDATE',
    params: [],
  })
  const hold = (on: boolean): Bare => ({
    kind: 'fault',
    candidate: 'c1',
    fault: 'hold-next',
    on,
    ms: null,
  })
  const entries = journal(
    [1, hold(true)],
    [2, sent(1, 'read')],
    [3, sent(2, 'renew')],
    [4, sent(3, 'renew')],
    [5, hold(false)],
    [6, { kind: 'let-go', statement: 2 }],
    [7, { kind: 'answered', statement: 2, outcome: 'not-applied', found: null, tookMs: 4 }],
  )
  const outcomes = (count: number) => {
    const said = new SaidBuilder()
    said.read(entries.slice(0, count))
    return said.all.map(({ outcome }) => outcome)
  }
  expect(outcomes(4)).toEqual(['waiting', 'held', 'waiting'])
  expect(outcomes(6)).toEqual(['waiting', 'waiting', 'waiting'])
  expect(outcomes(7)).toEqual(['waiting', 'not-applied', 'waiting'])
})

it('calls no write held back that a new candidate sends, whose id had the fault before', () => {
  const sent = (statement: number): Bare => ({
    kind: 'sent',
    statement,
    by: 'c1',
    purpose: 'acquire',
    cql: 'INSERT',
    params: [],
  })
  const fault = (fault: 'hold-next' | 'cut'): Bare => ({
    kind: 'fault',
    candidate: 'c1',
    fault,
    on: true,
    ms: null,
  })
  const said = new SaidBuilder()
  said.read(
    journal(
      [1, fault('cut')],
      [2, fault('hold-next')],
      [3, { kind: 'joined', candidate: 'c1' }],
      [4, sent(1)],
      // Nor is the new one cut off.
      [5, fault('hold-next')],
      [6, sent(2)],
    ),
  )
  expect(said.all.map(({ outcome }) => outcome)).toEqual(['waiting', 'held'])
})

it('marks the write that took additions away', () => {
  const said = new SaidBuilder()
  const sent = (statement: number, cql: string, by = 'c1'): Bare => ({
    kind: 'sent',
    statement,
    by,
    purpose: 'unfenced-counter',
    cql,
    params: [],
  })
  const wrote = (candidate: string, token: string): Bare => ({
    kind: 'wrote',
    candidate,
    counter: 'unfenced',
    token,
    before: 3,
    outcome: 'lost-update',
    total: { fenced: 1, unfenced: 1, meant: 2 },
  })
  said.read(
    journal(
      [1, leads('c2', '2')],
      [1, sent(1, 'SELECT counter')],
      [2, sent(2, 'UPDATE counter')],
      [3, sent(3, 'SELECT counter')],
      [4, wrote('c1', '1')],
      // The leader’s own write meets the stale one: that is no harm of its doing.
      [5, sent(4, 'UPDATE counter', 'c2')],
      [6, wrote('c2', '2')],
    ),
  )
  expect(said.all.map(({ outcome }) => outcome)).toEqual(['waiting', 'stale', 'waiting', 'waiting'])
})

it('orders the customers of the bakery by number, and then by id', () => {
  const step = (candidate: string, step: number, number: string | null): Bare => ({
    kind: 'bakery',
    candidate,
    step,
    choosing: false,
    number,
    waitsFor: null,
  })
  const entries = journal(
    [1, { kind: 'joined', candidate: 'c3' }],
    [2, step('c2', 9, '3')],
    [3, step('c1', 9, '3')],
    [4, step('c4', 10, '2')],
    [9, { kind: 'fault', candidate: 'c4', fault: 'crashed', on: true, ms: null }],
  )
  expect(bakeryLine(entries, { atMs: 5 }).map(({ id }) => id)).toEqual(['c4', 'c1', 'c2', 'c3'])
  expect(bakeryLine(entries, { atMs: 5 })[0]?.isServed).toBe(true)
  expect(bakeryLine(entries, { nowMs: 10 }).at(-1)).toMatchObject({ id: 'c4', gone: 'crashed' })
})
