import { describe, expect, it } from 'vitest'
import type { WatchEvent, WatchedLease } from '../../contract/leases/watch.ts'
import { atTime, goneStaysMs } from '../row/row-board.ts'
import { epochMs, libraryOwner, sightingAt } from '../row/test-lease.ts'
import {
  asRead,
  type Board,
  boardFromHtml,
  emptyBoard,
  released,
  standing,
  withChanges,
  withSnapshot,
} from './live-board.ts'

const at = (ms: number) => new Date(epochMs + ms).toISOString()
const row = (ms: number, name: string, over: Partial<WatchedLease> = {}): WatchedLease => ({
  ...sightingAt(ms, { name }).lease,
  heldSince: null,
  renewed: false,
  ...over,
})
const facts = {
  counts: { total: 9, matching: 9, byState: {} },
  scan: { endedAt: null, rows: 9, tookMs: 1, pauseMs: 2000 },
  store: { kind: 'good' } as const,
}
const snapshot = (ms: number, rows: WatchedLease[], offset = 0): WatchEvent<'snapshot'> => ({
  ...facts,
  offset,
  rows,
  now: at(ms),
})
const changes = (ms: number, over: Partial<WatchEvent<'changes'>>): WatchEvent<'changes'> => ({
  rows: [],
  gone: [],
  now: at(ms),
  ...over,
})
const names = (board: Board) => board.rows.map(({ lease }) => lease.name)
const stateOf = (board: Board, name: string) => board.rows.find(({ lease }) => lease.name === name)?.state
const begun = withSnapshot(emptyBoard, snapshot(0, [row(0, 'a'), row(0, 'b'), row(0, 'c')]), 0, false)

it('a row that a read shows at the very edge of its end is not read longer ago for that', () => {
  const held = row(0, 'a', { remainingMs: 3000, valueRemainingMs: 3000 })
  const first = withSnapshot(emptyBoard, snapshot(0, [held]), 0, false)
  const again = (ms: number, leftMs: number, board: Board) =>
    withChanges(
      board,
      changes(ms, { rows: [row(ms, 'a', { remainingMs: leftMs, valueRemainingMs: leftMs })] }),
      ms,
      false,
    )
  const read = again(2000, 1000, first)
  const ended = { ...read, rows: atTime(read.rows, 3000, false) as Board['rows'] }
  const edge = again(3010, 0, ended)
  expect(edge.rows[0]).toMatchObject({ state: 'verifying', reading: { atMs: 3010 } })
})

it('a row whose time is up shows, while none can be read, the time left at its last read, not at its first', () => {
  const held = row(0, 'a', { remainingMs: 3000, valueRemainingMs: 3000 })
  const first = withSnapshot(emptyBoard, snapshot(0, [held]), 0, false)
  const rows = [row(2000, 'a', { remainingMs: 1000, valueRemainingMs: 1000 })]
  const read = withChanges(first, changes(2000, { rows }), 2000, false)
  const ended = atTime(read.rows, 3000, false)
  const shown = asRead(ended)
  expect(shown[0]).toMatchObject({ state: 'verifying', clock: { readAtMs: 2000 } })
  expect(asRead(shown)).toBe(shown)
})

describe('a window', () => {
  it('has the server’s order, and follows it', () => {
    const next = changes(100, { names: ['d', 'c', 'a'], rows: [row(100, 'd')] })
    expect(names(withChanges(begun, next, 100, false))).toEqual(['d', 'c', 'a'])
  })

  it('keeps its rows in their places while it is held: what is new and what left wait, and are counted', () => {
    const next = changes(100, {
      names: ['d', 'c', 'a'],
      rows: [row(100, 'd')],
      counts: { ...facts.counts, matching: 12 },
    })
    const held = withChanges(begun, next, 100, true)
    expect(names(held)).toEqual(['a', 'b', 'c'])
    expect(held.rows.map(({ listed }) => listed)).toEqual([true, false, true])
    // One is new, one left, and one of the two others changes its place.
    expect([held.waits, held.below]).toEqual([3, begun.below])
    const later = withChanges(held, changes(200, { rows: [row(200, 'c', { value: 'new' })] }), 200, true)
    expect([later.waits, later.rows[2]?.lease.value]).toEqual([3, 'new'])
    const free = released(later, 12)
    expect([names(free), free.waits, free.below]).toEqual([['d', 'c', 'a'], 0, 9])
  })

  it('keeps its rows in their places while it is held, also through the snapshot of another stream', () => {
    const next = snapshot(100, [row(100, 'd'), row(100, 'a'), row(100, 'b'), row(100, 'c')])
    const held = withSnapshot(begun, next, 100, true)
    expect([names(held), held.waits, held.below]).toEqual([['a', 'b', 'c'], 1, begun.below])
    expect(names(released(held, 9))).toEqual(['d', 'a', 'b', 'c'])
  })

  it('shows another view, and the first rows of one that had none, although it is held: nothing lies under the pointer', () => {
    const other = withSnapshot(emptyBoard, snapshot(0, [row(0, 'a')]), 0, true)
    expect([names(other), other.waits]).toEqual([['a'], 0])
    const none = withSnapshot(emptyBoard, snapshot(0, []), 0, true)
    const next = withChanges(none, changes(100, { names: ['b'], rows: [row(100, 'b')] }), 100, true)
    expect([names(next), next.waits]).toEqual([['b'], 0])
  })

  it('keeps the other rows as they are when one changed', () => {
    const next = withChanges(begun, changes(100, { rows: [row(100, 'b', { value: 'new' })] }), 100, false)
    expect(names(next)).toEqual(['a', 'b', 'c'])
    expect(next.rows[1]?.lease.value).toBe('new')
    expect(next.rows[0]).toBe(begun.rows[0])
  })

  it('is not drawn again when a row was read again: only the age of its read differs', () => {
    const again = row(900, 'b', { remainingMs: 19_100, valueRemainingMs: 19_100 })
    const next = withChanges(begun, changes(900, { rows: [again] }), 900, false)
    expect(next.rows[1]).toBe(begun.rows[1])
    expect(next.rows[1]?.reading.atMs).toBe(900)
    const kept = next.rows.map(standing)
    withChanges(
      next,
      changes(1900, { rows: [row(1900, 'b', { remainingMs: 18_100, valueRemainingMs: 18_100 })] }),
      1900,
      false,
    )
    expect([next.rows[1]?.reading.atMs, kept[1]?.reading.atMs]).toEqual([1900, 900])
    const scanned = row(2900, 'b', { remainingMs: 17_100, valueRemainingMs: 17_100 })
    scanned.read = { level: 'QUORUM', at: at(2900) }
    const drawn = withChanges(next, changes(2900, { rows: [scanned] }), 2900, false)
    expect(drawn.rows[1]).not.toBe(next.rows[1])
  })

  it('is another part of the view after a snapshot of that', () => {
    const next = withSnapshot(begun, snapshot(50, [row(50, 'c'), row(50, 'd')], 2), 50, true)
    expect([names(next), next.offset]).toEqual([['c', 'd'], 2])
    expect(next.rows[0]?.clock.endsAtMs).toBe(begun.rows[2]?.clock.endsAtMs)
  })
})

