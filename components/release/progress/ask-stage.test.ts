import { describe, expect, it } from 'vitest'
import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { Lease, LeaseDetail } from '../../../lib/contract/leases/lease.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'
import { askStage, forceOn, forceRead } from './ask-stage.ts'

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
const unread = { at: 'unread', hasFailed: false }
const stage = (reading: LeaseReading | undefined, over = {}) =>
  askStage({
    owner: 'o',
    askedAt,
    reading,
    last: { expiresAt: '2026-11-20T03:14:20.000Z', ttlSeconds: 30, seenAt: '2026-11-20T03:14:19.000Z' },
    firstGoneAt: null,
    force: { kind: 'none' },
    hasFailed: false,
    overdueAtMs: null,
    ...over,
  })
const last = { expiresAt: '2026-11-20T03:14:20.000Z', ttlSeconds: 30, seenAt: null }
/** 30 s and 6 s of contention after the first read without the holder. */
const released = { how: 'released', goneAt: later, mayActUntilMs: Date.parse('2026-11-20T03:14:38.000Z') }

describe('what a holder makes of a request', () => {
  it('is not known before it is due, and silence after it', () => {
    expect(stage(held())).toEqual({ at: 'waiting' })
    expect(stage(held(), { overdueAtMs: Date.parse(later) })).toEqual({ at: 'silent' })
  })

  it('is not known from a lease that was not read since the request', () => {
    expect(stage(undefined)).toEqual(unread)
    expect(stage(undefined, { hasFailed: true })).toEqual({ at: 'unread', hasFailed: true })
    expect(stage(held({ read: { level: 'SERIAL', at: '2026-11-20T03:13:59.000Z' } }))).toEqual(unread)
  })

  it('is no silence while the lease was last read before the answer was due', () => {
    expect(stage(held(), { overdueAtMs: Date.parse(later) + 1 })).toEqual({ at: 'waiting' })
  })

  it('is not seen when the row goes before its time: another program may have deleted it, and the holder goes on', () => {
    expect(stage(noOwner(later))).toEqual({ at: 'free', end: released })
    expect(
      stage(noOwner(later), { last: { expiresAt: null, ttlSeconds: null, seenAt: later } }),
    ).toMatchObject({ end: { how: 'released', mayActUntilMs: null } })
  })

  it('is none when the row was watched until its expiry', () => {
    expect(stage(noOwner('2026-11-20T03:14:20.000Z'))).toEqual({
      at: 'free',
      end: { how: 'expired', expiresAt: '2026-11-20T03:14:20.000Z' },
    })
  })

  it('is none where an operator killed or broke the lease, or may have', () => {
    const killed = { kind: 'killed', safeAt: '2026-11-20T03:14:40.000Z' }
    expect(stage(noOwner(later), { force: killed })).toEqual({
      at: 'free',
      end: { how: 'killed', mayActUntilMs: Date.parse(killed.safeAt) },
    })
    expect(stage(noOwner(later), { force: { kind: 'broken' } })).toEqual({
      at: 'free',
      end: { how: 'broken' },
    })
    expect(stage(noOwner(later), { force: { kind: 'unclear' } })).toEqual({
      at: 'free',
      end: { how: 'unseen', mayActUntilMs: released.mayActUntilMs },
    })
    expect(stage(noOwner(later), { force: undefined })).toEqual({ at: 'gone' })
  })

  it('does not follow from a read long after the holder was seen: it may have renewed, and then released', () => {
    const late = '2026-11-20T03:16:00.000Z'
    for (const over of [{ last }, {}])
      expect(stage(noOwner(late), over)).toMatchObject({ at: 'free', end: { how: 'unseen' } })
  })

  it('stays an early release, with its time, when the expiry is past', () => {
    const past = '2026-11-20T03:14:21.000Z'
    expect(stage(noOwner(past), { firstGoneAt: later })).toEqual({ at: 'free', end: released })
  })

  it('shows who holds it then, and how the holder before lost it', () => {
    const next = (over = {}) => stage(held({ owner: 'next' }), over)
    expect(next()).toMatchObject({ at: 'taken', lease: { owner: 'next' }, end: released })
    expect(next({ force: undefined })).toEqual({ at: 'gone' })
    expect(next({ force: { kind: 'killed', safeAt: null } })).toMatchObject({
      end: { how: 'killed', mayActUntilMs: null },
    })
    expect(next({ force: { kind: 'unclear' } })).toMatchObject({ end: { how: 'unseen' } })
    expect(next({ last: { ...last, expiresAt: later } })).toMatchObject({ end: { how: 'unseen' } })
    // A later read finds the successor after that time too; the first one counts.
    const past = held({ owner: 'next', read: { level: 'SERIAL', at: '2026-11-20T03:14:30.000Z' } })
    expect(stage(past, { firstGoneAt: later })).toMatchObject({ end: released })
    expect(stage(past)).toMatchObject({ end: { how: 'unseen' } })
  })

  it('shows that the same owner acquired it again, after a read that found it free', () => {
    const again = held({ read: { level: 'SERIAL', at: '2026-11-20T03:14:05.000Z' } })
    expect(stage(again, { firstGoneAt: later })).toMatchObject({ at: 'taken', end: released })
    // The read before that is still of the tenure that was asked.
    expect(stage(held({ read: { level: 'SERIAL', at: askedAt } }), { firstGoneAt: later })).toEqual({
      at: 'waiting',
    })
  })

  it('does not follow from a read before the request', () => {
    const before = '2026-11-20T03:13:59.000Z'
    expect(stage(held({ owner: 'other', read: { level: 'SERIAL', at: before } }))).toEqual(unread)
    expect(stage(noOwner(before))).toEqual(unread)
  })
})

