import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'

/** The state of a broken lease. Never "free" before a SERIAL read has said so. */
export type BreakStage =
  | { at: 'quarantined' }
  /** Its time is up, and no read has confirmed it yet. */
  | { at: 'verifying' }
  /** `acquired`: the next holder has been seen, and is gone again. */
  | { at: 'free'; acquired: Lease | null }
  | { at: 'taken'; lease: Lease }

interface BreakFacts {
  /** The mark of this break. */
  mark: string
  safeAt: string | null
  /** `safeAt` is past. */
  past: boolean
  /** When the mark was written, at the latest: older reads do not count. */
  brokenAt: string
  reading: LeaseReading | undefined
  /** The next holder, as it was first seen; null: none was. */
  acquired: Lease | null
}

export function breakStage({ mark, safeAt, past, brokenAt, reading, acquired }: BreakFacts): BreakStage {
  const waiting: BreakStage = past ? { at: 'verifying' } : { at: 'quarantined' }
  if (reading === undefined) return waiting
  if (reading.held) {
    const { lease } = reading.sighting
    return lease.owner === mark || lease.read.at < brokenAt ? waiting : { at: 'taken', lease }
  }
  // No holder: the mark expired, or was deleted by hand. A read from before the break does not show that.
  const since = past && safeAt !== null ? safeAt : brokenAt
  return reading.now !== undefined && reading.now >= since ? { at: 'free', acquired } : waiting
}
