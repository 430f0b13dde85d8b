/** The law of the bakery, on journals that are true, and on the same ones with a lie. */
import { expect, it } from 'vitest'
import { TestJournal } from '../../../../contract/lab/test-journal.ts'
import { verdictOf } from '../verdict.ts'

const facts = { maxClockSkewMs: 600, ttlSeconds: 6, scenario: 'bakery' }
const verdict = (journal: TestJournal) => verdictOf(journal.entries, facts)
const said = (journal: TestJournal) =>
  verdict(journal).map(({ law, finding, sentence }) => [law, `${finding}: ${sentence}`])
const never = (served: string) => [
  ['one-customer-inside', `kept: Two customers inside at once: never.${served}`],
]

let statements = 0
/** Writes its number, and is inside 1 s later. Its place ends 4.4 s after the write, unless it is written again. */
const enters = (journal: TestJournal, candidate: string, atMs: number) =>
  writes(journal, candidate, atMs - 1_000).note('bakery', atMs, {
    candidate,
    step: 10,
    choosing: false,
    number: '1',
    waitsFor: null,
  })
const writes = (journal: TestJournal, candidate: string, atMs: number) => {
  const statement = ++statements
  const cql =
    'INSERT INTO bakery_numbers (name, customer, number) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?'
  journal.note('sent', atMs, { statement, by: candidate, purpose: 'bakery', cql, params: [] })
  return journal.note('answered', atMs + 5, { statement, outcome: 'rows', found: null, tookMs: 5 })
}
const goes = (journal: TestJournal, candidate: string, atMs: number) =>
  journal.note('bakery', atMs, { candidate, step: 10, choosing: false, number: null, waitsFor: null })

it('is kept when none has been served, and says nothing of leaders', () => {
  expect(said(new TestJournal().joined(0, 'c1', 'c2'))).toEqual(never(''))
})

it('is kept by one after the other', () => {
  const journal = goes(enters(new TestJournal().joined(0, 'c1', 'c2'), 'c1', 2_000), 'c1', 4_000)
  expect(said(goes(enters(journal, 'c2', 4_001), 'c2', 6_000))).toEqual(never(' 2 served.'))
})

it('counts a customer that stands still until its deadline, and one that crashed until then', () => {
  const paused = enters(new TestJournal().joined(0, 'c1', 'c2'), 'c1', 2_000).fault('c1', 'paused', 2_100)
  expect(said(goes(enters(paused, 'c2', 5_500), 'c1', 9_000))).toEqual(never(' 2 served.'))
  const crashed = enters(new TestJournal().joined(0, 'c1', 'c2'), 'c1', 2_000).fault('c1', 'crashed', 2_100)
  expect(said(goes(enters(crashed, 'c2', 2_200), 'c2', 3_000))).toEqual(never(' 2 served.'))
})

it('a customer is inside until it clears its number, not until it has the answer', () => {
  const journal = enters(new TestJournal().joined(0, 'c1', 'c2'), 'c1', 2_000)
  const statement = ++statements
  const cql = 'DELETE FROM bakery_numbers USING TIMESTAMP ? WHERE name = ? AND customer = ?'
  journal.note('sent', 3_000, { statement, by: 'c1', purpose: 'bakery', cql, params: [] })
  // The next one has read that the number is gone before the answer to its clearing comes.
  enters(journal, 'c2', 3_100)
  journal.note('answered', 3_300, { statement, outcome: 'rows', found: null, tookMs: 300 })
  expect(said(goes(goes(journal, 'c1', 3_301), 'c2', 4_000))).toEqual(never(' 2 served.'))
})

it('finds two inside at once', () => {
  const journal = enters(enters(new TestJournal().joined(0, 'c1', 'c2'), 'c1', 2_000), 'c2', 3_000)
  const [law] = verdict(goes(goes(journal, 'c1', 4_000), 'c2', 5_000))
  expect(law).toEqual({
    law: 'one-customer-inside',
    finding: 'broken',
    sentence: 'c1 and c2 were inside at once, at 3.0 s, and nothing explains it.',
    marks: [{ fromMs: 3_000, toMs: 4_000, candidates: ['c1', 'c2'] }],
  })
})

it('finds a place that was kept by writing the number again', () => {
  const journal = enters(new TestJournal().joined(0, 'c1', 'c2'), 'c1', 2_000)
  expect(said(goes(enters(journal, 'c2', 6_000), 'c2', 6_500))).toEqual(never(' 2 served.'))
  expect(verdict(writes(journal, 'c1', 4_000))[0]?.finding).toBe('broken')
})

it('explains it by a clock that went back by more than is allowed, and by none that went back by less', () => {
  const skewed = (backMs: number) =>
    goes(
      enters(
        enters(new TestJournal().joined(0, 'c1', 'c2'), 'c1', 2_000).fault(
          'c1',
          'skewed',
          2_100,
          true,
          -backMs,
        ),
        ...(['c2', 6_000] as const),
      ),
      ...(['c1', 8_000] as const),
    )
  expect(said(skewed(3_000))).toEqual([
    [
      'one-customer-inside',
      'explained: c1 and c2 were inside at once, at 6.0 s, because a clock went back by 3.0 s, and a deadline here allows for 0.6 s.',
    ],
  ])
  expect(said(skewed(500))).toEqual(never(' 2 served.'))
})
