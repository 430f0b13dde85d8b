import { describe, expect, it } from 'vitest'
import type { Lease } from '../../contract/leases/lease.ts'
import type { Sighting } from '../time/countdown.ts'
import { atTime, goneStaysMs, nextMoment, nextRow, type Row } from './row-board.ts'
import { libraryOwner, sightingAt } from './test-lease.ts'

const page = (atMs: number, names: string[], over: Partial<Lease> = {}): Row[] =>
  names.map((name) => nextRow(sightingAt(atMs, { name, ...over }), undefined))
const names = (rows: readonly Row[]) => rows.map((row) => row.lease.name)
const stateOf = (rows: readonly Row[], name: string) => rows.find((row) => row.lease.name === name)?.state
const withLease = (rows: readonly Row[], sighting: Sighting) =>
  rows.map((row) => (row.lease.name === sighting.lease.name ? nextRow(sighting, row) : row))
const withoutHolder = (rows: readonly Row[], name: string, goneAtMs: number): Row[] =>
  rows.map((row) =>
    row.lease.name === name ? { ...row, state: 'gone', goneAtMs, leavesAtMs: goneAtMs + goneStaysMs } : row,
  )

describe('zero', () => {
  const short = { remainingMs: 1000, valueRemainingMs: 1000 }

  it('is the next moment, after the one of risk', () => {
    const over = { owner: libraryOwner, remainingMs: 12_000, valueRemainingMs: 12_000 }
    const rows = page(0, ['a'], over)
    expect(nextMoment(rows, 0)).toBe(2001)
    expect(stateOf(atTime(rows, 2001, false), 'a')).toBe('risk')
    expect(nextMoment(rows, 2001)).toBe(12_000)
  })

  it('shows a row as verifying, however late it gets', () => {
    let rows = atTime(page(0, ['a'], short), 1000, false)
    expect(stateOf(rows, 'a')).toBe('verifying')
    rows = atTime(rows, 60_000, false)
    expect(stateOf(rows, 'a')).toBe('verifying')
  })

  it('is kept up while the row is still shown at its edge', () => {
    const rows = atTime(page(0, ['a'], short), 1000, false)
    for (const left of [0, 20, 1000]) {
      const over = { remainingMs: left, valueRemainingMs: left, name: 'a' }
      expect(stateOf(withLease(rows, sightingAt(1015, over)), 'a')).toBe('verifying')
    }
  })

  it('ends with a renewal, with a new holder, and when it was wrong', () => {
    const rows = atTime(page(0, ['a'], short), 1000, false)
    const after = (over: Partial<Lease>) =>
      stateOf(withLease(rows, sightingAt(1015, { name: 'a', ...over })), 'a')
    expect(after({ version: '1795144426302118' })).toBe('held')
    expect(after({ owner: 'p', version: '1795144427302118' })).toBe('held')
    expect(after({ remainingMs: 15_000, valueRemainingMs: 15_000 })).toBe('held')
  })
})

describe('a gone row', () => {
  const gone = () => withoutHolder(page(0, ['a', 'b']), 'a', 1000)

  it('stays for five seconds, and longer under a pointer', () => {
    expect(names(atTime(gone(), 1000 + goneStaysMs - 1, false))).toEqual(['a', 'b'])
    expect(names(atTime(gone(), 1000 + goneStaysMs, true))).toEqual(['a', 'b'])
    expect(names(atTime(gone(), 1000 + goneStaysMs, false))).toEqual(['b'])
  })

  it('comes back when the lease is acquired', () => {
    const after = withLease(gone(), sightingAt(3000, { name: 'a', owner: 'p', version: '2' }))
    expect(stateOf(after, 'a')).toBe('held')
  })
})
