/** The token of each tenure is greater than that of the one before it. */
import type { JournalEntry } from '../../../../contract/lab/journal.ts'
import type { LabVerdict } from '../../../../contract/lab/run.ts'
import { ofKind } from '../sent-statement.ts'
import type { Contradiction } from './contradictions.ts'

type Law = LabVerdict[number]

/** @param contradictions of the checker, those that speak of tokens */
export function tokensGrow(entries: readonly JournalEntry[], contradictions: readonly Contradiction[]): Law {
  const law = 'tokens-grow' as const
  const tenures = ofKind(entries, 'leads')
  let greatest = -1n
  const fallen = tenures.filter(({ token }) => {
    const grew = BigInt(token) > greatest
    if (grew) greatest = BigInt(token)
    return !grew
  })
  if (tenures.length === 0) return { law, finding: 'kept', sentence: 'No candidate has led yet.', marks: [] }
  const counted = `Tokens grew: ${tenures.length - fallen.length} of ${tenures.length}`
  const marks = [
    ...fallen.map(({ atMs, candidate }) => ({ fromMs: atMs, toMs: atMs, candidates: [candidate] })),
    ...contradictions.map(({ mark }) => mark),
  ]
  if (marks.length === 0) return { law, finding: 'kept', sentence: `${counted}.`, marks }
  const [first] = fallen
  const why =
    first === undefined
      ? `but not with what Cassandra showed: ${contradictions[0]?.law}`
      : `the token of ${first.candidate} is not greater than those before it`
  return { law, finding: 'broken', sentence: `${counted}; ${why}.`, marks }
}
