import type { ShownFinding, Verdict } from '../../lib/contract/leases/doctor.ts'

const titles: Record<Verdict, string> = {
  fail: 'Mend this first: leases are not safe, or may stop working.',
  warn: 'Leases are safe. Some settings make them slower or leave a smaller margin.',
  unknown: 'What could be checked is ok.',
  ok: 'Every check is ok.',
}

interface Summary {
  title: string
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
  return { title: titles[verdict], counts: counts.join(', ') }
}
