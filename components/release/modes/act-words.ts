import type { ReleaseMode } from '../../../lib/contract/releases/release.ts'

/** What is sent to Cassandra in each mode: "the delete was sent", "the break was sent". */
const deeds: Record<ReleaseMode, string> = { ask: 'request', break: 'break', kill: 'delete' }

/** null: not chosen yet. */
export const deedOf = (mode: ReleaseMode | null): string => (mode === null ? 'act' : deeds[mode])
