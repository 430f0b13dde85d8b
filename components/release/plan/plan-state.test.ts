import { expect, it } from 'vitest'
import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { sightingAt, testLease } from '../../../lib/client/row/test-lease.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { ReleasePlan } from '../../../lib/contract/releases/release.ts'
import { planState } from './plan-state.ts'

const plan = { lease: testLease(), now: '2026-11-20T03:14:00.000Z' } as ReleasePlan
const held = (atMs: number, over: Partial<Lease> = {}) =>
  ({ held: true, sighting: sightingAt(atMs, over) }) as LeaseReading
const state = (reading: LeaseReading | undefined, expired = false) =>
  planState({ plan, arrivedAtMs: 1000, reading, expired })

it('a plan is good while its holder holds the lease, renewals included', () => {
  expect(state(undefined)).toBe('good')
  expect(state(held(2000))).toBe('good')
  expect(state(held(2000, { version: '1795144425302119' }))).toBe('good')
})

it('a plan is dead when it expired, or its lease is free, broken or held by another', () => {
  expect(state(held(2000), true)).toBe('expired')
  expect(state({ held: false, readAtMs: 2000, now: undefined }, true)).toBe('free')
  expect(state(held(2000, { owner: 'next' }))).toBe('changed')
  expect(state(held(2000, { owner: '!quarantine:abcdefgh', state: 'quarantined' }))).toBe('broken')
})

it('a read from before the plan does not kill it', () => {
  expect(state({ held: false, readAtMs: 900, now: undefined })).toBe('good')
  expect(state(held(900, { owner: 'before' }))).toBe('good')
})

it('nor does one that arrives after the plan: the server says which of the two was read first', () => {
  const secondsAfter = (seconds: number) => new Date(Date.parse(plan.now) + seconds * 1000).toISOString()
  expect(state({ held: false, readAtMs: 2000, now: secondsAfter(-1) })).toBe('good')
  expect(state({ held: false, readAtMs: 2000, now: secondsAfter(0) })).toBe('good')
  expect(state({ held: false, readAtMs: 2000, now: secondsAfter(1) })).toBe('free')
  expect(state({ held: false, readAtMs: 900, now: secondsAfter(1) })).toBe('free')
})
