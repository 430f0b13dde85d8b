import type { UserRow } from './user-row.ts'

/** Why a change of a user is refused. */
export type Refusal = 'not-found' | 'last-admin' | 'role-elsewhere' | 'no-password' | 'wrong-password'

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

/** A user's own change keeps the record of the last change by another account; otherwise it would hide that one. */
export const byOther = (username: string, by: string | null | undefined): by is string =>
  typeof by === 'string' && by !== username
