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
    const waiting = new Set<string>()
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
          stage.fault(victim, 'crashed', true)
        },
        until: seen('fault', ({ fault }) => fault === 'crashed'),
      },
      {
        // The others have seen its number go: one that waited for it waits no more, or for another.
        until: seen('bakery', ({ candidate, step, waitsFor }) => {
          if (step >= 8 && waitsFor === victim) waiting.add(candidate)
          return waiting.has(candidate) && waitsFor !== victim
        }),
        looksBackTo: 'last act',
      },
      {
        until: seen('bakery', (entry) => isServed(entry) && entry.candidate !== victim),
        looksBackTo: 'last act',
      },
    ]
  },
}
