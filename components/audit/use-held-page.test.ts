import { describe, expect, it } from 'vitest'
import type { AuditPage } from '../../lib/contract/audit.ts'
import { kept, newActs } from './use-held-page.ts'

const page = (...places: [bucket: string, seq: number, id?: string][]) =>
  ({
    entries: places.map(([bucket, seq, id = `${bucket}.${seq}`]) => ({ bucket, seq, id })),
    nextCursor: null,
    pending: [],
  }) as unknown as AuditPage

describe('what has come while the rows were held', () => {
  it('is what was not there before, on the next day too', () => {
    const before = page(['2026-11-21', 2], ['2026-11-21', 1])
    const after = page(['2026-11-22', 1], ['2026-11-21', 3], ['2026-11-21', 2])
    expect(newActs(before, after)).toBe(2)
  })

  it('counts acts: an intent and its outcome are one', () => {
    const before = page(['2026-11-21', 1])
    expect(newActs(before, page(['2026-11-21', 3, 'a'], ['2026-11-21', 2, 'a'], ['2026-11-21', 1]))).toBe(1)
  })

  it('is nothing when only older entries left the page, or nothing is known', () => {
    expect(newActs(page(['2026-11-21', 2], ['2026-11-21', 1]), page(['2026-11-21', 2]))).toBe(0)
    expect(newActs(page(), undefined)).toBe(0)
  })
})

it('a filter that is named in the rows shows its own entries, although the pointer and the focus stay there', () => {
  const [old, own] = [page(['2026-11-21', 2], ['2026-11-21', 1]), page(['2026-11-21', 1])]
  const before = { id: 'all', page: old }
  // Until the answer the entries of before stand there.
  const waiting = kept(before, { id: 'admin', page: old, isOther: true }, true)
  const answered = kept(waiting, { id: 'admin', page: own, isOther: false }, true)
  expect(answered).toEqual({ id: 'admin', page: own })
  // From then on they are held.
  expect(kept(answered, { id: 'admin', page: old, isOther: false }, true)).toBe(answered)
})
