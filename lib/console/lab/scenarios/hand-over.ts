import { Leaders, type Scenario, Statements, seen } from '../story/stage.ts'

export const handOver: Scenario = {
  candidates: 3,
  ttlSeconds: 8,
  fair: false,
  steps: (stage) => {
    const leaders = new Leaders()
    const campaigning = new Set<string>()
    const releases = new Statements()
    return [
      { until: seen('sent', ({ by }) => campaigning.add(by).size >= 3) },
      { until: leaders.leads, looksBackTo: 'start' },
      { until: seen('renewed') },
      { act: () => stage.resign(leaders.now), until: seen('lost') },
      {
        until: releases.answered(({ purpose }) => purpose === 'release', 'applied'),
        looksBackTo: 'last act',
      },
      { until: leaders.leads, looksBackTo: 'last act' },
      {},
    ]
  },
}
