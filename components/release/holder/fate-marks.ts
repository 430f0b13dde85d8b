/** Where on the line the last moment is drawn, in per cent: what follows it has to be seen as well. */
const endAt = 76
/** Where a moment without a known time is drawn. */
const somewhere = 38
/** The least distance between two marks whose words must not touch, in per cent. */
const apart = 14

/** What follows is in per cent of the line, which begins when the button is pressed. */

/**
 * Ask: where the holder resigns.
 * @param renews its next renewal is expected, at which it reads the request
 */
export const askMark = (renews: boolean): number => (renews ? apart + 2 : somewhere)

/**
 * Break: the holder believes until `deadline`, no owner can acquire the row until `safe`.
 * @param ttlMs the longest for which the holder may believe to hold it: a renewal just before the act gives it all of that
 * @param quarantineMs for how long no owner can acquire it
 */
export function breakMarks(
  ttlMs: number | null,
  quarantineMs: number | null,
): { deadline: number; safe: number } {
  if (ttlMs === null || quarantineMs === null || quarantineMs <= 0) return { deadline: endAt, safe: endAt }
  return { deadline: Math.min(1, ttlMs / quarantineMs) * endAt, safe: endAt }
}

/**
 * Kill: the holder may go on until `deadline`, and is expected to notice at `renewal`; null: it is not. True to scale,
 * except that words are kept apart from "now" and each other.
 */
export function killMarks(
  overlapMs: number | null,
  usualOverlapMs: number | null,
): { deadline: number; renewal: number | null } {
  if (overlapMs === null) return { deadline: 100, renewal: null }
  if (usualOverlapMs === null || usualOverlapMs >= overlapMs) return { deadline: endAt, renewal: null }
  const renewal = (usualOverlapMs / overlapMs) * endAt
  return { deadline: endAt, renewal: Math.min(Math.max(renewal, apart), endAt - apart) }
}
