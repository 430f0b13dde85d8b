/** Accounts that are of one person of single sign-on: there are several where two instances made one at the same moment. */
import type { UserRow } from '../user-row.ts'

type Account = Pick<UserRow, 'username' | 'subject' | 'disabled' | 'createdAt'>

/** Oldest first: sign-ins use the first one. */
export const accountsOf = <T extends Account>(users: readonly T[], subject: string): T[] =>
  users
    .filter((user) => user.subject === subject)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.username < b.username ? -1 : 1))

/**
 * Of each account whose person has another enabled one: the names of the enabled ones, oldest first. Where the oldest one is
 * disabled the person cannot sign in, and the others are of no use.
 */
export function samePersonsOf(users: readonly Account[]): ReadonlyMap<string, readonly string[]> {
  const subjects = new Set(users.map(({ subject }) => subject).filter((subject) => subject !== null))
  const same = new Map<string, readonly string[]>()
  for (const subject of subjects) {
    const accounts = accountsOf(users, subject)
    const enabled = accounts.filter(({ disabled }) => !disabled).map(({ username }) => username)
    if (accounts[0]?.disabled || enabled.length < 2) continue
    for (const username of enabled) same.set(username, enabled)
  }
  return same
}
