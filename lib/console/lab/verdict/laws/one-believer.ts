/** At no time do two believe to lead, unless an act of the run broke that on purpose. */
import type { LabVerdict } from '../../../../contract/lab/run.ts'
import type { Belief } from '../beliefs.ts'
import type { Causes } from '../causes.ts'
import { secondsText } from '../sent-statement.ts'

type Law = LabVerdict[number]

/** Two notes of one instant differ by less. */
const clockSlackMs = 5

interface Overlap {
  /** The belief that began earlier: it is the one that should have ended. */
  readonly older: Belief
  readonly younger: Belief
  readonly fromMs: number
  readonly toMs: number
}

export function oneBeliever(beliefs: readonly Belief[], causes: Causes): Law {
  const overlaps = overlapsOf(beliefs)
  const law = 'one-believer' as const
  if (overlaps.length === 0)
    return { law, finding: 'kept', sentence: 'Two believed to lead at once: never.', marks: [] }
  const reasons = overlaps.map((overlap) => causes.ofBelief(overlap.older, overlap))
  const unexplained = overlaps.filter((_, i) => reasons[i] === null)
  const marks = overlaps.map(({ older, younger, fromMs, toMs }) => ({
    fromMs,
    toMs,
    candidates: [older.candidate, younger.candidate],
  }))
  if (unexplained.length > 0) {
    const candidates = [
      ...new Set(unexplained.flatMap(({ older, younger }) => [older.candidate, younger.candidate])),
    ]
    const sentence = `Two believed to lead for ${secondsText(covered(unexplained))}, and nothing explains it: ${candidates.join(' and ')}.`
    return { law, finding: 'broken', sentence, marks }
  }
  const why = [...new Set(reasons)].join(', and because ')
  const sentence = `Two believed to lead for ${secondsText(covered(overlaps))}, because ${why}.`
  return { law, finding: 'explained', sentence, marks }
}

function overlapsOf(beliefs: readonly Belief[]): Overlap[] {
  const found: Overlap[] = []
  let active: Belief[] = []
  for (const younger of beliefs) {
    active = active.filter(({ toMs }) => toMs > younger.fromMs)
    for (const older of active) {
      const toMs = Math.min(older.toMs, younger.toMs)
      if (older.candidate === younger.candidate || toMs - younger.fromMs <= clockSlackMs) continue
      const [first, second] = older.ledFromMs <= younger.ledFromMs ? [older, younger] : [younger, older]
      found.push({ older: first, younger: second, fromMs: younger.fromMs, toMs })
    }
    active.push(younger)
  }
  return found
}

/** How long it was so, each instant counted once. */
function covered(overlaps: readonly Overlap[]): number {
  let [sumMs, untilMs] = [0, Number.NEGATIVE_INFINITY]
  for (const { fromMs, toMs } of overlaps.toSorted((a, b) => a.fromMs - b.fromMs)) {
    sumMs += Math.max(0, toMs - Math.max(fromMs, untilMs))
    untilMs = Math.max(untilMs, toMs)
  }
  return sumMs
}
