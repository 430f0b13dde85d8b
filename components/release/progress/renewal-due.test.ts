import { expect, it } from 'vitest'
import { Renewals } from '../../../lib/client/row/renewals.ts'
import { nextRow } from '../../../lib/client/row/row-board.ts'
import { epochMs, sightingAt, testLease } from '../../../lib/client/row/test-lease.ts'
import { clockLease } from '../../../lib/client/time/countdown.ts'
import { answerDueMs, renewalDueAtMs } from './renewal-due.ts'

/** Of a TTL of 30 s: a third of 28.5 s, and a tenth more. */
const latestMs = 10_450
const library = { owner: 'host:12:0123456789ab:1' }

it('without a renewal that was seen, and without the library’s shape, no renewal is promised', () => {
  const planned = clockLease(sightingAt(0))
  expect(renewalDueAtMs(planned, null)).toBeNull()
  expect(renewalDueAtMs(planned, clockLease(sightingAt(500)))).toBeNull()
})

it('a holder of the library renews within a third of its window and a tenth of that; any holder does once it was seen to', () => {
  const planned = clockLease(sightingAt(0, library))
  expect(renewalDueAtMs(planned, null)).toBeCloseTo(latestMs - 10_000)
  const renewed = { version: '2', writtenAt: new Date(epochMs + 2500).toISOString() }
  expect(renewalDueAtMs(clockLease(sightingAt(0)), clockLease(sightingAt(3000, renewed)))).toBeCloseTo(
    2500 + latestMs,
  )
  const eternal = clockLease(sightingAt(3000, { ...renewed, ttlSeconds: null }))
  expect(renewalDueAtMs(planned, eternal)).toBeNull()
})

it('a renewal that another page saw counts: the dialog and the page behind it know the same', () => {
  const renewals = new Renewals()
  const renewed = { version: '2', writtenAt: new Date(epochMs).toISOString() }
  renewals.note([nextRow({ ...sightingAt(0, renewed), renewed: true }, undefined)])
  const planned = clockLease(renewals.mark(sightingAt(3000, renewed)))
  expect(renewalDueAtMs(planned, null)).toBeCloseTo(latestMs)
})

it('an answer is due at the next renewal, or an interval later where that was missed', () => {
  const writtenMs = Date.parse('2026-11-20T03:13:50.000Z')
  expect(answerDueMs(testLease(), writtenMs + 4000)).toBeCloseTo(writtenMs + latestMs)
  expect(answerDueMs(testLease(), writtenMs + 15_000)).toBeCloseTo(writtenMs + 15_000 + latestMs)
  expect(answerDueMs(testLease({ ttlSeconds: null }), writtenMs)).toBeNull()
})

it('of a short TTL it is due when the library sends it, not a third of the TTL later', () => {
  const short = clockLease(
    sightingAt(0, { ...library, ttlSeconds: 6, writtenAt: new Date(epochMs).toISOString() }),
  )
  expect(renewalDueAtMs(short, null)).toBeCloseTo(1650)
})
