import { expect, it } from 'vitest'
import type { Lease } from '../../contract/leases/lease.ts'
import { releaseBodySchema } from '../../contract/releases/release.ts'
import { planOf, planSchema } from './plans.ts'

const lease: Lease = {
  table: 'leases',
  name: 'a/b',
  owner: 'o',
  value: null,
  state: 'held',
  version: '1',
  writtenAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:00:30.000Z',
  remainingMs: 30_000,
  valueRemainingMs: null,
  ttlSeconds: 30,
  read: { level: 'SERIAL', at: '2026-01-01T00:00:00.000Z' },
}

it('is good for 60 s, and comes back from its row as it was made', () => {
  const plan = planOf('admin', lease, 1_000_000)
  expect(plan.expiresAtMs).toBe(1_060_000)
  expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan)
  expect(planOf('admin', lease, 1_000_000).id).not.toBe(plan.id)
})

it('keeps as much of a large value as a person looks at', () => {
  const { value } = planOf('admin', { ...lease, value: 'x'.repeat(1_000_000) }, 0).lease
  expect(value).toHaveLength(1_001)
})

it('is named by its id and nothing else', () => {
  const { id } = planOf('admin', lease, 0)
  const body = { mode: 'kill', reason: 'INC-7' }
  expect(releaseBodySchema.safeParse({ ...body, plan: id }).success).toBe(true)
  for (const plan of [`${id}.x`, `${id} `, `${id}\n`, '', 'x'.repeat(65)])
    expect(releaseBodySchema.safeParse({ ...body, plan }).success, plan).toBe(false)
})

it('cuts no character of a large value in two', () => {
  const value = `x${'👑'.repeat(10_000)}`
  const { lease: kept } = planOf('ann', { ...lease, value }, 0)
  expect([kept.value?.isWellFormed(), kept.value?.length]).toEqual([true, 1_000])
})
