/** What names, owners and values may be, in numbers; the schemas stand in `text.ts`. */
const encoder = new TextEncoder()

/** Length in bytes as Cassandra stores it (UTF-8). */
export const byteLength = (text: string): number => encoder.encode(text).length

export const nameMaxBytes = 512
export const ownerMaxBytes = 512
export const valueMaxBytes = 16 * 1024

/** Owners that begin with this mark belong to the protocol itself (quarantines); a caller may not choose one. */
export const reservedOwnerMark = '!'

/** The server's own name in the audit: no user and no token has it. */
export const serverName = 'leasehold'
