/** Journals made from true tenures, in every order that Cassandra allows. */
import fc from 'fast-check'
import { TestJournal } from './test-journal.ts'

export const ttlSeconds = 6

export const tenure = fc.record({
  candidate: fc.constantFrom('c1', 'c2', 'c3', 'c4'),
  /** From the end of the row before it to its own acquisition. */
  waitMs: fc.integer({ min: 20, max: 2_000 }),
  /** Each so long after the write before it. */
  renewals: fc.array(fc.integer({ min: 300, max: 4_000 }), { maxLength: 6 }),
  end: fc.constantFrom('released', 'crashed', 'cut', 'killed', 'gave-up'),
  heldMs: fc.integer({ min: 50, max: 3_000 }),
  /** Rivals that are refused, so long after the acquisition. */
  rivals: fc.array(fc.integer({ min: 1, max: 280 }), { maxLength: 3 }),
  /** Reads of the lab, so long after the last write. */
  reads: fc.array(fc.integer({ min: 12, max: 280 }), { maxLength: 3 }),
  termsGrow: fc.boolean(),
})
type Tenure = typeof tenure extends fc.Arbitrary<infer T> ? T : never

/** @param earlyMs how much too early the last tenure begins */
export function journalOf(tenures: readonly Tenure[], earlyMs = 0): TestJournal {
  const journal = new TestJournal(ttlSeconds).joined(0, 'c1', 'c2', 'c3', 'c4').check(true, 0)
  let freeMs = 100
  for (const [i, each] of tenures.entries()) {
    const token = 1_000 * (i + 1)
    const isLast = i === tenures.length - 1
    const sentMs = isLast && earlyMs > 0 ? freeMs - earlyMs : freeMs + each.waitMs
    freeMs = play(journal, each, { sentMs, token, term: i + 1 })
  }
  // So that every belief has ended in the journal.
  return journal.seen(null, freeMs + 20_000)
}

/** @returns when the row is gone */
function play(
  journal: TestJournal,
  { candidate, renewals, end, heldMs, rivals, reads }: Tenure,
  { sentMs, token, term }: { sentMs: number; token: number; term: number },
): number {
  const owner = `${candidate}:${token}`
  journal.takes(candidate, sentMs, { token: `${token}`, term: `${term}` })
  for (const afterMs of rivals)
    journal.refused(candidate === 'c1' ? 'c2' : 'c1', sentMs + 12 + afterMs, owner)
  let writtenMs = sentMs
  let version = token
  for (const afterMs of renewals) {
    writtenMs += afterMs
    journal.renews(candidate, writtenMs, { version: `${++version}` })
  }
  const expiryMs = journal.expiryOf(writtenMs)
  for (const afterMs of reads)
    journal.seen(candidate, writtenMs + 12 + afterMs, { version: `${version}`, expiryMs })
  const endMs = writtenMs + 300 + heldMs
  if (end === 'released') {
    journal.releases(candidate, endMs)
    return endMs + 10
  }
  if (end === 'killed') {
    journal.statement('lab', 'kill', endMs, { owner })
    journal.statement(candidate, 'renew', endMs + 8, { outcome: 'not-applied' })
    journal.lost(candidate, endMs + 14, 'not-holder')
    return endMs + 16
  }
  if (end === 'crashed') journal.fault(candidate, 'crashed', endMs).joined(expiryMs + 1, candidate)
  else if (end === 'cut') journal.fault(candidate, 'cut', endMs).fault(candidate, 'cut', expiryMs + 5, false)
  if (end !== 'crashed') journal.lost(candidate, Math.max(endMs, journal.deadlineOf(writtenMs)), 'deadline')
  return expiryMs
}
