import { describe, expect, it } from 'vitest'
import { isLostBefore, mayEndAt, restartOf } from './restart-entry.ts'

const bucket = '2026-11-22#7'
const end = { bucket: '2026-11-22', seq: 5, hash: 'ab' }
const gapAt = (seq: number) => ({ bucket: '2026-11-22', seq })
const of = (before: unknown) => restartOf(bucket, { before, after: { follows: end } })

describe('the entry that a restart names as the last', () => {
  it.each([
    ['a console wrote it', { end, gap: gapAt(6), isEndSound: true }, end],
    ['a console wrote it, and the loss is before it', { end, gap: gapAt(2), isEndSound: true }, end],
    ['another client wrote it', { end, gap: gapAt(5), isEndSound: false }, null],
    ['it was written with a lost key', { end, gap: null, isEndSound: false }, end],
    ['an older restart does not say who wrote it, and it was read', { end, gap: gapAt(6) }, end],
    ['an older restart does not say who wrote it, and it was not read', { end, gap: gapAt(5) }, null],
    ['a restart of the first version names no gap', { end }, end],
    [
      'it is in a partition that is later than the restart',
      { end: { ...end, bucket: '2099-01-01' }, gap: null },
      null,
    ],
    ['there was none', { end: null, gap: gapAt(1), isEndSound: false }, null],
    ['the detail was too long, and cut', { cut: '{"end":', bytes: 9_000 }, null],
  ])('must stay or not: %s', (_, before, left) => {
    expect(of(before).left).toEqual(left)
  })
})

describe('a place that cannot be read', () => {
  it('was lost before the restart from the gap on, by bucket and then by sequence number', () => {
    const restart = of({ end, gap: gapAt(5), isEndSound: true })
    const lost = (place: { bucket: string; seq: number }) => isLostBefore(restart, place)
    expect([gapAt(4), gapAt(5), gapAt(6)].map(lost)).toEqual([false, true, true])
    expect(lost({ bucket: '2026-11-21', seq: 9 })).toBe(false)
    expect(lost({ bucket: '2026-11-22#2', seq: 1 })).toBe(true)
  })
})

describe('the bucket before a restart', () => {
  it('may end without a seal where the log ended', () => {
    const restart = of({ end, gap: gapAt(2), isEndSound: true })
    expect(mayEndAt(restart, gapAt(6))).toBe(true)
    expect(mayEndAt(restart, { bucket: '2026-11-21', seq: 3 })).toBe(false)
  })

  it('may end at the gap where no entry had to stay', () => {
    const restart = of({ end, gap: gapAt(5), isEndSound: false })
    expect([gapAt(4), gapAt(5), gapAt(6)].map((place) => mayEndAt(restart, place))).toEqual([
      false,
      true,
      true,
    ])
  })
})
