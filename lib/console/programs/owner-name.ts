import { personOwnerMark } from '../../contract/text-size.ts'

/**
 * How the owner begins of a lock that a program acquires over REST without naming one. The library's own owners say that
 * the library renews the lease, and such a program may renew it or not.
 */
export const restOwnerPrefix = 'rest:'

/** How the owners begin that the console gives to a person. */
export const prefixOf = (username: string): string => username + personOwnerMark

/**
 * Whether an owner is one that the console gives to this person. The last mark ends the name: what the console draws after it has
 * none, and the name of a user of an earlier version, or of a person at a provider, may.
 */
export function isOwnerOf(username: string, owner: string): boolean {
  const end = owner.lastIndexOf(personOwnerMark)
  return end !== -1 && owner.slice(0, end) === username
}
