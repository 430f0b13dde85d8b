import { LeaseProtocol, openForMs } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import { ActWindow, actAfterPermitMs } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { peopleFollowUps } from '../../people/people-follow-up.ts'
import { tokenFollowUps } from '../../programs/tokens/token-follow-up.ts'
import { audited } from '../audited.ts'
import { event, testLog } from '../chain/test-audit.ts'
import { MemoryAuditStore } from '../chain/test-memory-audit-store.ts'
import { actOverAfterIntentMs, graceMs, Recovery } from './recovery.ts'

const madeAt = Date.UTC(2026, 10, 18, 12)

type People = Parameters<typeof peopleFollowUps>[0]
type Tokens = Parameters<typeof tokenFollowUps>[0]

let clock: FakeClock
let audit: ReturnType<typeof testLog>['audit']
let leases: LeaseProtocol
let recovery: Recovery

const users = {
  confirmed: async (username: string) =>
    username === 'alice' || username === 'old'
      ? {
          username,
          role: 'operator',
          disabled: false,
          version: 7,
          createdAt: new Date(username === 'old' ? 0 : madeAt),
          createdBy: 'ann',
          changedAt: new Date(madeAt),
          changedBy: 'ann',
        }
      : null,
}
const sessions = {
  versionNow: async (key: string) => ({
    table: 'sessions',
    key,
    version: key === 'open' ? 3 : null,
    untilMs: madeAt,
  }),
}
const apiTokens = { confirmed: async (id: string) => (id === 'kept' ? { id, version: 5 } : null) }

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 18, 12))
  audit = testLog({ store: new MemoryAuditStore(), clock, timer: clock }).audit
  leases = new LeaseProtocol({ store: new MemoryLeaseStore(clock), clock, timer: clock })
  const followUps = {
    ...peopleFollowUps({ users, sessions } as unknown as People),
    ...tokenFollowUps({ apiTokens } as unknown as Tokens),
  }
  recovery = new Recovery({ audit, followUps, leases, clock, timer: clock, log })
})

const intend = (id: string, changes: Parameters<typeof event>[1]) =>
  clock.run(audit.append(event(id, { phase: 'intent', outcome: null, ...changes })))
const outcomes = async () => {
  const { entries } = await clock.run(audit.page({ limit: 100 }))
  return Object.fromEntries(
    entries.filter(({ phase }) => phase === 'outcome').map(({ id, outcome }) => [id, outcome]),
  )
}

it('looks for an outcome once nothing of the act can be applied any more: 145 s after the intent', async () => {
  // Sent 30 s after the permission at the latest, which is before the intent; applied within 90 s of that. 25 s are left for a
  // stop between the look at the clocks and the send, and for clocks that differ.
  expect([actAfterPermitMs, openForMs, graceMs]).toEqual([30_000, 90_000, 30_000 + 90_000 + 25_000])
  expect(actOverAfterIntentMs).toBe(30_000 + 25_000)
  await intend('intended', { act: 'user-create', on: { kind: 'user', username: 'bob' } })
  await clock.advance(144_900)
  expect(await clock.run(recovery.look())).toEqual([])
  await clock.advance(100)
  expect(await clock.run(recovery.look())).toEqual(['intended'])
})

it('finds the outcome of each act, and writes it once', async () => {
  const user = (username: string) => ({ kind: 'user', username }) as const
  const token = (id: string) => ({ kind: 'token', id, name: id }) as const
  await intend('made', { act: 'user-create', on: user('alice') })
  await intend('perhaps made', { act: 'user-create', on: user('bob') })
  await intend('there before', { act: 'user-create', on: user('old') })
  const before = { role: 'viewer', disabled: false }
  await intend('changed', {
    act: 'user-change',
    on: user('alice'),
    before: { ...before, userVersion: 6 },
    after: { role: 'operator' },
  })
  await intend('not changed', {
    act: 'user-change',
    on: user('alice'),
    before: { ...before, userVersion: 7 },
    after: { disabled: true },
  })
  await intend('changed since', {
    act: 'user-change',
    on: user('alice'),
    before: { ...before, userVersion: 6 },
    after: { disabled: true },
  })
  await intend('drawn', { act: 'token-create', on: token('kept') })
  await intend('perhaps drawn', { act: 'token-create', on: token('lost') })
  await intend('perhaps revoked', { act: 'token-revoke', on: token('lost') })
  await intend('not revoked', { act: 'token-revoke', on: token('kept') })
  await intend('who knows', { act: 'password', on: user('alice') })
  // The processes that began them may still be at work.
  expect(await clock.run(recovery.look())).toEqual([])
  await clock.advance(graceMs)
  expect(await clock.run(recovery.look())).toHaveLength(11)
  expect(await outcomes()).toEqual({
    made: 'ok',
    'perhaps made': 'unknown',
    'there before': 'not-done',
    changed: 'ok',
    'not changed': 'not-done',
    'changed since': 'unknown',
    drawn: 'ok',
    'perhaps drawn': 'unknown',
    'perhaps revoked': 'unknown',
    'not revoked': 'not-done',
    'who knows': 'unknown',
  })
  expect(await clock.run(recovery.look())).toEqual([])
})

