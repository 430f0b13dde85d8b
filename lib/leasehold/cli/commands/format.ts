/** Text for people, and JSON for programs. Pure. */
import type { ResignRequest } from '../../lease/index.ts'
import type { Row } from '../connection/open.ts'
import { printable } from '../process/printable.ts'

/** `12.3 s`, `4 min 5 s`, `2 h 3 min`. */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}

/** How long a wait may take, as its option says it: `60 s`, `1.5 s`, and `5 min 0 s` from two minutes on. */
export const waitText = (ms: number): string => (ms < 120_000 ? `${ms / 1_000} s` : durationText(ms))

/** The request to resign as a sentence without its full stop. */
export const askedText = ({ name, requestedBy, reason }: ResignRequest): string =>
  `${printable(requestedBy)} asks the holder of ${JSON.stringify(name)} to resign${reason === '' ? '' : `: ${printable(reason).replace(/\.$/, '')}`}`

/** A lease as one JSON object. The version is text: it does not fit into a number. */
export const rowJson = ({ name, owner, value, version, ttlSeconds, expiresAtMs, ...left }: Row) => ({
  name,
  owner,
  value,
  version: version?.toString() ?? null,
  ttlSeconds,
  expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  remainingMs: left.remainingMs === null ? null : Math.round(left.remainingMs),
  valueRemainingMs: left.valueRemainingMs === null ? null : Math.round(left.valueRemainingMs),
})

/** The time left of a lease at `nowMs`, on the monotonic clock. */
export function leftText(
  { owner, isZombie, remainingMs, valueRemainingMs, readAtMs }: Row,
  nowMs: number,
): string {
  if (isZombie) return 'zombie'
  const leftAtReadMs = owner === null ? valueRemainingMs : remainingMs
  if (leftAtReadMs === null) return owner === null ? 'held' : 'for ever'
  const leftMs = leftAtReadMs - Math.max(0, nowMs - readAtMs)
  // Only a read can show that the lease is gone.
  return leftMs <= 0 ? 'verifying' : durationText(leftMs)
}

/** As `startOf` of lib/contract, which a package cannot import: no character is cut in two. */
export function startOf(text: string, length: number): string {
  const isCut = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(length - 1, length + 1))
  return text.slice(0, isCut ? length - 1 : length)
}

/** The widest column where there is no terminal: one long text of a stranger would make each line as long. */
const widestColumn = 64

/** A column that gives way to others keeps this much of its texts. */
const leastColumn = 8

/** Where not all fits into `width`, the widest column gives way, so that one long name does not hide the others of its row. */
function fitted(widths: number[], width: number): number[] {
  const fitting = [...widths]
  const taken = () => fitting.reduce((sum, each) => sum + each, 2 * (fitting.length - 1))
  while (taken() > width) {
    const widest = Math.max(...fitting)
    if (widest <= leastColumn) break
    // All the way to the second widest, or as far as is needed.
    const second = Math.max(leastColumn, ...fitting.filter((each) => each < widest))
    const each = Math.ceil((taken() - width) / fitting.filter((one) => one === widest).length)
    const next = Math.max(second, widest - each)
    for (const [i, one] of fitting.entries()) if (one === widest) fitting[i] = next
  }
  return fitting
}

const cutTo = (text: string, width: number): string =>
  text.length > width ? `${startOf(text, Math.max(0, width - 1))}…` : text

/** Names of one family, and owners of one host, begin alike: their ends tell them apart. */
function cutInTheMiddle(text: string, width: number): string {
  if (text.length <= width) return text
  const kept = Math.max(0, width - 1)
  const start = startOf(text, Math.ceil(kept / 2))
  const rest = text.slice(text.length - Math.floor(kept / 2))
  // No character is cut in two.
  return `${start}…${rest.replace(/^[\udc00-\udfff]/, '')}`
}

/**
 * Rows under headings. Columns are as wide as their texts need, if that fits, and lines end at `width`. What does not fit is
 * cut: in the last column at its end, in the others in the middle.
 * @param width null: there is no terminal, and each column fits into `widestColumn`
 */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const needed = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => (row[i] ?? '').length)),
  )
  const widths = width === null ? needed.map((each) => Math.min(each, widestColumn)) : fitted(needed, width)
  const line = (cells: readonly string[]) => {
    const text = cells
      .map((cell, i) => {
        const width = widths[i] as number
        const cut = i === cells.length - 1 ? cutTo : cutInTheMiddle
        return cut(cell, width).padEnd(width)
      })
      .join('  ')
      .trimEnd()
    return width === null ? text : cutTo(text, width)
  }
  return [line(headings), ...rows.map(line)]
}

export interface Change {
  readonly kind: 'appeared' | 'changed' | 'gone'
  /** Of a lease that is gone: as it was listed last. */
  readonly row: Row
}

/**
 * The differences between two lists, without renewals.
 * @param isThere asked for each lease that `after` lacks: a list that ends at its limit lacks what new names pushed out of it
 */
export async function changesBetween(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
  isThere: (name: string) => Promise<boolean>,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const [name, row] of after) {
    const known = before.get(name)
    if (known === undefined) changes.push({ kind: 'appeared', row })
    else if (known.owner !== row.owner || known.value !== row.value) changes.push({ kind: 'changed', row })
  }
  for (const [name, row] of before)
    if (!after.has(name) && !(await isThere(name))) changes.push({ kind: 'gone', row })
  return changes
}
