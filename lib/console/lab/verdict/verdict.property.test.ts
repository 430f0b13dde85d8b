/** Journals made from true tenures are kept; with one tenure too early they are not. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { journalOf, tenure, ttlSeconds } from '../../../contract/lab/test-tenures.ts'
import { verdictOf } from './verdict.ts'

const facts = { maxClockSkewMs: 600, ttlSeconds }

it('what is true is kept', () => {
  fc.assert(
    fc.property(fc.array(tenure, { minLength: 1, maxLength: 12 }), (tenures) => {
      const wrong = verdictOf(journalOf(tenures).entries, facts).filter(({ finding }) => finding !== 'kept')
      expect(wrong).toEqual([])
    }),
    { numRuns: 300, seed: 13 },
  )
})

it('a tenure that begins before the row is gone is found', () => {
  const held = { end: 'crashed', candidate: 'c1', renewals: [] as number[] } as const
  fc.assert(
    fc.property(tenure, tenure, fc.integer({ min: 1_200, max: 3_000 }), (first, last, earlyMs) => {
      const journal = journalOf(
        [
          { ...first, ...held },
          { ...last, candidate: 'c2' },
        ],
        earlyMs,
      )
      const [oneLeader] = verdictOf(journal.entries, facts)
      expect(oneLeader?.finding).toBe('broken')
    }),
    { numRuns: 100, seed: 13 },
  )
})
