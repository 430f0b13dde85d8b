import type { Problem } from '../../lib/contract/problem.ts'
import type { Release, ReleasePlan } from '../../lib/contract/releases/release.ts'

/** Where a forced release stands. Results are steps of the same dialog, never a toast. */
export type ReleaseStage =
  | { at: 'plan' }
  /** `again`: the plan had been carried out before. */
  | { at: 'result'; release: Release; again: boolean }
  /** Refused: another owner holds the lease, or it is free. */
  | { at: 'changed'; problem: Problem }
  /** The request was sent and its answer never came: the server is asked for the outcome. */
  | { at: 'unheard'; plan: ReleasePlan }
