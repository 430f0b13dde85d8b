/** The verdict on journals that are true, on the same ones with a lie each, and on those in which an act broke a law. */
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { pauseWithoutFencing, TestJournal } from '../../../contract/lab/test-journal.ts'
import { verdictOf } from './verdict.ts'

const facts = { maxClockSkewMs: 600, ttlSeconds: 6 }
const said = (entries: readonly JournalEntry[]) =>
  Object.fromEntries(
    verdictOf(entries, facts).map(({ law, finding, sentence }) => [law, `${finding}: ${sentence}`]),
  )
const findings = (entries: readonly JournalEntry[]) =>
  Object.fromEntries(verdictOf(entries, facts).map(({ law, finding }) => [law, finding]))
const kept = {
  'one-leader-by-cassandra': 'kept',
  'one-believer': 'kept',
  'tokens-grow': 'kept',
  'fenced-counter-right': 'kept',
  'answers-possible': 'kept',
}
const additions = { fenced: 1, unfenced: 1, meant: 1 }
const wrote = {
  candidate: 'c1',
  token: '100',
  before: 0,
  outcome: 'written',
  counter: 'fenced',
  total: additions,
} as const

/** c1 leads, renews, adds and resigns; c2 follows, and its row expires; c3 follows. */
function truth(): TestJournal {
  const journal = new TestJournal().joined(0, 'c1', 'c2', 'c3')
  journal.takes('c1', 1_000, { token: '100', term: '1' }).refused('c2', 1_500, 'c1:100')
  journal.renews('c1', 3_000, { version: '110' }).note('wrote', 3_500, wrote).releases('c1', 4_000)
  journal.takes('c2', 4_100, { token: '200', term: '2' }).refused('c3', 5_000, 'c2:200')
  journal.fault('c2', 'crashed', 5_000).seen(null, 10_050)
  return journal
    .takes('c3', 10_100, { token: '300', term: '3' })
    .seen('c3', 12_000, { version: '300', expiryMs: 16_000 })
}

it('keeps all laws of a true run, and says so', () => {
  expect(findings(truth().entries)).toEqual(kept)
  expect(said(truth().entries)).toEqual({
    'one-leader-by-cassandra': 'kept: Two held the lease at once, by Cassandra’s answers: never.',
    'one-believer': 'kept: Two believed to lead at once: never.',
    'tokens-grow': 'kept: Tokens grew: 3 of 3.',
    'fenced-counter-right': 'kept: The fenced counter is right: 1 of 1.',
    'answers-possible': 'kept: No answer contradicts the rows that Cassandra showed.',
  })
})

it('keeps all laws of a run that has just begun', () => {
  expect(findings([])).toEqual(kept)
  expect(findings(new TestJournal().joined(0, 'c1', 'c2').entries)).toEqual(kept)
})

