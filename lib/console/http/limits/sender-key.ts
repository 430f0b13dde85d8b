import { hash } from 'node:crypto'
import type { Session } from '../../../contract/people/session.ts'

/**
 * What a limit counts the requests of one sender by: a person, in all sessions together, or one token. Names alone do not tell senders
 * apart: a token may be called like a person, or like another token.
 * @param credential what `session` was found by. Of a token, the key has a hash: a key may be logged, and the secret may not
 * @returns `person ann`, or `token 9f86d0…`
 */
export const senderKey = (
  { via, username }: Pick<Session, 'via' | 'username'>,
  credential: string,
): string => (via === 'token' ? `token ${hash('sha256', credential)}` : personKey(username))

/** The key of a person, for what knows no credential. */
export const personKey = (username: string): string => `person ${username}`
