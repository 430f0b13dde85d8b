/**
 * How the owner begins of a lock that a program acquires over REST without naming one. The library's own owners say that
 * the library renews the lease, and such a program may renew it or not.
 */
export const restOwnerPrefix = 'rest:'

/** In the owner of a lease that a person acquires by hand, after the name of the person. */
export const ownerMark = '@console:'

/** How the owners begin that the console gives to a person. */
export const prefixOf = (username: string): string => username + ownerMark
