import type { ShownFinding, Verdict } from '../../lib/contract/leases/doctor.ts'

const titles: Record<Verdict, string> = {
  fail: 'Mend this first: leases are not safe, or may stop working.',
  warn: 'No check failed. Some settings make leases slower or leave a smaller margin.',
  unknown: 'What could be checked is ok.',
  ok: 'Every check is ok.',
}

/** The same of an earlier time, after "When the doctor last answered, ". */
const pastTitles: Record<Verdict, string> = {
  fail: 'a check failed: leases were not safe, or might have stopped working.',
  warn: 'no check failed. Some settings made leases slower or left a smaller margin.',
  unknown: 'what could be checked was ok.',
  ok: 'every check was ok.',
}

interface Summary {
  title: string
  past: string
  /** How many findings have each verdict, the worst first; what there is none of is left out. */
  counts: string
}

const words: [Verdict, (count: number) => string][] = [
  ['fail', (count) => `${count} failed`],
  ['warn', (count) => `${count} ${count === 1 ? 'warning' : 'warnings'}`],
  ['unknown', (count) => `${count} unknown`],
  ['ok', (count) => `${count} ok`],
]

/** The whole report in a line. */
export function summaryOf(verdict: Verdict, findings: readonly Pick<ShownFinding, 'verdict'>[]): Summary {
  const counts = words.flatMap(([each, text]) => {
    const count = findings.filter((finding) => finding.verdict === each).length
    return count === 0 ? [] : [text(count)]
  })
  return { title: titles[verdict], past: pastTitles[verdict], counts: counts.join(', ') }
}
