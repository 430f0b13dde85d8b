import { columnsOf } from './unseen-characters.ts'

/** A text that is cut: what it begins and ends with, and what is between them and has no room. */
interface CutText {
  start: string
  between: string
  end: string
}

/**
 * Cuts a text that is wider than `most` columns. Its end stays: that is where the names of one program differ.
 * @returns null: it has room
 * @example cutMiddle('nightly-backup-eu', 9) // { start: 'nigh', between: 'tly-backu', end: 'p-eu' }
 */
export function cutMiddle(text: string, most: number): CutText | null {
  const chars = [...text]
  const widths = chars.map(columnsOf)
  if (widths.reduce((sum, width) => sum + width, 0) <= most) return null
  // One column is the ellipsis's.
  const half = Math.floor((most - 1) / 2)
  let from = fitting(widths, half)
  let to = Math.max(from, chars.length - fitting(widths.toReversed(), half))
  // A mark stays with its letter.
  while (from > 0 && isMark(chars[from])) from--
  while (to < chars.length && isMark(chars[to])) to++
  const piece = (begin: number, end?: number) => chars.slice(begin, end).join('')
  return { start: piece(0, from), between: piece(from, to), end: piece(to) }
}

/** How many of these characters, from the first one on, fit into so many columns. */
function fitting(widths: readonly number[], columns: number): number {
  let left = columns
  const at = widths.findIndex((width) => {
    left -= width
    return left < 0
  })
  return at === -1 ? widths.length : at
}

const isMark = (char: string | undefined): boolean => char !== undefined && /\p{M}/u.test(char)