it('writes the versions of the rows that it found', async () => {
  const rows = [{ table: 'releases', key: 'plan', version: 3 }]
  const followUps = { rejection: async () => ({ outcome: 'ok', after: null, rows }) }
  recovery = new Recovery({ audit, followUps, leases, clock, timer: clock, log })
  await intend('rejected', { act: 'rejection' })
  await clock.advance(graceMs)
  await clock.run(recovery.look())
  const { entries } = await clock.run(audit.page({ limit: 1 }))
  expect(entries).toMatchObject([{ phase: 'outcome', outcome: 'ok', rows }])
})

it('says which version each row has now, so that no older one can be put back', async () => {
  const user = (username: string) => ({ kind: 'user', username }) as const
  const token = (id: string) => ({ kind: 'token', id, name: id }) as const
  await intend('made', { act: 'user-create', on: user('alice') })
  await intend('not made', { act: 'user-create', on: user('bob') })
  await intend('changed', { act: 'user-change', on: user('alice'), after: { role: 'operator' } })
  // Changed once more since: the row that is there now is the newest all the same.
  await intend('not as wanted', { act: 'user-change', on: user('alice'), after: { role: 'viewer' } })
  await intend('password', { act: 'password', on: user('alice') })
  await intend('drawn', { act: 'token-create', on: token('kept') })
  await intend('not drawn', { act: 'token-create', on: token('lost') })
  await intend('revoked', { act: 'token-revoke', on: token('lost') })
  await intend('not revoked', { act: 'token-revoke', on: token('kept') })
  await intend('elevated', { act: 'elevation', before: { session: 'gone' } })
  await intend('not elevated', { act: 'elevation', before: { session: 'open' } })
  await intend('lowered', { act: 'elevation', before: { session: 'open' }, after: { ended: true } })
  const signedOut = { act: 'sign-out', actor: { ...event('').actor, username: 'alice' } } as const
  await intend('signed out', { ...signedOut, before: { session: 'gone', userVersion: 6 } })
  await intend('not signed out', { ...signedOut, before: { session: 'open', userVersion: 7 } })
  await clock.advance(graceMs)
  await clock.run(recovery.look())
  const { entries } = await clock.run(audit.page({ limit: 100 }))
  const alice = [{ table: 'users', key: 'alice', version: 7 }]
  const kept = [{ table: 'api_tokens', key: 'kept', version: 5 }]
  expect(
    Object.fromEntries(entries.filter(({ phase }) => phase === 'outcome').map(({ id, rows }) => [id, rows])),
  ).toEqual({
    made: alice,
    'not made': [],
    changed: alice,
    'not as wanted': alice,
    password: alice,
    drawn: kept,
    'not drawn': [],
    revoked: [{ table: 'api_tokens', key: 'lost', version: null }],
    'not revoked': kept,
    elevated: [{ table: 'sessions', key: 'gone', version: null, untilMs: madeAt }],
    'not elevated': [{ table: 'sessions', key: 'open', version: 3, untilMs: madeAt }],
    lowered: [{ table: 'sessions', key: 'open', version: 3, untilMs: madeAt }],
    'signed out': [...alice, { table: 'sessions', key: 'gone', version: null, untilMs: madeAt }],
    'not signed out': [...alice, { table: 'sessions', key: 'open', version: 3, untilMs: madeAt }],
  })
  expect(await outcomes()).toMatchObject({
    'not elevated': 'not-done',
    lowered: 'unknown',
    'signed out': 'unknown',
    'not signed out': 'not-done',
  })
})

