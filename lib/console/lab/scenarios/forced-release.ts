import { Leaders, type Scenario, seen } from '../story/stage.ts'

export const forcedRelease: Scenario = {
  candidates: 3,
  ttlSeconds: 8,
  fair: false,
  forcesReleases: true,
  steps: (stage) => {
    const leaders = new Leaders()
    let isMarked = false
    const stops = (candidate: () => string) => seen('lost', (entry) => entry.candidate === candidate())
    return [
      { until: leaders.leads },
      { act: () => stage.release('ask'), until: seen('act') },
      { until: stops(() => leaders.now), looksBackTo: 'last act' },
      { until: leaders.leads, looksBackTo: 'last act' },
      { act: () => stage.release('break'), until: seen('act') },
      { until: stops(() => leaders.now), looksBackTo: 'last act' },
      {
        until: seen('seen', ({ owner }) => {
          const shows = owner?.startsWith('!') === true
          if (shows) isMarked = true
          return isMarked && !shows
        }),
        looksBackTo: 'last act',
      },
      { until: leaders.leads, looksBackTo: 'last act' },
      { act: () => stage.fault(leaders.now, 'cut', true), until: seen('fault') },
      { act: () => stage.release('kill'), until: seen('act') },
      { until: leaders.leads, looksBackTo: 'last act' },
      { until: stops(() => leaders.before), looksBackTo: 'last act' },
    ]
  },
}
