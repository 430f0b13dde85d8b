import { expect, it } from 'vitest'
import type { AuditAct, AuditEntry } from '../../../contract/audit.ts'
import { actOverAfterIntentMs } from '../../audit/recovery/recovery.ts'
import { peopleFollowUps } from '../people-follow-up.ts'
import { changedRow } from '../user-decision.ts'
import type { UserRow } from '../user-row.ts'

/** What the recovery says of Ann's act on Olga, which her process intended at `intentMs` and did not end. */
const intentMs = Date.UTC(2026, 0, 1)

const olga: UserRow = {
  username: 'olga',
  role: 'operator',
  passwordHash: 'h',
  disabled: false,
  subject: null,
  createdAt: new Date(intentMs - 1e9),
  createdBy: 'root',
  epoch: 'e',
  changeId: 'c',
  changedAt: null,
  changedBy: null,
  version: intentMs - 1e9,
  seal: 's',
}

type Change = Parameters<typeof changedRow>[1]['to']
const changed = (row: UserRow, by: string | null, to: Change, afterMs: number): UserRow => ({
  ...changedRow(row, { kind: 'change', to, by }, intentMs + afterMs),
  version: intentMs + afterMs,
})

async function outcomeOf(act: AuditAct, after: object | null, row: UserRow | null, before?: object) {
  const actor = { username: 'ann', role: 'admin', via: 'password', address: null, requestId: null }
  const { role, disabled, version } = olga
  const intent = {
    act,
    actor,
    at: new Date(intentMs).toISOString(),
    on: { kind: 'user', username: 'olga' },
    before: before ?? { role, disabled, userVersion: version },
    after,
  } as unknown as AuditEntry
  const sessions = { versionNow: () => Promise.reject(new Error('no session is read')) }
  const followUps = peopleFollowUps({ users: { confirmed: async () => row }, sessions })
  return (await followUps[act]?.(intent, { early: false }))?.outcome
}

const disable = (row: UserRow | null, before?: object) =>
  outcomeOf('user-change', { disabled: true }, row, before)
const create = (row: UserRow | null) => outcomeOf('user-create', { role: 'operator' }, row)

it('a change is done where the row names its actor and its time', async () => {
  expect(await disable(changed(olga, 'ann', { disabled: true }, 1_000))).toBe('ok')
})

it('a change is not done where the row has the version from before', async () => {
  expect(await disable(olga)).toBe('not-done')
})

it('a change that another account has undone since may have taken effect', async () => {
  const disabled = changed(olga, 'ann', { disabled: true }, 1_000)
  expect(await disable(changed(disabled, 'bob', { disabled: false }, 30_000))).toBe('unknown')
})

it('a change that another account made does not count as the actor’s', async () => {
  expect(await disable(changed(olga, 'bob', { disabled: true }, 30_000))).toBe('unknown')
})

it('a change that the same actor made at another time does not count as this one', async () => {
  const later = actOverAfterIntentMs + 10_000
  expect(await disable(changed(olga, 'ann', { disabled: true }, later))).toBe('unknown')
  expect(await disable(changed(olga, 'ann', { disabled: true }, -10_000))).toBe('unknown')
})

it('another act of the same actor, such as a new password, is not the change', async () => {
  expect(await disable(changed(olga, 'ann', { passwordHash: 'new' }, 1_000))).toBe('unknown')
})

it('a change to the state from before is proven by no row that has moved since', async () => {
  const enable = (row: UserRow) => outcomeOf('user-change', { disabled: false }, row)
  expect(await enable(changed(olga, 'ann', { passwordHash: 'new' }, 1_000))).toBe('unknown')
})

it('an intent without the version from before, or without a wanted state, proves nothing by itself', async () => {
  expect(await disable(olga, { role: 'operator', disabled: false })).toBe('unknown')
  expect(await outcomeOf('user-change', null, changed(olga, 'ann', { disabled: true }, 1_000))).toBe(
    'unknown',
  )
})

it('a user is made where the row names the actor and the time, also when it was changed since', async () => {
  const made = { ...olga, createdBy: 'ann', createdAt: new Date(intentMs + 1_000) }
  expect(await create(made)).toBe('ok')
  expect(await create(changed(made, 'bob', { disabled: true }, 30_000))).toBe('ok')
})

it('a user whom another account made does not count as the actor’s', async () => {
  expect(await create({ ...olga, createdBy: 'bob', createdAt: new Date(intentMs + 1_000) })).toBe('unknown')
  // Set up by the server itself, or by single sign-on: the row names no maker.
  expect(await create({ ...olga, createdBy: null, createdAt: new Date(intentMs + 1_000) })).toBe('unknown')
})

it('a user that is older than the intent proves that the act made none', async () => {
  expect(await create({ ...olga, createdBy: 'ann' })).toBe('not-done')
})

it('a missing row proves nothing: another client may have deleted it', async () => {
  expect(await create(null)).toBe('unknown')
  expect(await disable(null)).toBe('unknown')
})
