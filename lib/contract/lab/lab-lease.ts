/** Beside the schemas, and not with them: each lease’s page asks it. */

/** The lease of a run, or the name of its bakery, in the console’s own table. */
export const labLeaseName = (run: string, of: 'leader' | 'bakery'): string => `lab/${run}/${of}`

/** The run that a name belongs to. null: it is no lease of the lab, whose prefix is free to others. */
export const runOfLease = (name: string): string | null =>
  /^lab\/([a-z0-9]{8})\/(leader|bakery)$/.exec(name)?.[1] ?? null
