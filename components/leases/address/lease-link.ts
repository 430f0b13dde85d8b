import { leasePath } from '../../../lib/contract/path.ts'

/** The table as URLs and the API have it: nothing for the usual one. */
export const tableParam = (table: string): string | undefined => (table === 'leases' ? undefined : table)

/** The page on which a forced release of this lease is planned. */
export const releasingPath = (name: string, table: string): string => {
  const path = leasePath(name, table)
  return `${path}${path.includes('?') ? '&' : '?'}release=1`
}

/** The list of a table. */
export const listPath = (table?: string): string =>
  table === undefined ? '/' : `/?table=${encodeURIComponent(table)}`

/** The list, with the dialog that makes a lease of this name. */
export const newLeasePath = (name: string, table?: string): string =>
  `/?${new URLSearchParams(table === undefined ? { new: '1', name } : { table, new: '1', name })}`
