/**
 * The rows of a window as they are shown, from what the stream says. Pure.
 *
 * A row is gone when the server says that a SERIAL read found it free, and not before: at zero it is `verifying`. While
 * rows are held (a pointer or the focus is on them) none changes its place, and there are no more or fewer of them: what
 * is new waits, what has left stays.
 * A row that is not in the window any more, and is not gone, stands elsewhere in the view: it leaves.
 */
import type { Lease } from '../../contract/leases/lease.ts'
import type { WatchEvent } from '../../contract/leases/watch.ts'
import { goneStaysMs, nextRow, type Row } from '../row/row-board.ts'
import { isSameWrite, stateAt } from '../time/countdown.ts'

/** A lease of the list. What only a watch knows is missing in the rows that the page's HTML began with. */
export type ListedLease = Lease & {
  heldSince?: string | null
  renewed?: boolean
  handOvers?: number | undefined
}
export interface LiveRow extends Row<ListedLease> {
  /**
   * When it was read last, on the monotonic clock. The one thing that changes in place: each row of a window is read again
   * about once a second, and a row that is the same otherwise is not drawn again for it.
   */
  readonly reading: { atMs: number }
}

export interface Board {
  /** As they are shown, from the row number `offset` on. */
  rows: readonly LiveRow[]
  offset: number
  /** How many rows of the view stand below them. */
  below: number
  /** How many rows come, go or change their places once they are not held any more. */
  waits: number
  /** Rows of the window that wait to be shown. */
  fresh: readonly LiveRow[]
  /** The names in the window, in the server's order. */
  names: readonly string[]
  /** Its rows are those of the page's HTML: a read of theirs may be newer than the first snapshot's. */
  isFromHtml: boolean
}

export const emptyBoard: Board = {
  rows: [],
  offset: 0,
  below: 0,
  waits: 0,
  fresh: [],
  names: [],
  isFromHtml: false,
}

const nameOf = ({ lease }: LiveRow): string => lease.name

/** Whether a row keeps its place although it is not in the window any more, and so is not read any more. */
export const hasLeft = ({ listed, goneAtMs }: LiveRow): boolean => !listed && goneAtMs === null

/** The rows that the page's HTML has, read at `atMs`. */
export function boardFromHtml(leases: readonly Lease[], now: string, atMs: number): Board {
  const rows = leases.map((lease) => rowOf(lease, now, atMs, undefined))
  return { ...emptyBoard, rows, names: leases.map(({ name }) => name), isFromHtml: true }
}

/** After a snapshot of the same view. */
export function withSnapshot(
  board: Board,
  snapshot: WatchEvent<'snapshot'>,
  atMs: number,
  hold: boolean,
): Board {
  const before = byName(board)
  const known = new Map(before)
  for (const lease of snapshot.rows) {
    const row = before.get(lease.name)
    const isOlder = board.isFromHtml && row !== undefined && lease.read.at < row.lease.read.at
    known.set(lease.name, isOlder ? row : rowOf(lease, snapshot.now, atMs, row))
  }
  const names = snapshot.rows.map(({ name }) => name)
  // Nothing of another view, or of another part of this one, lies under the pointer.
  const keep = hold && board.rows.length > 0 && snapshot.offset === board.offset
  const { offset, counts } = snapshot
  const next = { ...board, offset, names, isFromHtml: false }
  return keep ? inPlace(next, known) : placed(next, known, counts.matching)
}

/**
 * After changes since the event before.
 * @param atMs when the server wrote them
 * @param nowMs when this page takes them
 */
export function withChanges(
  board: Board,
  changes: WatchEvent<'changes'>,
  atMs: number,
  hold: boolean,
  nowMs = atMs,
): Board {
  const known = byName(board)
  for (const lease of changes.rows)
    known.set(lease.name, rowOf(lease, changes.now, atMs, known.get(lease.name)))
  const leavesAtMs = nowMs + goneStaysMs
  for (const { name, at } of changes.gone) {
    const row = known.get(name)
    if (row === undefined || row.goneAtMs !== null) continue
    const goneAtMs = Math.min(atMs, atMs - (Date.parse(changes.now) - Date.parse(at)))
    known.set(name, { ...row, state: 'gone', goneAtMs, leavesAtMs })
  }
  const gone = new Set(changes.gone.map(({ name }) => name))
  const names = changes.names ?? board.names.filter((name) => !gone.has(name))
  const next = { ...board, names }
  // Without counts the view has as many rows as before.
  const matching = changes.counts?.matching ?? board.offset + board.names.length + board.below
  return hold && board.rows.length > 0 ? inPlace(next, known) : placed(next, known, matching)
}

/** How many rows of the window are others than before: a read that found the same is no change. */
export function changedRows(
  board: Board,
  { rows, gone }: Pick<WatchEvent<'changes'>, 'rows'> & { gone: readonly unknown[] },
): number {
  const known = byName(board)
  const changed = rows.filter((lease) => {
    const before = known.get(lease.name)?.lease
    return before === undefined || before.state !== lease.state || !isSameWrite(before, lease)
  })
  return changed.length + gone.length
}