it('acquires no lease while nothing is due', async () => {
  const acquire = vi.spyOn(leases, 'tryAcquire')
  await clock.run(recovery.look())
  await intend('made', { act: 'user-create', on: { kind: 'user', username: 'alice' } })
  await clock.run(recovery.look())
  expect(acquire).not.toHaveBeenCalled()
  await clock.advance(graceMs)
  await clock.run(recovery.look())
  expect(acquire).toHaveBeenCalledOnce()
})

it('leaves the work to the instance that has the lease', async () => {
  await intend('made', { act: 'user-create', on: { kind: 'user', username: 'alice' } })
  await clock.advance(graceMs)
  const other = await clock.run(leases.tryAcquire('leasehold/recovery', { ttlSeconds: 60 }))
  expect(await clock.run(recovery.look())).toEqual([])
  if (other.kind === 'acquired') await clock.run(leases.release(other.tenure))
  expect(await clock.run(recovery.look())).toEqual(['made'])
})

it('leaves an act alone that this process still carries out, however long it takes', async () => {
  let end = () => {}
  const work = () =>
    new Promise<{ after: null; result: null }>((done) => {
      end = () => done({ after: null, result: null })
    })
  const { actor } = event('')
  const about = { act: 'user-create', actor, on: { kind: 'user', username: 'bob' } } as const
  const acting = audited(audit, new ActWindow(clock), about, work)
  await clock.advance(2 * graceMs)
  expect(await clock.run(recovery.look())).toEqual([])
  end()
  await clock.run(acting)
  await clock.advance(2 * graceMs)
  expect(await clock.run(recovery.look())).toEqual([])
  expect(Object.values(await outcomes())).toEqual(['ok'])
})

it('continues when one act cannot be followed up, and tries that act again later', async () => {
  let broken = true
  const followUps = {
    'user-create': async () => {
      if (broken) throw new Error('a row that cannot be read')
      return { outcome: 'ok', after: null }
    },
    'token-create': async () => ({ outcome: 'ok', after: null }),
  }
  recovery = new Recovery({ audit, followUps, leases, clock, timer: clock, log })
  await intend('first', { act: 'user-create', on: { kind: 'user', username: 'alice' } })
  await intend('second', { act: 'token-create', on: { kind: 'token', id: 'x', name: 'x' } })
  await clock.advance(graceMs)
  expect(await clock.run(recovery.look())).toEqual(['second'])
  broken = false
  expect(await clock.run(recovery.look())).toEqual(['first'])
})

it('looks for the proof of a release before it expires, and accepts no other answer so early', async () => {
  const seen: boolean[] = []
  const followUps = {
    release: async ({ id }: { id: string }, { early }: { early: boolean }) => {
      seen.push(early)
      return early && id !== 'proven' ? null : { outcome: early ? 'broken' : 'superseded', after: null }
    },
    'user-create': async () => ({ outcome: 'ok', after: null }),
  }
  recovery = new Recovery({ audit, followUps, leases, clock, timer: clock, log })
  await intend('proven', {})
  await intend('open', {})
  await intend('made', { act: 'user-create', on: { kind: 'user', username: 'alice' } })
  expect(await clock.run(recovery.look())).toEqual([])
  await clock.advance(6_000)
  expect(await clock.run(recovery.look())).toEqual(['proven'])
  expect(seen).toEqual([true, true])
  await clock.advance(graceMs)
  expect(await clock.run(recovery.look())).toEqual(['open', 'made'])
  expect(await outcomes()).toEqual({ proven: 'broken', open: 'superseded', made: 'ok' })
})

it('begins no follow-up that would not end under its lease, and leaves it to the next look', async () => {
  const began: string[] = []
  const slow = async ({ id }: { id: string }) => {
    began.push(id)
    await clock.sleep(45_000)
    return { outcome: 'ok', after: null }
  }
  recovery = new Recovery({ audit, followUps: { 'user-create': slow }, leases, clock, timer: clock, log })
  for (const id of ['first', 'second'])
    await intend(id, { act: 'user-create', on: { kind: 'user', username: 'alice' } })
  await clock.advance(graceMs)
  expect(await clock.run(recovery.look())).toEqual(['first'])
  expect(began).toEqual(['first'])
  expect(await clock.run(recovery.look())).toEqual(['second'])
})
