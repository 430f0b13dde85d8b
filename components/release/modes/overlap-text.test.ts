import { expect, it } from 'vitest'
import { answerText, noticeText, overlapReason, shortOverlap } from './overlap-text.ts'

it('says why the overlap is the whole TTL', () => {
  expect(overlapReason({ overlapMs: 900_000 })).toMatch(/up to 15 min: the whole TTL.*renew just before/)
})

it('without an expiry there is no end to it', () => {
  expect(overlapReason({ overlapMs: null })).toContain('until you stop the old one')
})

it('says it in a few words too', () => {
  expect(shortOverlap('ask', { overlapMs: 0 })).toBe('Never two holders at once')
  expect(shortOverlap('break', { overlapMs: 0 })).toMatch(/^Never two holders at once, if the old one keeps/)
  expect(shortOverlap('kill', { overlapMs: 10_600 })).toBe(
    'Two holders may act for up to 11 s after the delete',
  )
  expect(shortOverlap('kill', { overlapMs: null })).toBe('Two holders may act, with no end')
})

it('promises a renewal only where a rhythm was seen, and none that is late', () => {
  expect(noticeText(130_000)).toContain('expected within 2 min 10 s')
  expect(noticeText(0)).toMatch(/can’t predict.*renewal was late/)
  expect(noticeText(null)).toMatch(/can’t predict.*No renewal was seen since this page was opened/)
  expect(answerText(2100)).toMatch(/^A holder that reads requests .* expected within 2.1 s/)
  expect(answerText(-1)).toMatch(/can’t predict.*late/)
  expect(answerText(null)).toMatch(/No renewal was seen/)
})
