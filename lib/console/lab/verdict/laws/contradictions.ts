/** What the checker finds in a journal, each with its place on the lanes. */
import { falsehoods, type History } from 'leasehold/testing'
import type { LabVerdict } from '../../../../contract/lab/run.ts'
import type { Causes } from '../causes.ts'

type Law = LabVerdict[number]

export interface Contradiction {
  /** As the checker calls it: “shown while held”. */
  readonly law: string
  readonly mark: Law['marks'][number]
  /** Of a renewal: when its tenure began, and how long after its deadline it was sent. */
  readonly late?: { readonly ledFromMs: number; readonly byMs: number } | undefined
}

/** The laws that speak of tokens and terms. */
export const tokenLaws: readonly string[] = [
  'tokens grow',
  'the token is of this tenure',
  'terms grow with their tokens',
]
/** It is judged by what the candidates believed: deadlines are what this checker goes by. */
const judgedElsewhere = 'one holder'

/** What the evidence of the checker tells of time and candidate. */
interface Evidence {
  readonly client?: string
  readonly owner?: string | null
  readonly calledMs?: number
  readonly returnedMs?: number | null
}

export function contradictionsIn(history: History): Contradiction[] {
  const beganMs = new Map(
    history.operations.flatMap(({ kind, owner, calledMs }) =>
      kind === 'acquire' && owner !== null ? [[owner, calledMs] as const] : [],
    ),
  )
  return falsehoods(history)
    .filter(({ law }) => law !== judgedElsewhere)
    .map(({ law, evidence }) => {
      const { deadlineMs, ...of } = JSON.parse(evidence) as Record<string, Evidence> & { deadlineMs?: number }
      const { renewal } = of
      if (renewal === undefined || deadlineMs === undefined) return { law, mark: markOf(of) }
      const { owner = null, calledMs = 0 } = renewal
      const late = { ledFromMs: beganMs.get(owner ?? '') ?? calledMs, byMs: calledMs - deadlineMs }
      return { law, mark: markOf(of), late }
    })
}

function markOf({ told, operation, renewal }: Record<string, Evidence>): Law['marks'][number] {
  const { client, calledMs = 0, returnedMs } = renewal ?? operation ?? told ?? {}
  return { fromMs: calledMs, toMs: returnedMs ?? calledMs, candidates: client === undefined ? [] : [client] }
}

export function answersPossible(contradictions: readonly Contradiction[], causes: Causes): Law {
  const law = 'answers-possible' as const
  const judged = contradictions
    .map((contradiction) => ({ ...contradiction, ...judge(contradiction, causes) }))
    .filter(({ isAllowed }) => !isAllowed)
  const marks = judged.map(({ mark }) => mark)
  if (judged.length === 0)
    return { law, finding: 'kept', sentence: 'No answer contradicts the rows that Cassandra showed.', marks }
  const unexplained = judged.filter(({ why }) => why === null)
  const count = (n: number) => (n === 1 ? 'One answer does' : `${n} answers do`)
  if (unexplained.length > 0) {
    const laws = [...new Set(unexplained.map(({ law }) => law))].join('; ')
    const sentence = `${count(unexplained.length)} not fit the rows that Cassandra showed. The law: ${laws}.`
    return { law, finding: 'broken', sentence, marks }
  }
  const why = [...new Set(judged.map(({ why }) => why))].join(', and because ')
  return {
    law,
    finding: 'explained',
    sentence: `A lease was renewed after its deadline, because ${why}.`,
    marks,
  }
}

/** A candidate renews after its deadline when it does not look at it, or when its clock went back. */
function judge({ mark, late }: Contradiction, causes: Causes): { why: string | null; isAllowed: boolean } {
  if (late === undefined) return { why: null, isAllowed: false }
  const [candidate = ''] = mark.candidates
  const backMs = causes.clockBackMs(candidate, { fromMs: late.ledFromMs, toMs: mark.fromMs })
  // A clock explains as much as it moved, and no more.
  if (late.byMs <= backMs) {
    if (backMs <= causes.allowedSkewMs) return { why: null, isAllowed: true }
    return { why: causes.clockText(candidate, backMs), isAllowed: false }
  }
  return { why: causes.isCheckOff(mark) ? 'the deadline check was off' : null, isAllowed: false }
}
