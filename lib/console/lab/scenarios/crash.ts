import { Leaders, rowExpires, type Scenario, seen } from '../story/stage.ts'

export const crash: Scenario = {
  candidates: 3,
  ttlSeconds: 8,
  fair: false,
  steps: (stage) => {
    const leaders = new Leaders()
    let crashedMs = 0
    return [
      { until: leaders.leads },
      { until: seen('renewed') },
      {
        act: () => {
          crashedMs = stage.nowMs()
          stage.fault(leaders.now, 'crashed', true)
        },
        until: seen('fault'),
      },
      { until: seen('seen', ({ candidate, sentAtMs }) => candidate === leaders.now && sentAtMs > crashedMs) },
      { until: rowExpires(() => leaders.now), looksBackTo: 'last act' },
      { until: leaders.leads, looksBackTo: 'last act' },
      {},
    ]
  },
}
