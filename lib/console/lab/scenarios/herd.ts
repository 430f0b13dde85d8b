import { Leaders, type Scenario, seen } from '../story/stage.ts'

export const herd: Scenario = {
  candidates: 8,
  ttlSeconds: 8,
  fair: false,
  steps: (stage) => {
    const leaders = new Leaders()
    const campaigning = new Set<string>()
    const trying = new Set<string>()
    const queued = new Set<string>()
    const resign = () => stage.resign(leaders.now)
    return [
      { until: seen('sent', ({ by }) => campaigning.add(by).size >= 8) },
      { until: leaders.leads, looksBackTo: 'start' },
      {
        act: resign,
        until: seen('sent', ({ by, purpose }) => purpose === 'acquire' && trying.add(by).size >= 2),
      },
      { until: leaders.leads, looksBackTo: 'last act' },
      { act: () => stage.waitInOrder() },
      {
        until: seen(
          'sent',
          ({ by, purpose, cql }) =>
            purpose === 'queue' && cql.startsWith('INSERT') && queued.add(by).size >= 3,
        ),
        looksBackTo: 'last act',
      },
      { act: resign, until: leaders.leads },
      { act: resign, until: leaders.leads },
      { act: resign, until: leaders.leads },
    ]
  },
}
