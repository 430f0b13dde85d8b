import type { User } from '../../lib/contract/people/user.ts'

/** Without one that may sign in nobody could manage the others any more. The server refuses it as well. */
export function isLastAdmin(user: User, users: readonly User[]): boolean {
  const admins = users.filter(({ role, disabled }) => role === 'admin' && !disabled)
  return admins.length === 1 && admins[0]?.username === user.username
}