describe('finds the lie', () => {
  const and = (change: (journal: TestJournal) => void) => {
    const journal = truth()
    change(journal)
    return journal.entries
  }
  it.each([
    [
      'one-leader-by-cassandra',
      'an acquisition is applied while another row is surely there',
      and((journal) => {
        journal.statement('c3', 'acquire', 1_200, { owner: 'c3:9' })
      }),
    ],
    [
      'one-leader-by-cassandra',
      'a read shows another leader within a tenure',
      and((journal) => {
        journal.seen('c3', 5_500, { version: '250', expiryMs: 11_000 })
      }),
    ],
    [
      'one-leader-by-cassandra',
      'a renewal of an old leader is applied within the next tenure',
      and((journal) => {
        journal.statement('c1', 'renew', 5_200)
      }),
    ],
    [
      'one-believer',
      'a candidate leads while another one does',
      and((journal) => {
        journal.note('leads', 11_000, {
          candidate: 'c1',
          owner: 'c1:900',
          token: '900',
          term: '9',
          deadlineMs: 15_000,
        })
      }),
    ],
    [
      'tokens-grow',
      'a smaller token',
      and((journal) => journal.takes('c1', 16_100, { token: '250', term: '4' })),
    ],
    [
      'tokens-grow',
      'the same token again',
      and((journal) => journal.takes('c1', 16_100, { token: '300', term: '4' })),
    ],
    [
      'tokens-grow',
      'a term twice',
      and((journal) => journal.takes('c1', 16_100, { token: '400', term: '3' })),
    ],
    [
      'tokens-grow',
      'a token below a version that was read before',
      and((journal) => {
        journal
          .seen('c3', 15_000, { version: '450', expiryMs: 16_000 })
          .takes('c1', 16_100, { token: '400', term: '4' })
      }),
    ],
    [
      'fenced-counter-right',
      'an addition is lost',
      and((journal) => {
        journal.note('wrote', 3_600, { ...wrote, before: 1, total: { fenced: 1, unfenced: 2, meant: 2 } })
      }),
    ],
    [
      'fenced-counter-right',
      'an old token is taken',
      and((journal) => {
        const next = {
          ...wrote,
          candidate: 'c2',
          token: '200',
          before: 1,
          total: { fenced: 2, unfenced: 2, meant: 2 },
        }
        journal.note('wrote', 4_500, next)
        journal.note('wrote', 4_600, { ...wrote, before: 2, total: { fenced: 3, unfenced: 3, meant: 3 } })
      }),
    ],
    [
      'fenced-counter-right',
      'the fence lets a lost update pass',
      and((journal) => {
        journal.note('wrote', 3_600, { ...wrote, outcome: 'lost-update' })
      }),
    ],
    [
      'answers-possible',
      'a holder is named that never was',
      and((journal) => journal.refused('c1', 12_500, 'c2:999')),
    ],
    [
      'answers-possible',
      'a row is shown after its release',
      and((journal) => {
        journal.seen('c1', 4_050, { owner: 'c1:100', version: '110', expiryMs: 9_000 })
      }),
    ],
    [
      'answers-possible',
      'a leader that loses its lease without a cause',
      and((journal) => {
        journal.statement('c3', 'renew', 12_100, { outcome: 'not-applied' }) &&
          journal.lost('c3', 12_110, 'not-holder')
      }),
    ],
    [
      'answers-possible',
      'no row is shown while a leader may rely on it',
      and((journal) => journal.seen(null, 11_000)),
    ],
  ])('%s: %s', (law, _, entries) => {
    expect(findings(entries)[law]).toBe('broken')
  })

  it('two leaders by Cassandra are broken, whatever else the run broke on purpose', () => {
    const journal = truth().check(false, 0)
    journal.statement('lab', 'kill', 900)
    journal.fault('c1', 'skewed', 1_100, true, -20_000)
    journal.statement('c3', 'acquire', 1_200, { owner: 'c3:9' })
    expect(said(journal.entries)['one-leader-by-cassandra']).toBe(
      'broken: Cassandra showed two leaders at once: c1 and c3, at 1.2 s.',
    )
  })
})