describe('the end of a row', () => {
  const short = row(0, 'a', { remainingMs: 1000, valueRemainingMs: 1000 })
  const board = withSnapshot(emptyBoard, snapshot(0, [short, row(0, 'b')]), 0, false)
  const atZero = { ...board, rows: atTime(board.rows, 1000, false) }

  it('is said by the server alone: at zero the row is verifying', () => {
    expect(stateOf(atZero, 'a')).toBe('verifying')
    const still = row(1010, 'a', { remainingMs: 0, valueRemainingMs: 0 })
    expect(stateOf(withChanges(atZero, changes(1010, { rows: [still] }), 1010, false), 'a')).toBe('verifying')
  })

  it('stays in its place for five seconds, and longer while it is held', () => {
    const gone = changes(1050, { gone: [{ name: 'a', at: at(1040) }] })
    const after = withChanges(atZero, gone, 1050, false)
    expect([names(after), stateOf(after, 'a'), after.rows[0]?.goneAtMs]).toEqual([['a', 'b'], 'gone', 1040])
    expect(atTime(after.rows, 1050 + goneStaysMs, true)).toHaveLength(2)
    expect(atTime(after.rows, 1050 + goneStaysMs, false)).toHaveLength(1)
  })

  it('is shown for five seconds, also on a page that learns it late', () => {
    const gone = changes(1050, { gone: [{ name: 'a', at: at(1040) }] })
    const lateMs = 9000
    const after = withChanges(atZero, gone, 1050, false, lateMs)
    expect(after.rows[0]?.goneAtMs).toBe(1040)
    expect(names({ ...after, rows: atTime(after.rows, lateMs, false) as Board['rows'] })).toEqual(['a', 'b'])
    expect(atTime(after.rows, lateMs + goneStaysMs, false)).toHaveLength(1)
  })

  it('is over when the lease is acquired: that is another tenure', () => {
    const gone = withChanges(atZero, changes(1050, { gone: [{ name: 'a', at: at(1040) }] }), 1050, false)
    const next = changes(2000, { names: ['a', 'b'], rows: [row(2000, 'a', { version: '9', owner: 'p' })] })
    const after = withChanges(gone, next, 2000, false)
    expect([stateOf(after, 'a'), after.rows[0]?.goneAtMs]).toEqual(['held', null])
  })

  it('is not said of a row that moved out of the window', () => {
    expect(names(withChanges(begun, changes(100, { names: ['a', 'c'] }), 100, false))).toEqual(['a', 'c'])
  })
})

it('a renewal that the server saw makes a rhythm', () => {
  const late = { remainingMs: 9000, valueRemainingMs: 9000 }
  const of = (over: Partial<WatchedLease>) =>
    stateOf(withSnapshot(emptyBoard, snapshot(0, [row(0, 'a', { ...late, ...over })]), 0, false), 'a')
  expect([of({}), of({ renewed: true }), of({ owner: libraryOwner })]).toEqual(['held', 'risk', 'risk'])
})

describe('rows of the page’s HTML', () => {
  const html = boardFromHtml([row(1000, 'a', { value: 'newer' }), row(1000, 'b')], at(1000), 1000)

  it('are kept where the first snapshot was read before them, and not after it', () => {
    const older = withSnapshot(html, snapshot(1200, [row(900, 'a', { value: 'older' })]), 1200, false)
    expect(older.rows[0]?.lease.value).toBe('newer')
    const next = withSnapshot(older, snapshot(1300, [row(950, 'a', { value: 'third' })]), 1300, false)
    expect(next.rows[0]?.lease.value).toBe('third')
  })

  it('leave when the first snapshot does not have them', () => {
    expect(names(withSnapshot(html, snapshot(1200, [row(1100, 'b')]), 1200, false))).toEqual(['b'])
  })
})
