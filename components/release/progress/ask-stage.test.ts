import { describe, expect, it } from 'vitest'
import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { Lease, LeaseDetail } from '../../../lib/contract/leases/lease.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'
import { askStage, forceOn } from './ask-stage.ts'

const askedAt = '2026-11-20T03:14:00.000Z'
const later = '2026-11-20T03:14:02.000Z'
const held = (over: Partial<Lease> = {}): LeaseReading => ({
  held: true,
  sighting: {
    lease: testLease({ read: { level: 'SERIAL', at: later }, ...over }) as LeaseDetail,
    now: later,
    arrivedAtMs: 0,
  },
})
const noOwner = (now: string): LeaseReading => ({ held: false, readAtMs: 0, now })
const stage = (reading: LeaseReading | undefined, over = {}) =>
  askStage({
    owner: 'o',
    askedAt,
    reading,
    lastExpiresAt: '2026-11-20T03:14:20.000Z',
    lastSeenAt: '2026-11-20T03:14:19.000Z',
    firstGoneAt: null,
    force: 'none',
    overdue: false,
    ...over,
  })

describe('what a holder makes of a request', () => {
  it('is not known before it is due, and silence after it', () => {
    expect(stage(undefined)).toEqual({ at: 'waiting' })
    expect(stage(held())).toEqual({ at: 'waiting' })
    expect(stage(held(), { overdue: true })).toEqual({ at: 'silent' })
  })

  it('is a resignation when the row goes before its time, and an expiry after it', () => {
    expect(stage(noOwner(later))).toEqual({ at: 'resigned', goneAt: later })
    expect(stage(noOwner(later), { overdue: true })).toMatchObject({ at: 'resigned' })
    expect(stage(noOwner('2026-11-20T03:14:20.000Z'))).toEqual({
      at: 'expired',
      expiresAt: '2026-11-20T03:14:20.000Z',
    })
  })

  it('is no resignation where an operator killed the lease, or may have: that frees it before its time too', () => {
    expect(stage(noOwner(later), { force: 'killed' })).toEqual({ at: 'killed' })
    expect(stage(noOwner(later), { force: 'unclear' })).toEqual({ at: 'ended' })
    expect(stage(noOwner(later), { force: undefined })).toEqual({ at: 'waiting' })
    const release = (over: Partial<LeaseRelease>) =>
      ({ mode: 'kill', owner: 'o', outcome: 'released', ...over }) as LeaseRelease
    expect(forceOn('o', [release({ mode: 'ask', outcome: 'asked' }), release({ owner: 'other' })])).toBe(
      'none',
    )
    expect(forceOn('o', [release({ outcome: 'not-released' })])).toBe('none')
    expect(forceOn('o', [release({ outcome: 'pending' })])).toBe('unclear')
    expect(forceOn('o', [release({ outcome: 'unknown' }), release({})])).toBe('killed')
  })

  it('does not follow from a read long after the holder was seen: it may have renewed, and then released', () => {
    const late = '2026-11-20T03:16:00.000Z'
    expect(stage(noOwner(late), { lastSeenAt: null })).toEqual({ at: 'ended' })
    expect(stage(noOwner(late))).toEqual({ at: 'ended' })
  })

  it('stays a resignation, with its time, when its expiry is past', () => {
    const past = '2026-11-20T03:14:21.000Z'
    expect(stage(noOwner(past), { firstGoneAt: later })).toEqual({ at: 'resigned', goneAt: later })
  })

  it('shows who holds it then, and that the holder made room where it had time left', () => {
    const next = (over = {}) => stage(held({ owner: 'next' }), over)
    expect(next()).toMatchObject({ at: 'taken', lease: { owner: 'next' }, how: 'resigned', goneAt: later })
    expect(next({ force: undefined })).toEqual({ at: 'waiting' })
    expect(next({ force: 'killed' })).toMatchObject({ how: 'killed' })
    expect(next({ force: 'unclear' })).toMatchObject({ how: 'ended' })
    expect(next({ lastExpiresAt: later })).toMatchObject({ how: 'ended' })
    // A later read finds the successor after that time too; the first one counts.
    const past = held({ owner: 'next', read: { level: 'SERIAL', at: '2026-11-20T03:14:30.000Z' } })
    expect(stage(past, { firstGoneAt: later })).toMatchObject({ how: 'resigned', goneAt: later })
    expect(stage(past)).toMatchObject({ how: 'ended' })
  })

  it('does not follow from a read before the request', () => {
    const before = '2026-11-20T03:13:59.000Z'
    expect(stage(held({ owner: 'other', read: { level: 'SERIAL', at: before } }))).toEqual({ at: 'waiting' })
    expect(stage(noOwner(before))).toEqual({ at: 'waiting' })
  })
})
