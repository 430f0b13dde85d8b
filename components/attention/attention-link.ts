/** The page of the leases that need attention. */
export const attentionPath = (table?: string): string =>
  table === undefined ? '/attention' : `/attention?table=${encodeURIComponent(table)}`
