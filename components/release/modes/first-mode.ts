import type { ReleaseMode, ReleasePlan } from '../../../lib/contract/releases/release.ts'

/** Never kill: two holders at once are for a person to decide. */
const preferred = ['ask', 'break'] as const satisfies readonly ReleaseMode[]

/**
 * The mode that is chosen before the person chooses: the one that was wanted, then the mildest that is allowed. null: none is,
 * and a person who may kill has to choose that.
 */
export const firstMode = (modes: ReleasePlan['modes'], wanted: ReleaseMode | null): ReleaseMode | null =>
  (wanted !== null && modes[wanted].allowed ? wanted : null) ??
  preferred.find((mode) => modes[mode].allowed) ??
  null
