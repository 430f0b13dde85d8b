import { z } from 'zod'
import { fencingTokenSchema, instantSchema, leaseNameSchema, microsSchema, ownerSchema } from '../text.ts'
import { waitSchema } from '../wait.ts'
import { lockRequestSchema } from './lock.ts'

export const groupParamsSchema = z.object({ group: leaseNameSchema })

/** A count that grows from leader to leader of a group, as a decimal string. */
const termSchema = z.string().regex(/^\d+$/)

/**
 * An election as every sender sees it. `term`, `token` and `since` are null for a leader that did not campaign through
 * Leasehold, and until a new leader has written them.
 */
export const electionSchema = z.object({
  group: z.string(),
  /** The owner id of the leader. null: the group has no leader. */
  leader: z.string().nullable(),
  value: z.string().nullable(),
  term: termSchema.nullable(),
  /** The fencing token of the leader's tenure. */
  token: microsSchema.nullable(),
  /** When the term began, by the leader's clock: for showing. */
  since: instantSchema.nullable(),
  expiresAt: instantSchema.nullable(),
  remainingMs: z.number().int().nullable(),
  /** The server's time when this answer was written. */
  now: instantSchema,
})

export const campaignQuerySchema = z.strictObject({ wait: waitSchema.optional() })
export const campaignBodySchema = lockRequestSchema
  .unwrap()
  .safeExtend({
    /** Of a leader that acquired the group as a lock: the fencing token that it got, so that its term can begin. */
    token: fencingTokenSchema.optional(),
  })
  .prefault({})
export const resignQuerySchema = z.strictObject({
  owner: ownerSchema,
})

/** A leadership as its holder sees it: keep it with the same call and the same owner, well before the TTL is
 * over: see docs/guarantees.md. */
export const leadershipSchema = z.object({
  group: z.string(),
  owner: z.string(),
  /** The fencing token of this tenure. */
  token: microsSchema,
  term: termSchema,
  since: instantSchema,
  version: microsSchema,
  ttlSeconds: z.number().int().min(1),
  expiresAt: instantSchema,
})

export type Election = z.infer<typeof electionSchema>
export type Leadership = z.infer<typeof leadershipSchema>
