import { describe, expect, it } from 'vitest'
import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { Lease, LeaseDetail } from '../../../lib/contract/leases/lease.ts'
import { breakStage } from './break-stage.ts'

const brokenAt = '2026-11-20T03:14:00.000Z'
const safeAt = '2026-11-20T03:14:20.000Z'
const mark = '!quarantine:r1'
const held = (owner: string, at = safeAt): LeaseReading => ({
  held: true,
  sighting: {
    lease: testLease({ owner, read: { level: 'SERIAL', at } }) as LeaseDetail,
    now: at,
    arrivedAtMs: 0,
  },
})
const noOwner = (now: string): LeaseReading => ({ held: false, readAtMs: 0, now })
const stage = (reading: LeaseReading | undefined, past: boolean, acquired: Lease | null = null) =>
  breakStage({ mark, safeAt, past, brokenAt, reading, acquired })

describe('a broken lease', () => {
  it('is quarantined until its time, and verified from there', () => {
    expect(stage(undefined, false)).toEqual({ at: 'quarantined' })
    expect(stage(held(mark), false)).toEqual({ at: 'quarantined' })
    expect(stage(held(mark), true)).toEqual({ at: 'verifying' })
    expect(stage(undefined, true)).toEqual({ at: 'verifying' })
  })

  it('is free only when a read after its time found no holder', () => {
    expect(stage(noOwner('2026-11-20T03:14:19.999Z'), true)).toEqual({ at: 'verifying' })
    expect(stage(noOwner(safeAt), true)).toEqual({ at: 'free', acquired: null })
  })

  it('shows who acquired it', () => {
    expect(stage(held('next'), true)).toMatchObject({ at: 'taken', lease: { owner: 'next' } })
  })

  it('keeps the next holder when that one is gone too', () => {
    const next = testLease({ owner: 'next' })
    expect(stage(noOwner('2026-11-20T03:15:00.000Z'), true, next)).toEqual({ at: 'free', acquired: next })
  })

  it('does not follow from a read before the break', () => {
    const before = '2026-11-20T03:13:59.000Z'
    expect(stage(held('o', before), false)).toEqual({ at: 'quarantined' })
    expect(stage(noOwner(before), false)).toEqual({ at: 'quarantined' })
  })
})
