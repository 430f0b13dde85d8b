/** Beside the schemas, and not with them: the pages of the lab show them before a schema is fetched. */

/** The stories of the lab, in the order in which they are offered. */
export const labScenarios = [
  'hand-over',
  'crash',
  'pause-unfenced',
  'pause-fenced',
  'answer-lost',
  'late-renewal',
  'skewed-clock',
  'herd',
  'forced-release',
  'forgotten-value',
  'bakery',
] as const

export const labBounds = {
  candidates: { min: 2, max: 8 },
  ttlSeconds: { min: 6, max: 30 },
  delayMs: { min: 0, max: 30_000 },
  skewMs: { min: -30_000, max: 30_000 },
  runMs: 15 * 60_000,
  unwatchedMs: 2 * 60_000,
  runsAtATime: 4,
  keptDays: 7,
} as const

export type LabScenario = (typeof labScenarios)[number]