/** How many of its rows a new snapshot has otherwise, or no more. New ones are not counted: the HTML of a page has fewer rows than its window. */
export function changedSince(board: Board, { rows }: WatchEvent<'snapshot'>): number {
  const known = byName(board)
  const there = new Set(rows.map(({ name }) => name))
  const gone = [...known.keys()].filter((name) => !there.has(name))
  return changedRows(board, { rows: rows.filter(({ name }) => known.has(name)), gone })
}

/** What was kept in its place finds its own. `matching`: how many rows the view has. */
export const released = (board: Board, matching: number): Board => placed(board, byName(board), matching)

const byName = ({ rows, fresh }: Board) => new Map([...rows, ...fresh].map((row) => [row.lease.name, row]))

function rowOf(lease: ListedLease, now: string, arrivedAtMs: number, before: LiveRow | undefined): LiveRow {
  const row = nextRow({ lease, now, arrivedAtMs, renewed: lease.renewed === true }, before)
  // Not `row.clock`: a row at the very edge of its end keeps its clock, which may be of a much older read.
  const readAtMs = arrivedAtMs - (Date.parse(now) - Date.parse(lease.read.at))
  if (before === undefined || !isSameButRead(before, row)) return { ...row, reading: { atMs: readAtMs } }
  before.reading.atMs = readAtMs
  return before
}

/** Whether a read found a row as it was, and in the same way. */
const isSameButRead = (before: LiveRow, after: Row<ListedLease>): boolean =>
  isSameWrite(before.lease, after.lease) &&
  before.lease.value === after.lease.value &&
  before.lease.ttlSeconds === after.lease.ttlSeconds &&
  before.lease.heldSince === after.lease.heldSince &&
  before.lease.handOvers === after.lease.handOvers &&
  before.lease.read.level === after.lease.read.level &&
  before.state === after.state &&
  before.renewed === after.renewed &&
  before.listed === after.listed &&
  before.goneAtMs === after.goneAtMs &&
  before.clock.endsAtMs === after.clock.endsAtMs &&
  before.clock.valueEndsAtMs === after.clock.valueEndsAtMs

/** A row as it stands when it was read last: its time left is the one of that read, and no later read changes it. */
export const standing = (row: LiveRow): LiveRow => ({
  ...row,
  clock: { ...row.clock, readAtMs: row.reading.atMs },
  reading: { ...row.reading },
})

/**
 * The rows as they were read last, while none can be read: time alone would put a lease at risk, although no renewal is
 * known to be missing. That its time was up stays so. The same array when nothing changes.
 */
export function asRead(rows: readonly LiveRow[]): readonly LiveRow[] {
  let changed = false
  const next = rows.map((row) => {
    if (row.state === 'gone') return row
    const { atMs } = row.reading
    const state = row.state === 'verifying' ? 'verifying' : stateAt(row, atMs)
    if (state === row.state && row.clock.readAtMs === atMs) return row
    changed = true
    return { ...row, state, clock: { ...row.clock, readAtMs: atMs } }
  })
  return changed ? next : rows
}

type Known = ReadonlyMap<string, LiveRow>

/** Rows by their names, each with whether it is in the window. */
function rowsNamed(names: readonly string[], known: Known, inWindow: ReadonlySet<string>): LiveRow[] {
  return names.flatMap((name) => {
    const row = known.get(name)
    if (row === undefined) return []
    const listed = inWindow.has(name)
    if (row.listed === listed) return [row]
    // Out of the window it is not read any more.
    return [listed ? { ...row, listed } : { ...standing(row), listed }]
  })
}

/** Each row in its own place: the window's in their order, and each gone row below the row that it stood below. */
function placed(board: Board, known: Known, matching: number): Board {
  const { names, offset } = board
  const inWindow = new Set(names)
  const rows = rowsNamed(names, known, inWindow)
  let at = 0
  for (const name of board.rows.map(nameOf)) {
    if (inWindow.has(name)) at = rows.findIndex(({ lease }) => lease.name === name) + 1
    else if ((known.get(name)?.goneAtMs ?? null) !== null)
      rows.splice(at++, 0, ...rowsNamed([name], known, inWindow))
  }
  return { ...board, rows, fresh: [], waits: 0, below: Math.max(0, matching - offset - names.length) }
}

/** The rows that are shown, each where it is. */
function inPlace(board: Board, known: Known): Board {
  const { names } = board
  const inWindow = new Set(names)
  const rows = rowsNamed(board.rows.map(nameOf), known, inWindow)
  const shown = new Set(rows.map(nameOf))
  const fresh = rowsNamed(
    names.filter((name) => !shown.has(name)),
    known,
    inWindow,
  )
  const stay = rows.filter(({ listed }) => listed).map(nameOf)
  const left = rows.length - stay.length
  return { ...board, rows, fresh, waits: fresh.length + left + movedOf(stay, names) }
}

/** How many of `shown` have to change their places for the order of `names`. */
function movedOf(shown: readonly string[], names: readonly string[]): number {
  const placeOf = new Map(names.map((name, place) => [name, place]))
  // The longest run of them that is in order already stays: the ends of the best runs of each length.
  const ends: number[] = []
  for (const name of shown) {
    const place = placeOf.get(name) ?? 0
    const at = ends.findIndex((end) => end > place)
    ends[at === -1 ? ends.length : at] = place
  }
  return shown.length - ends.length
}
