import { expect, it } from 'vitest'
import type { LeaseReading } from '../call/queries.ts'
import { nextRow } from '../row/row-board.ts'
import { epochMs, sightingAt } from '../row/test-lease.ts'
import type { LiveRow } from './live-board.ts'
import { following, type OneLease, unknownLease } from './one-lease.ts'

const row = (readMs: number, over: Partial<LiveRow['lease']> = {}): LiveRow => ({
  ...nextRow(sightingAt(readMs, over), undefined),
  reading: { atMs: readMs },
})
const at = (ms: number) => new Date(epochMs + ms).toISOString()
const found = (atMs: number) => ({ at: at(atMs), atMs })
const read = (readAtMs: number): LeaseReading => ({ held: false, readAtMs, now: at(readAtMs) })
const nothing = { row: undefined, free: null, reading: undefined }
const after = (...news: Partial<Parameters<typeof following>[1]>[]): OneLease =>
  news.reduce<OneLease>((before, each) => following(before, { ...nothing, ...each }), unknownLease)

it('is unknown, and neither held nor free, until something was read', () => {
  expect(following(unknownLease, nothing)).toBe(unknownLease)
  expect(after({ reading: read(100) })).toMatchObject({ row: null, free: { readAtMs: 100 }, was: null })
})

it('a row that the stream shows no more is verifying, until a SERIAL read has found it free', () => {
  const held = row(1000)
  const missing = after({ row: held }, {})
  expect(missing).toMatchObject({ row: { state: 'verifying' }, free: null })
  expect(following(missing, nothing)).toBe(missing)
  const free = following(missing, { ...nothing, free: found(1200) })
  expect(free).toMatchObject({ row: null, free: { readAtMs: 1200, now: at(1200) }, was: held.lease })
})

it('a read from before its row was seen says nothing, however the lease went', () => {
  const before = { reading: read(500) }
  expect(after(before, { ...before, row: row(1000) }, before)).toMatchObject({
    row: { state: 'verifying' },
    free: null,
  })
  expect(after(before, { ...before, row: row(1000) }, { reading: read(1100) }).free?.readAtMs).toBe(1100)
})

it('keeps the first of the reads that found it free, until it is held', () => {
  const freed = after({ row: row(1000) }, { free: found(1200) }, { free: found(3200) })
  expect(freed.free).toMatchObject({ readAtMs: 3200, since: { readAtMs: 1200, now: at(1200) } })
  expect(following(freed, { ...nothing, free: found(3200) })).toBe(freed)
  // After another connection the stream says nothing of it at first: what was read last stays, with its age.
  expect(following(freed, nothing)).toBe(freed)
  const next = following(freed, { ...nothing, row: row(4000, { owner: 'next' }) })
  expect(next).toMatchObject({ row: { lease: { owner: 'next' } }, free: null })
})

it('a row that is gone is free, and not held', () => {
  const gone: LiveRow = { ...row(1000), state: 'gone', goneAtMs: 1200 }
  expect(after({ row: row(1000) }, { row: gone, free: found(1200) })).toMatchObject({ row: null })
})

it('knows the last row under an owner of its own, not under the mark of a break', () => {
  const mark = row(2000, { owner: '!quarantine:1', state: 'quarantined' })
  const broken = after({ row: row(1000) }, { row: mark }, { free: found(3000) })
  expect([broken.owned?.owner, broken.was?.owner]).toEqual(['o', '!quarantine:1'])
})

it('knows when a read showed the row last: what happened between that and the first free read was not seen', () => {
  const held = row(1000)
  held.reading.atMs = 4000
  expect(after({ row: held }, {}, { free: found(5000) })).toMatchObject({
    was: held.lease,
    lastSeenAtMs: 4000,
  })
  // Reads that find it free again do not change that.
  expect(after({ row: held }, { free: found(5000) }, { free: found(9000) }).lastSeenAtMs).toBe(4000)
})

it('a first free read from before the row was seen is of another time without a holder', () => {
  const reading: LeaseReading = {
    held: false,
    readAtMs: 9000,
    now: at(9000),
    since: { readAtMs: 500, now: at(500) },
  }
  expect(after({ row: row(1000) }, { reading }).free).toEqual({ held: false, readAtMs: 9000, now: at(9000) })
  expect(after({ reading }).free?.since?.readAtMs).toBe(500)
})
