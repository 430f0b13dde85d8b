import { Leaders, type Scenario, Statements, seen } from '../story/stage.ts'

export const forgottenValue: Scenario = {
  // They come once the plain client has the lease.
  candidates: 0,
  ttlSeconds: 6,
  fair: false,
  steps: (stage) => {
    const leaders = new Leaders()
    const applied = (purpose: string, setsValue?: boolean) =>
      new Statements().answered(
        (sent) =>
          sent.by === 'plain' &&
          sent.purpose === purpose &&
          (setsValue === undefined || sent.cql.includes('value = ?') === setsValue),
        'applied',
      )
    let setsAllMs = 0
    const value = (fits: (value: string | null, atMs: number) => boolean) =>
      seen('seen', (entry) => entry.candidate === 'plain' && fits(entry.value, entry.atMs))
    return [
      { act: () => stage.plain('hold'), until: applied('acquire') },
      {
        act: () => {
          stage.join()
          stage.join()
        },
        until: value((text) => text !== null),
      },
      { until: applied('renew', false), looksBackTo: 'start' },
      { until: value((text) => text === null) },
      {
        act: () => {
          setsAllMs = stage.nowMs()
          stage.plain('set-all')
        },
        until: applied('renew', true),
      },
      { until: value((text, atMs) => text !== null && atMs > setsAllMs + 1.5 * stage.ttlMs) },
      { act: () => stage.plain('release'), until: applied('release') },
      { until: leaders.leads, looksBackTo: 'last act' },
    ]
  },
}
