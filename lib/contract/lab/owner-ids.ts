/** Owner ids of a run. Beside the schemas, and not with them: the lanes of the page need none. */
import type { Entry } from './journal.ts'

/** Owner ids begin with the name of their candidate. */
export const isOwner = (text: string): boolean => /^(c[1-8]|plain):/.test(text)

/** The owner id that the statement speaks of. null: none of this run’s. */
export const ownerOf = ({ params }: Entry<'sent'>): string | null => params.find(isOwner) ?? null
