import type { Entry } from '../../../contract/lab/journal.ts'
import { type Scenario, seen } from '../story/stage.ts'

/** So long that two who come at once both read the numbers before either has one. */
const slowMs = 600

export const bakery: Scenario = {
  candidates: 3,
  ttlSeconds: 8,
  fair: false,
  isBakery: true,
  steps: (stage) => {
    let [served, victim] = ['', '']
    let together: string[] = []
    let lastWriteMs = 0
    const numbers = new Map<string, string>()
    const isServed = ({ step, number }: Entry<'bakery'>) => step === 10 && number !== null
    const isStep = (...steps: number[]) => seen('bakery', ({ step }) => steps.includes(step))
    return [
      { until: seen('joined') },
      { until: isStep(1) },
      { until: isStep(4), looksBackTo: 'start' },
      { until: isStep(8, 9), looksBackTo: 'start' },
      {
        until: seen('bakery', (entry) => {
          if (isServed(entry)) served = entry.candidate
          return served !== ''
        }),
        looksBackTo: 'start',
      },
      { until: seen('bakery', (entry) => isServed(entry) && entry.candidate !== served) },
      {
        act: () => {
          together = [stage.join(), stage.join()]
          for (const each of together) stage.fault(each, 'delayed', true, slowMs)
        },
        until: seen('bakery', ({ candidate, step, number }) => {
          if (step === 4 && number !== null && together.includes(candidate)) numbers.set(candidate, number)
          const [one, other] = together.map((each) => numbers.get(each))
          return one !== undefined && one === other
        }),
      },
      {
        when: seen('bakery', (entry) => {
          if (isServed(entry)) victim = entry.candidate
          return victim !== ''
        }),
        act: () => {
          for (const each of together) stage.fault(each, 'delayed', false)
          lastWriteMs = stage.nowMs()
          stage.fault(victim, 'crashed', true)
        },
        until: seen('fault', ({ fault }) => fault === 'crashed'),
      },
      { until: (entry) => entry.atMs >= lastWriteMs + stage.ttlMs - 1_000 },
      {
        until: seen('bakery', (entry) => isServed(entry) && entry.candidate !== victim),
        looksBackTo: 'last act',
      },
    ]
  },
}
