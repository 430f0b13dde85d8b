import { z } from 'zod'
import { instantSchema } from '../text.ts'
import { releaseModeSchema, releaseOutcomeSchema } from './release.ts'

/**
 * A forced release in short, as the page of its lease shows it to everyone. The whole release is at
 * `/v1/releases/{id}`.
 */
const leaseReleaseSchema = z.object({
  id: z.string(),
  mode: releaseModeSchema,
  outcome: releaseOutcomeSchema,
  /** The holder that it was planned for. */
  owner: z.string().nullable(),
  by: z.string(),
  /** The second person. null: none was needed, or none has answered. */
  approvedBy: z.string().nullable(),
  reason: z.string().nullable(),
  requestedAt: instantSchema,
  /**
   * When it took effect, by Cassandra's answer: later than `requestedAt`, where a second person approved it by minutes. null: it did not
   * yet or never will, or the answer was lost, so that the time is not known.
   */
  doneAt: instantSchema.nullable(),
  /**
   * The time at which the old holder has certainly stopped, if the act took effect. `break`: the end of the quarantine.
   * `kill`: its whole TTL, and the time for which a write may contend, after the delete; while that may yet take effect
   * (`pending`, `unknown`), after the latest time at which it does. null: not known, never (the lease had no expiry), or nothing to wait for.
   */
  safeAt: instantSchema.nullable(),
})

export const leaseReleasesSchema = z.object({
  /** Newest first. */
  releases: z.array(leaseReleaseSchema),
  now: instantSchema,
})

export type LeaseRelease = z.infer<typeof leaseReleaseSchema>
