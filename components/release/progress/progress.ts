import type { AfterRelease } from './after-release.ts'
import type { AskStage } from './ask-stage.ts'
import type { BreakStage } from './break-stage.ts'

interface Watched {
  /** Reads fail: the lease is as the last read showed it. */
  isStale: boolean
}

/** Where a lease stands after a release, as it is watched on. */
export type Progress =
  /**
   * `dueMs`: when an answer is expected, in epoch milliseconds; null: not known. `renewedAt`: the holder's last write since
   * the request was surely written; null: none was seen.
   */
  | ({ of: 'asked'; stage: AskStage; dueMs: number | null; renewedAt: string | null } & Watched)
  | ({ of: 'broken'; stage: BreakStage; safeAtMs: number | null } & Watched)
  | ({ of: 'released' } & AfterRelease & Watched)
  /** Nothing follows from it in the lease. */
  | { of: 'none' }
