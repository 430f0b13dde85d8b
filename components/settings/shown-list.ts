import type { Answer } from '../../lib/client/call/call.ts'
import type { User } from '../../lib/contract/people/user.ts'

/** The list as an act left it: it is shown until the list is read again, which may take long, or fail. */
type Shown<List> = List | undefined

/** The list after a change of a user. The answer to a change does not say who else is the same person. */
export function withUser(
  shown: Shown<Answer<'listUsers'>>,
  { username, role, disabled }: User,
): Shown<Answer<'listUsers'>> {
  if (shown === undefined) return undefined
  const users = shown.data.users.map((user) =>
    user.username === username ? { ...user, role, disabled } : user,
  )
  return { ...shown, data: { ...shown.data, users } }
}

/** The list after the revocation of a token. */
export function withoutToken(
  shown: Shown<Answer<'listTokens'>>,
  revoked: string,
): Shown<Answer<'listTokens'>> {
  if (shown === undefined) return undefined
  const tokens = shown.data.tokens.filter(({ id }) => id !== revoked)
  return { ...shown, data: { ...shown.data, tokens } }
}
