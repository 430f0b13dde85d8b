import { expect, it } from 'vitest'
import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { sightingAt, testLease } from '../../../lib/client/row/test-lease.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { ReleasePlan } from '../../../lib/contract/releases/release.ts'
import { planState } from './plan-state.ts'

const plan = { lease: testLease(), now: '2026-11-20T03:14:00.000Z' } as ReleasePlan
const held = (askedAtMs: number, over: Partial<Lease> = {}) =>
  ({ held: true, askedAtMs, sighting: sightingAt(askedAtMs + 100, over) }) as LeaseReading
/** `aheadSeconds`: the time of the server that answered, from that of the plan's. */
const free = (askedAtMs: number, aheadSeconds = 1): LeaseReading => ({
  held: false,
  askedAtMs,
  readAtMs: askedAtMs + 100,
  now: new Date(Date.parse(plan.now) + aheadSeconds * 1000).toISOString(),
})
const state = (reading: LeaseReading | undefined, expired = false) =>
  planState({ plan, receivedAtMs: 1000, reading, expired })

it('a plan is good while its holder holds the lease, renewals included', () => {
  expect(state(undefined)).toBe('good')
  expect(state(held(2000))).toBe('good')
  expect(state(held(2000, { version: '1795144425302119' }))).toBe('good')
})

it('a plan is dead when it expired, or its lease is free, broken or held by another', () => {
  expect(state(held(2000), true)).toBe('expired')
  expect(state(free(2000), true)).toBe('free')
  expect(state(held(2000, { owner: 'next' }))).toBe('changed')
  expect(state(held(2000, { owner: '!quarantine:abcdefgh', state: 'quarantined' }))).toBe('broken')
})

it('a read that was asked before the plan was here does not kill it, though it may arrive after it', () => {
  expect(state(free(500))).toBe('good')
  expect(state(free(950))).toBe('good')
  expect(state(held(950, { owner: 'before' }))).toBe('good')
})

it('nor does it matter by how much the clocks of two consoles differ', () => {
  expect(state(free(2000, -30))).toBe('free')
  expect(state(free(500, 30))).toBe('good')
})
