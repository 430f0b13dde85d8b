import { Leaders, rowExpires, type Scenario, seen } from '../story/stage.ts'

/** Far more than is allowed, so that there is time to look at it. */
const behindMs = -20_000

export const skewedClock: Scenario = {
  candidates: 2,
  ttlSeconds: 8,
  fair: false,
  steps: (stage) => {
    const leaders = new Leaders()
    const isOf = ({ candidate }: { candidate: string | null }) => candidate === leaders.before
    return [
      { until: leaders.leads },
      { act: () => stage.fault(leaders.now, 'skewed', true, behindMs), until: seen('fault') },
      { act: () => stage.fault(leaders.now, 'cut', true), until: seen('fault') },
      { until: rowExpires(() => leaders.now), looksBackTo: 'last act' },
      { until: leaders.leads, looksBackTo: 'last act' },
      { until: seen('seen', ({ candidate }) => candidate === leaders.now) },
      { act: () => stage.fault(leaders.before, 'cut', false), until: seen('lost', isOf) },
    ]
  },
}
