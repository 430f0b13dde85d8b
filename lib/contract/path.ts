import { byteLength, nameMaxBytes, unprintable } from './text-size.ts'

/**
 * One segment of a path that carries a name. Every dot is encoded too: a page path that ends in `.rsc` is served as a
 * payload by Next, and a segment of dots is swallowed by URL parsers.
 */
export const encodeSegment = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E')

/** `/v1/locks/{name}` with its parameters put in. */
export function fillPath(pattern: string, params: Record<string, string> = {}): string {
  return pattern.replace(/\{(\w+)\}/g, (_, key: string) => {
    const text = params[key]
    if (text === undefined) throw new TypeError(`The path ${pattern} needs the parameter ${key}.`)
    return encodeSegment(text)
  })
}

/**
 * Whether a URL of a page or of the API can name this lease. `.` and `..` alone are taken for steps by every URL parser; names that
 * the API refuses, because they are too long or cannot be seen whole, can still be in a table that a plain client writes.
 */
export const isAddressable = (name: string): boolean =>
  name !== '.' && name !== '..' && byteLength(name) <= nameMaxBytes && !unprintable.test(name)

/** Why a lease of such a name cannot be opened, for people. */
export const unaddressable =
  'A URL cannot hold this name, so this lease cannot be opened or released here: names in URLs have 512 bytes at most and no control characters, and are not . or .. The client that wrote it can release it; so can a statement in CQL.'

/** The page of one lease. */
export const leasePath = (name: string, table?: string): string =>
  `/leases/${encodeSegment(name)}${table === undefined || table === 'leases' ? '' : `?table=${encodeURIComponent(table)}`}`

/** The audit log's entries about one lease. */
export const leaseAuditPath = (name: string, table: string): string =>
  `/audit?${new URLSearchParams({ name, table })}`

/** The page of one forced release: its permalink. */
export const releasePath = (id: string): string => `/releases/${encodeSegment(id)}`
