/**
 * What a journal proves of its run, in words: five laws of an election, or one of the bakery, each kept, explained or broken.
 *
 * It goes by the journal alone, and the checker is the one of the library’s own tests. A law that was broken is `explained`
 * only by what an act of the run broke on purpose: a kill, the deadline check off, or more skew than is allowed. Two leaders by
 * Cassandra are always `broken`: nothing explains them.
 */
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { LabVerdict } from '../../../contract/lab/run.ts'
import { beliefsOf } from './beliefs.ts'
import { Causes } from './causes.ts'
import { checkerHistory } from './checker-history.ts'
import { answersPossible, contradictionsIn, tokenLaws } from './laws/contradictions.ts'
import { fencedCounter } from './laws/fenced-counter.ts'
import { oneBeliever } from './laws/one-believer.ts'
import { oneCustomer } from './laws/one-customer.ts'
import { oneLeader } from './laws/one-leader.ts'
import { tokensGrow } from './laws/tokens-grow.ts'
import { secondsText, sentStatements } from './sent-statement.ts'

interface VerdictFacts {
  readonly maxClockSkewMs: number
  /** Left out: expiries are known from reads alone, and fewer contradictions are found. */
  readonly ttlSeconds?: number | undefined
  /** The bakery has customers and no leader. */
  readonly scenario?: string | null | undefined
}

/** The longest that the lab has: what is excused for one TTL is excused long enough. */
const longestTtlSeconds = 30

/** Its cost grows with the journal: a second’s worth of a verdict is fresh enough for a viewer. */
export function verdictOf(entries: readonly JournalEntry[], facts: VerdictFacts): LabVerdict {
  const laws = lawsOf(entries, facts)
  const full = entries.find(({ kind }) => kind === 'full')
  if (full === undefined) return laws
  const until = ` The journal was full at ${secondsText(full.atMs)}: what came later is not judged.`
  return laws.map((law) => (law.finding === 'kept' ? { ...law, sentence: law.sentence + until } : law))
}

function lawsOf(entries: readonly JournalEntry[], facts: VerdictFacts): LabVerdict {
  const statements = sentStatements(entries)
  const causes = new Causes(entries, statements, facts)
  if (facts.scenario === 'bakery')
    return [oneCustomer(entries, causes, facts.ttlSeconds ?? longestTtlSeconds)]
  const history = checkerHistory(entries, statements, {
    ttlSeconds: facts.ttlSeconds ?? longestTtlSeconds,
    isSkewed: (candidate, span) => causes.isSkewed(candidate, span),
  })
  const contradictions = contradictionsIn(history)
  const ofTokens = ({ law }: { law: string }) => tokenLaws.includes(law)
  return [
    oneLeader(entries, statements, facts.ttlSeconds),
    oneBeliever(beliefsOf(entries), causes),
    tokensGrow(entries, contradictions.filter(ofTokens)),
    fencedCounter(entries),
    answersPossible(
      contradictions.filter((contradiction) => !ofTokens(contradiction)),
      causes,
    ),
  ]
}