describe('what the console knows of what operators did', () => {
  const facts = { owner: 'o', askedAt, firstGoneAt: null }
  const answer = (now: string) => ({ now, releases: [] })
  const read = (over: Partial<Parameters<typeof forceRead>[0]>) =>
    forceRead({ data: undefined, isError: false, isFetchedAfterMount: false, ...over }, facts, later)

  it('is nothing before an answer that is younger than the loss', () => {
    expect(read({})).toBeUndefined()
    expect(read({ data: answer(askedAt) })).toBeUndefined()
    expect(read({ data: answer(later), isFetchedAfterMount: true })).toEqual({ kind: 'none' })
  })

  it('is unclear after a read that failed, also while it is tried again', () => {
    const unclear = { kind: 'unclear' }
    expect(read({ isError: true, isFetchedAfterMount: true })).toEqual(unclear)
    expect(read({ isFetchedAfterMount: true })).toEqual(unclear)
    expect(read({ data: answer(askedAt), isError: true, isFetchedAfterMount: true })).toEqual(unclear)
    expect(read({ data: answer(later), isError: true, isFetchedAfterMount: true })).toEqual({ kind: 'none' })
  })
})

describe('what operators did to a holder after the request', () => {
  const safeAt = '2026-11-20T03:14:40.000Z'
  const release = (over: Partial<LeaseRelease>) =>
    ({
      mode: 'kill',
      owner: 'o',
      outcome: 'released',
      requestedAt: later,
      doneAt: later,
      safeAt,
      ...over,
    }) as LeaseRelease
  const force = (releases: LeaseRelease[], firstGoneAt: string | null = null) =>
    forceOn({ owner: 'o', askedAt, firstGoneAt }, releases)

  it('is what they did to it by force, and to no other holder', () => {
    const ask = release({ mode: 'ask', outcome: 'asked' })
    expect(force([ask, release({ owner: 'other' }), release({ outcome: 'not-released' })])).toEqual({
      kind: 'none',
    })
    expect(force([release({ outcome: 'unknown' }), release({})])).toEqual({ kind: 'killed', safeAt })
    expect(force([release({ mode: 'break', outcome: 'broken' })])).toEqual({ kind: 'broken' })
    expect(force([release({ outcome: 'pending', doneAt: null })])).toEqual({ kind: 'unclear' })
  })

  it('is nothing of the time before: a kill of the day before was of another tenure of the same owner', () => {
    const before = '2026-11-20T03:00:00.000Z'
    const dayBefore = { requestedAt: before, doneAt: before, safeAt: '2026-11-20T03:00:36.000Z' }
    expect(force([release(dayBefore)])).toEqual({ kind: 'none' })
    expect(force([release({ ...dayBefore, doneAt: null, outcome: 'unknown' })])).toEqual({ kind: 'none' })
    // Nor of a tenure after.
    expect(force([release({ requestedAt: '2026-11-20T03:20:00.000Z' })], later)).toEqual({ kind: 'none' })
  })

  it('is not clear of one that was asked for before, and may have taken effect after', () => {
    const before = '2026-11-20T03:13:59.000Z'
    expect(force([release({ requestedAt: before, doneAt: null })])).toEqual({ kind: 'unclear' })
    expect(force([release({ requestedAt: before, doneAt: null, outcome: 'pending' })])).toEqual({
      kind: 'unclear',
    })
    // A second person approved it after the request.
    expect(force([release({ requestedAt: before })])).toEqual({ kind: 'killed', safeAt })
  })
})
