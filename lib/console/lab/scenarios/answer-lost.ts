import { Leaders, type Scenario, Statements, seen } from '../story/stage.ts'

export const answerLost: Scenario = {
  candidates: 2,
  ttlSeconds: 8,
  fair: false,
  steps: (stage) => {
    const leaders = new Leaders()
    const [renewals, tries] = [new Statements(), new Statements()]
    const other = () => (leaders.now === 'c1' ? 'c2' : 'c1')
    return [
      { until: leaders.leads },
      { act: () => stage.fault(leaders.now, 'swallow-next', true), until: seen('fault', ({ on }) => on) },
      {
        until: renewals.answered(({ by, purpose }) => by === leaders.now && purpose === 'renew', 'applied'),
        looksBackTo: 'last act',
      },
      {
        until: seen('sent', ({ by, purpose }) => by === leaders.now && ['renew', 'read'].includes(purpose)),
      },
      { until: seen('renewed', ({ candidate }) => candidate === leaders.now) },
      {
        act: () => {
          stage.fault(other(), 'swallow-next', true)
          stage.resign(leaders.now)
        },
        until: tries.answered(({ by, purpose }) => by === other() && purpose === 'acquire', 'applied'),
      },
      { until: leaders.leads, looksBackTo: 'last act' },
    ]
  },
}
