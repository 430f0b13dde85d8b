import { randomUUID } from 'node:crypto'
import type { BeforeSend } from '../http/act-window.ts'
import type { UserRow } from './user-row.ts'

/** Why a change of a user is refused. */
export type Refusal = 'not-found' | 'last-admin' | 'role-elsewhere' | 'no-password' | 'wrong-password'

export interface PasswordChange {
  /** Where the old password was given: the epoch under which it was found right. */
  epoch?: string
  by?: string | null
  beforeSend?: BeforeSend
}

/** The result of a decision. `as-is`: the user has the wanted state already. */
export type Decision<R> =
  | {
      kind: 'change'
      to: Partial<Pick<UserRow, 'role' | 'disabled' | 'passwordHash' | 'epoch'>>
      /** Of a change of rights: the account that makes it; left out: rights stay. */
      by?: string | null
    }
  | { kind: 'as-is'; user: UserRow }
  | { kind: 'refused'; refusal: R }

export type Changed<R> =
  | { kind: 'changed'; before: UserRow; after: UserRow }
  | { kind: 'as-is'; user: UserRow }
  | { kind: 'refused'; refusal: R }

/**
 * The row after a change, before it is sealed. A user's own change keeps the record of the last change by another account;
 * otherwise it would hide that one.
 */
export function changedRow(
  before: UserRow,
  { to, by }: Extract<Decision<never>, { kind: 'change' }>,
  nowMs: number,
): UserRow {
  const changed = { ...before, ...to, changeId: randomUUID() }
  if (typeof by !== 'string' || by === before.username) return changed
  return { ...changed, changedAt: new Date(nowMs), changedBy: by }
}
