import { expect, it } from 'vitest'
import { TestJournal } from '../../../contract/lab/test-journal.ts'
import { bakeryLine } from './bakery-line.ts'

const ttl = 8
let statements = 0

/** A statement of a customer on its registers, which Cassandra carries out. */
function says(journal: TestJournal, by: string, atMs: number, cql: string, params: string[], found = '') {
  const statement = ++statements
  journal.note('sent', atMs, { statement, by, purpose: 'bakery', cql, params })
  const answer = { statement, outcome: 'rows', found: found === '' ? null : found, tookMs: 5 } as const
  return journal.note('answered', atMs + 5, answer)
}
const step = (journal: TestJournal, candidate: string, atMs: number, number: string | null, at = 10) =>
  journal.note('bakery', atMs, { candidate, step: at, choosing: false, number, waitsFor: null })
const writes = (journal: TestJournal, by: string, atMs: number, visit = `${by}-visit`) =>
  says(
    journal,
    by,
    atMs,
    'INSERT INTO k.bakery_numbers (name, customer, number) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?',
    ['lab/x/bakery', visit, '4', '1', String(ttl)],
  )
const reads = (journal: TestJournal, by: string, atMs: number, ...shown: string[]) =>
  says(
    journal,
    by,
    atMs,
    'SELECT customer, number FROM k.bakery_numbers WHERE name = ?',
    ['lab/x/bakery'],
    shown.map((each) => `customer = ${each}-visit, number = 4`).join('; '),
  )
const customer = (journal: TestJournal, id: string, atMs: number) =>
  bakeryLine(journal.entries, { atMs }).find((each) => each.id === id) ?? expect.unreachable()

/** c3 is inside with number 4, written at 1 s, and stops at 2 s. */
const stopped = (fault: 'crashed' | 'paused') =>
  step(writes(new TestJournal(ttl).joined(0, 'c1', 'c3'), 'c3', 1_000), 'c3', 1_100, '4').fault(
    'c3',
    fault,
    2_000,
  )

it('a customer that has been served is outside, and in none of the ten steps', () => {
  const journal = step(writes(new TestJournal(ttl).joined(0, 'c1'), 'c1', 1_000), 'c1', 1_100, '4')
  expect(customer(journal, 'c1', 1_500)).toMatchObject({ step: 10, isServed: true, isAway: false })
  expect(customer(step(journal, 'c1', 4_000, null), 'c1', 5_000)).toMatchObject({
    step: null,
    number: null,
    isServed: false,
    isAway: true,
  })
})

it('a customer that clears its number is inside no longer, though the answer has not come', () => {
  const journal = step(writes(new TestJournal(ttl).joined(0, 'c1'), 'c1', 1_000), 'c1', 1_100, '4')
  const cql = 'DELETE FROM k.bakery_numbers USING TIMESTAMP ? WHERE name = ? AND customer = ?'
  journal.note('sent', 4_000, { statement: 99, by: 'c1', purpose: 'bakery', cql, params: [] })
  expect(customer(journal, 'c1', 4_100)).toMatchObject({ isServed: false, number: '4', step: null })
})

it('the number of a customer that crashed stands until its TTL is over, and has expired then', () => {
  const journal = stopped('crashed')
  expect(customer(journal, 'c3', 8_900)).toMatchObject({ number: '4', hasExpired: false })
  expect(customer(journal, 'c3', 9_100)).toMatchObject({ number: null, hasExpired: true })
})

it('… or until another customer has read that it is gone, which is what the story tells of', () => {
  const journal = reads(reads(stopped('crashed'), 'c1', 8_000, 'c1', 'c3'), 'c1', 8_300, 'c1')
  expect(customer(journal, 'c3', 8_100)).toMatchObject({ number: '4', hasExpired: false })
  expect(customer(journal, 'c3', 8_400)).toMatchObject({ number: null, hasExpired: true })
})

it('a read that was sent before the number was written says nothing of it', () => {
  const journal = writes(new TestJournal(ttl).joined(0, 'c1', 'c3'), 'c3', 1_000)
  step(reads(journal, 'c1', 1_002), 'c3', 1_001, '4', 4)
  for (const atMs of [1_006, 1_008, 1_200])
    expect(customer(journal, 'c3', atMs)).toMatchObject({ number: '4', hasExpired: false })
})

it('a customer that is paused for longer than its number lives is inside no longer', () => {
  expect(customer(stopped('paused'), 'c3', 8_000)).toMatchObject({ isServed: true, step: 10 })
  expect(customer(stopped('paused'), 'c3', 10_000)).toMatchObject({
    isServed: false,
    step: null,
    number: null,
    hasExpired: true,
    stopped: 'paused',
  })
})

it('a number that its customer cleared has not expired', () => {
  const journal = stopped('crashed')
  const clear = 'DELETE FROM k.bakery_numbers USING TIMESTAMP ? WHERE name = ? AND customer = ?'
  says(journal, 'c3', 1_999, clear, ['2', 'lab/x/bakery', 'c3-visit'])
  expect(customer(journal, 'c3', 3_000)).toMatchObject({ number: null, hasExpired: false })
})

it('when the run has ended, none is inside or on its way', () => {
  const journal = step(writes(new TestJournal(ttl).joined(0, 'c1'), 'c1', 1_000), 'c1', 1_100, '4')
  journal.note('ended', 2_000, { why: 'person', detail: null })
  const isOutside = { step: null, number: null, isServed: false, isAway: true }
  expect(customer(journal, 'c1', 2_000)).toMatchObject(isOutside)
  // Of an instance that died, no entry says so.
  const cut = journal.entries.filter(({ kind }) => kind !== 'ended')
  expect(bakeryLine(cut, { nowMs: 1_100, hasEnded: true })).toMatchObject([isOutside])
})

it('equal numbers stand in the order of the ids of the visits, as the bakery serves them', () => {
  const journal = new TestJournal(ttl).joined(0, 'c1', 'c2')
  writes(writes(journal, 'c1', 1_000, 'pid-zz'), 'c2', 1_000, 'pid-aa')
  step(step(journal, 'c1', 1_100, '4', 9), 'c2', 1_100, '4', 10)
  expect(bakeryLine(journal.entries, { atMs: 1_200 }).map(({ id }) => id)).toEqual(['c2', 'c1'])
})
