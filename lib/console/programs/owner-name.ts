/** In the owner of a lease that a person acquires by hand, after the name of the person. */
export const ownerMark = '@console:'

/** How the owners begin that the console gives to a person. */
export const prefixOf = (username: string): string => username + ownerMark
