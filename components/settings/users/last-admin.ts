import type { User } from '../../../lib/contract/people/user.ts'

/** Without an admin who may sign in, no user could manage users. The server refuses to remove the last one too. */
export function isLastAdmin(user: User, users: readonly User[]): boolean {
  const admins = users.filter(({ role, disabled }) => role === 'admin' && !disabled)
  return admins.length === 1 && admins[0]?.username === user.username
}