describe('explains', () => {
  it('the check that was off', () => {
    const { entries } = pauseWithoutFencing()
    expect(said(entries)['one-believer']).toBe(
      'explained: Two believed to lead for 4.5 s, because the deadline check was off.',
    )
    expect(verdictOf(entries, facts)[1]?.marks).toEqual([
      { fromMs: 16_026, toMs: 20_600, candidates: ['c2', 'c3'] },
    ])
    expect(findings(entries)).toEqual({ ...kept, 'one-believer': 'explained' })
  })

  it('nothing by the check when it is on: the belief ends at its deadline', () => {
    const entries = pauseWithoutFencing().entries.filter(({ kind }) => kind !== 'deadline-check')
    expect(findings(entries)['one-believer']).toBe('kept')
  })

  it('a renewal after the deadline, with the check off', () => {
    const journal = (check: boolean) =>
      new TestJournal()
        .joined(0, 'c1')
        .check(check, 0)
        .takes('c1', 1_900, { token: '1' })
        .renews('c1', 6_500, { version: '2' })
    expect(said(journal(false).entries)['answers-possible']).toBe(
      'explained: A lease was renewed after its deadline, because the deadline check was off.',
    )
    expect(findings(journal(true).entries)['answers-possible']).toBe('broken')
  })

  const cutOff = () =>
    new TestJournal().joined(0, 'c1', 'c2').takes('c1', 1_000, { token: '100' }).fault('c1', 'cut', 1_500)

  it('a kill', () => {
    const journal = cutOff()
    journal.statement('lab', 'kill', 2_000, { owner: 'c1:100' })
    journal.takes('c2', 2_100, { token: '200' })
    expect(said(journal.entries)['one-believer']).toBe('kept: Two believed to lead at once: never.')
    journal.seen('c2', 7_000, { version: '200', expiryMs: 8_000 })
    expect(said(journal.entries)['one-believer']).toBe(
      'explained: Two believed to lead for 3.2 s, because the lease of c1 was killed.',
    )
    expect(findings(journal.entries)['answers-possible']).toBe('kept')
  })

  it.each([
    ['of another owner', 'c1:7', 'applied'],
    ['that Cassandra did not apply', 'c1:100', 'not-applied'],
    ['that was surely not sent', 'c1:100', 'unavailable'],
    ['that Cassandra refused', 'c1:100', 'refused'],
  ] as const)('no kill %s', (_, owner, outcome) => {
    const journal = cutOff()
    journal.statement('lab', 'kill', 2_000, { owner, outcome })
    journal.note('leads', 3_000, {
      candidate: 'c2',
      owner: 'c2:9',
      token: '900',
      term: null,
      deadlineMs: 6_000,
    })
    expect(findings(journal.seen(null, 7_000).entries)['one-believer']).toBe('broken')
  })

  const skewed = (backMs: number, deadlineMs = 5_400 + backMs) => {
    const journal = cutOff().fault('c1', 'skewed', 1_600, true, -backMs)
    journal.note('renewed', 1_601, { candidate: 'c1', deadlineMs, marginMs: 3_799 })
    journal.seen(null, 7_010).takes('c2', 7_100, { token: '200' })
    return journal.lost('c1', deadlineMs, 'deadline').seen('c2', 9_000, { version: '200', expiryMs: 13_000 })
  }

  it('a clock that went back by more than is allowed', () => {
    expect(said(skewed(3_000).entries)['one-believer']).toBe(
      'explained: Two believed to lead for 1.2 s, because the clock of c1 went back by 3.0 s, and a deadline here allows for 0.6 s.',
    )
    expect(findings(skewed(3_000).entries)['answers-possible']).toBe('kept')
  })

  it('a clock that went back in many small steps', () => {
    const journal = skewed(3_000)
    const steps = Array.from({ length: 5 }, (_, i) => 600 * (i + 1))
    const entries = journal.entries.filter(({ kind, atMs }) => kind !== 'fault' || atMs !== 1_600)
    const stepped = steps.map((ms, i) => ({
      seq: 0,
      kind: 'fault' as const,
      atMs: 1_600 + i / 10,
      candidate: 'c1',
      fault: 'skewed' as const,
      on: true,
      ms: -ms,
    }))
    const all = [...entries, ...stepped].toSorted((one, other) => one.atMs - other.atMs)
    expect(said(all)['one-believer']).toMatch(/^explained: .* because the clock of c1 went back by 3\.0 s/)
  })

  it('no late renewal by a clock that moved less than it was late, in another tenure, or was of a process before', () => {
    const late = (clock: (journal: TestJournal) => void) => {
      const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_900, { token: '1' })
      clock(journal)
      return said(journal.renews('c1', 6_500, { version: '2' }).entries)['answers-possible']
    }
    // Its deadline was at 6.3 s.
    expect(late((journal) => journal.fault('c1', 'skewed', 2_000, true, -300))).toMatch(/^kept/)
    expect(late((journal) => journal.fault('c1', 'skewed', 2_000, true, -3_000))).toMatch(
      /^explained: .* went back by 3\.0 s/,
    )
    expect(late((journal) => journal.fault('c1', 'skewed', 2_000, true, -100))).toMatch(/^broken/)
    expect(late((journal) => journal.fault('c1', 'skewed', 1_000, true, -3_000))).toMatch(/^broken/)
    const ofOneBefore = (journal: TestJournal) =>
      journal.fault('c1', 'skewed', 500, true, 3_000).joined(800, 'c1').fault('c1', 'skewed', 2_000, true, 0)
    expect(late(ofOneBefore)).toMatch(/^broken/)
  })

  it('no clock that went back by less', () => {
    expect(findings(skewed(600).entries)).toEqual(kept)
    expect(said(skewed(600, 8_500).entries)['one-believer']).toMatch(
      /^broken: .* nothing explains it: c1 and c2\.$/,
    )
  })
})

it('says that a full journal proves nothing of what came later', () => {
  const { entries } = truth().note('full', 13_000, {})
  for (const { sentence } of verdictOf(entries, facts))
    expect(sentence).toMatch(/ The journal was full at 13\.0 s: what came later is not judged\.$/)
})
