/** Where on the line the deadline is drawn, in per cent: what follows it has to be seen as well. */
const deadlineAt = 76
/** The least distance between two marks whose words must not touch, in per cent. */
const apart = 14

export interface FateMarks {
  /** In per cent of the line. */
  deadline: number
  /** null: no renewal is expected. */
  renewal: number | null
}

/** Where the moments of a plan stand. True to scale, except that words are kept apart from "now" and each other. */
export function fateMarks(overlapMs: number | null, usualOverlapMs: number | null): FateMarks {
  if (overlapMs === null) return { deadline: 100, renewal: null }
  if (usualOverlapMs === null || usualOverlapMs >= overlapMs) return { deadline: deadlineAt, renewal: null }
  const renewal = (usualOverlapMs / overlapMs) * deadlineAt
  return { deadline: deadlineAt, renewal: Math.min(Math.max(renewal, apart), deadlineAt - apart) }
}
