import { expect, it } from 'vitest'
import { clockLease } from '../../lib/client/countdown.ts'
import { epochMs, sightingAt, testLease } from '../../lib/client/test-lease.ts'
import { answerDueMs, renewalDueAtMs } from './renewal-due.ts'

it('the next renewal is when the plan said, until there was one; then a third of the TTL after it', () => {
  const planned = { lease: testLease(), dueAtMs: 2000 }
  expect(renewalDueAtMs(planned, null)).toBe(2000)
  expect(renewalDueAtMs(planned, clockLease(sightingAt(500)))).toBe(2000)
  const renewed = sightingAt(3000, { version: '2', writtenAt: new Date(epochMs + 2500).toISOString() })
  expect(renewalDueAtMs(planned, clockLease(renewed))).toBe(12_500)
  expect(renewalDueAtMs(planned, clockLease(sightingAt(3000, { version: '2', ttlSeconds: null })))).toBeNull()
})

it('an answer is due at the next renewal, or an interval later where that was missed', () => {
  const writtenMs = Date.parse('2026-11-20T03:13:50.000Z')
  expect(answerDueMs(testLease(), writtenMs + 4000)).toBe(writtenMs + 10_000)
  expect(answerDueMs(testLease(), writtenMs + 15_000)).toBe(writtenMs + 25_000)
  expect(answerDueMs(testLease({ ttlSeconds: null }), writtenMs)).toBeNull()
})
