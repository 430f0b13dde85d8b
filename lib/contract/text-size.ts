/** What names, owners and values may be, in numbers; the schemas stand in `text.ts`. */
const encoder = new TextEncoder()

/** Length in bytes as Cassandra stores it (UTF-8). */
export const byteLength = (text: string): number => encoder.encode(text).length

/**
 * C0, DEL, C1, the Unicode line and paragraph separators, and halves of surrogate pairs: none of them can be seen, and a lone
 * surrogate does not survive UTF-8, so that two different names would become one row.
 */
export const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u

export const nameMaxBytes = 512
export const ownerMaxBytes = 512
export const valueMaxBytes = 16 * 1024

/** Owners that begin with this mark belong to the protocol itself (quarantines); a caller may not choose one. */
export const reservedOwnerMark = '!'

/** In the owner of a lease that a person acquires by hand, after the name of the person: no such name contains it. */
export const personOwnerMark = '@console:'

/** The server's own name in the audit: no user and no token has it. */
export const serverName = 'leasehold'

/**
 * The first characters of a text, `length` UTF-16 code units at most. A character that the end would cut in two is left out: half of a
 * pair is shown as a replacement character, and does not survive UTF-8.
 */
export function startOf(text: string, length: number): string {
  const isCut = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(length - 1, length + 1))
  return text.slice(0, isCut ? length - 1 : length)
}
