import { expect, it } from 'vitest'
import { overlapReason, shortOverlap, usualOverlap } from './overlap-text.ts'

it('says why the overlap is the whole TTL, and when it usually ends', () => {
  const offer = { overlapMs: 900_000, usualOverlapMs: 130_000 }
  expect(overlapReason(offer)).toMatch(/up to 15 min .*whole TTL.*may renew once more just before the delete/)
  expect(usualOverlap(offer)).toMatch(/^Usually it is less: .* due 2 min 10 s after the plan was made/)
})

it('promises nothing when no renewal came when it was due', () => {
  expect(usualOverlap({ overlapMs: 900_000, usualOverlapMs: null })).toMatch(/not known: .* none had come/)
})

it('without an expiry there is no end to it', () => {
  const offer = { overlapMs: null, usualOverlapMs: null }
  expect(overlapReason(offer)).toContain('until somebody stops the old one')
  expect(usualOverlap(offer)).toBeNull()
})

it('says it in a few words too', () => {
  expect(shortOverlap({ overlapMs: 0 })).toBe('No overlap')
  expect(shortOverlap({ overlapMs: 10_600 })).toBe('Up to 10 s of overlap')
  expect(shortOverlap({ overlapMs: null })).toBe('Overlap without an end')
})
