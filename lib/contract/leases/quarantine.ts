import { reservedOwnerMark } from '../text-size.ts'

/** The owner of a broken lease during its quarantine begins with this; the id of the release follows. */
const markPrefix = `${reservedOwnerMark}quarantine:`

/** The owner of a lease that this release broke, during its quarantine. */
export const quarantineOwner = (releaseId: string): string => `${markPrefix}${releaseId}`

/** What the value of a quarantined lease says, where its table has a value column. */
interface QuarantineNote {
  /** The owner whose lease was broken. */
  was: string
  /** The username of the person who broke it. Where a second person approved that: of the one who asked for it. */
  by: string
  /** ISO 8601, UTC, milliseconds. */
  at: string
}

interface Quarantine {
  /** The release that broke the lease; its permalink is `/releases/{id}`. */
  releaseId: string
  /** null: the value does not say it (a table without a value column, or a mark that another program wrote). */
  note: QuarantineNote | null
}

/** The value of a lease that `by` breaks: who held it, who broke it, when. For people to read; no decision depends on it. */
export const quarantineValue = (note: { was: string; by: string; at: Date }): string =>
  JSON.stringify({ quarantine: { was: note.was, by: note.by, at: note.at.toISOString() } })

/**
 * What a row's owner and value say of its quarantine.
 * @returns null: it is not quarantined
 * @example
 * quarantineOf('!quarantine:r1', null) // { releaseId: 'r1', note: null }
 */
export function quarantineOf(owner: string | null, value: string | null): Quarantine | null {
  if (!owner?.startsWith(markPrefix)) return null
  return { releaseId: owner.slice(markPrefix.length), note: noteIn(value) }
}

function noteIn(value: string | null): Quarantine['note'] {
  try {
    return noteOf(JSON.parse(value ?? 'null')?.quarantine)
  } catch {
    return null
  }
}

/** Checked by hand: a list shows notes before it has loaded the schemas. */
function noteOf(said: unknown): QuarantineNote | null {
  const { was, by, at } = (said ?? {}) as Record<string, unknown>
  if (typeof was !== 'string' || typeof by !== 'string' || typeof at !== 'string') return null
  return instant.test(at) && !Number.isNaN(Date.parse(at)) ? { was, by, at } : null
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
