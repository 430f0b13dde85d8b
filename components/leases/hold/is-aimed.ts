/** A finger that comes down so soon after the rows changed was sent before. */
const reactionMs = 500

export interface Press {
  /** The row that is under the pointer now. */
  row: unknown
  x: number
  y: number
  /** Where the mouse was moved to last, and the row that lay there; null: nowhere, or the user has scrolled since. */
  aim: { x: number; y: number; row: unknown } | null
  byFinger: boolean
  /** The row that had this row's place before the rows changed last; undefined: none. */
  before: unknown
  sinceChangeMs: number
}

/** The same place: a browser gives whole pixels for a click, and parts of one for a move. */
export const isSamePlace = (a: { x: number; y: number }, b: { x: number; y: number }): boolean =>
  Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1

/** Whether a press is meant for the row that it hits. */
export function isAimed(press: Press): boolean {
  const { row, aim, byFinger, before, sinceChangeMs } = press
  if (byFinger) return before === undefined || before === row || sinceChangeMs >= reactionMs
  return aim === null || !isSamePlace(press, aim) || aim.row === row
}
