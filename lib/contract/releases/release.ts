import { z } from 'zod'
import { leaseSchema } from '../leases/lease.ts'
import { instantSchema, proseSchema } from '../text.ts'
import { reasonMaxLength } from './reason-length.ts'

/** Seconds for which a plan is good: long enough to read it and type a name, short enough to still mean it. */
export const planLifetimeSeconds = 60

/** Seconds for which a release waits for a second person. */
export const approvalLifetimeSeconds = 15 * 60

/** The id of a plan, and of the release that it becomes. */
const releaseIdPattern = /^[\w-]{8,64}$/

export const releaseModeSchema = z.enum(['ask', 'break', 'kill'])

/** What a mode would do, and whether this person may do it now. */
const modeOfferSchema = z.object({
  /** This person may do it, after an elevation where it needs one. */
  allowed: z.boolean(),
  /** Why not, when not allowed: a sentence to show. */
  reason: z.string().optional(),
  /** An elevation is needed, and this person is not elevated now. */
  needsElevation: z.boolean(),
  /** The longest time for which two processes may both act as the holder. null: for ever (the lease has no expiry). */
  overlapMs: z.number().int().nullable(),
  /** The usual one: until the holder's next renewal is refused, if it renews at a third of its window. null: not known. */
  usualOverlapMs: z.number().int().nullable(),
  /** `break`: for how long it cannot be acquired, from the moment of the act. null: other modes. */
  quarantineMs: z.number().int().nullable(),
  /** `ask`: when the holder's next renewal is due, at which it reads the request, as far as is known. null: not known. */
  answerDueMs: z.number().int().nullable(),
})

export const planBodySchema = z.strictObject({}).prefault({})

export const releasePlanSchema = z.object({
  /** The plan's id, to be handed back as it is. */
  plan: z.string(),
  /** Its permalink is `/releases/{id}`. */
  id: z.string(),
  lease: leaseSchema,
  modes: z.record(releaseModeSchema, modeOfferSchema),
  /** Names with this prefix are released by two people: another operator has to approve. */
  secondPerson: z.boolean(),
  expiresAt: instantSchema,
  now: instantSchema,
})

export const releaseBodySchema = z.strictObject({
  plan: z
    .string({ error: 'The plan is missing. Get one from …/release-plan.' })
    .regex(releaseIdPattern, 'That is no plan: hand back the `plan` of …/release-plan as it is.'),
  mode: releaseModeSchema,
  reason: proseSchema('reason', reasonMaxLength, 'The reason is empty: say why, for those who will ask.'),
  /** The name, typed: the confirmation of break and kill. */
  confirmName: z.string().optional(),
})

/**
 * - `planned`: the plan was not used yet.
 * - `awaiting-approval`: another operator has to approve it.
 * - `rejected`, `lapsed`: a second person rejected it, or did not approve in time. Nothing was sent.
 * - `pending`: sent, and whether it took effect is not certain yet; being found out.
 * - `asked`: the request to resign is written. What the holder does about it shows in the lease.
 * - `broken`: the holder is replaced by the mark of a quarantine, until `safeAt`.
 * - `released`: the delete was applied; it ended the planned holder's lease.
 * - `holder-changed`: refused; another owner held it, or it was free. Nothing was released.
 * - `not-released`: final; the act did not release the planned holder, who still holds it.
 * - `superseded`: whether the act took effect was not certain (the answer was lost, or it was *applied* to a row that is dated ahead and the
 *   read after it failed), and the planned holder does not hold it any more. Whether this act, the holder's own release or the
 *   expiry ended it cannot be known.
 * - `unknown`: the same, and the planned holder was still there (`current`), or no read since was answered (`currentReadAt` is null). The
 *   act may yet take effect, on this holder alone.
 * - `not-sent`: Cassandra did not answer, or the server stopped, before anything was sent. Nothing was released.
 */
export const releaseOutcomeSchema = z.enum([
  'planned',
  'awaiting-approval',
  'rejected',
  'lapsed',
  'pending',
  'asked',
  'broken',
  'released',
  'holder-changed',
  'not-released',
  'superseded',
  'unknown',
  'not-sent',
])

const releaseStepSchema = z.object({ what: z.string(), at: instantSchema, ok: z.boolean() })

export const releaseSchema = z.object({
  id: z.string(),
  outcome: releaseOutcomeSchema,
  /** The lease as planned. */
  planned: leaseSchema,
  plannedBy: z.string(),
  plannedAt: instantSchema,
  /** Until when the person who made the plan can act on it. */
  planExpiresAt: instantSchema,
  /** null: only planned. */
  mode: releaseModeSchema.nullable(),
  reason: z.string().nullable(),
  requestedAt: instantSchema.nullable(),
  /** null: one person is enough. `by`: who approved or rejected it. */
  approval: z
    .object({
      by: z.string().nullable(),
      at: instantSchema.nullable(),
      /** Why it was rejected. */
      reason: z.string().nullable(),
      /** Until when it waits. */
      until: instantSchema,
    })
    .nullable(),
  /** The holder had renewed between plan and act: the version at the act was a newer one of the same owner. */
  renewedSincePlan: z.boolean(),
  /** Who holds it now, by a SERIAL read after the act; null when it is free, or could not be read. */
  current: leaseSchema.nullable(),
  /** When `current` was read; null: not yet. */
  currentReadAt: instantSchema.nullable(),
  /** `broken`: when an owner can acquire it again. */
  safeAt: instantSchema.nullable(),
  /**
   * `kill`: the longest time, from the act, for which the old holder may go on: the longer one of the TTLs that the plan and the
   * act read. null: other modes, nothing was deleted, or no end.
   */
  overlapMs: z.number().int().nullable(),
  steps: z.array(releaseStepSchema),
  /** While pending: when the answer will be final at the latest. */
  finalBy: instantSchema.nullable(),
  now: instantSchema,
})

export const releaseListSchema = z.object({
  /** Newest first, 100 at most. */
  releases: z.array(releaseSchema),
  /** Older ones may wait as well. They are in the lists of their leases, `/v1/leases/{name}/releases`. */
  more: z.boolean(),
  now: instantSchema,
})
export const releaseParamsSchema = z.object({
  id: z.string().regex(releaseIdPattern, 'That is no release id.'),
})
export const rejectionBodySchema = z.strictObject({
  reason: proseSchema('reason', reasonMaxLength, 'The reason is empty: tell the person who asked why.'),
})

export type ReleaseMode = z.infer<typeof releaseModeSchema>
export type ModeOffer = z.infer<typeof modeOfferSchema>
export type ReleasePlan = z.infer<typeof releasePlanSchema>
export type ReleaseOutcome = z.infer<typeof releaseOutcomeSchema>
export type Release = z.infer<typeof releaseSchema>
export type ReleaseStep = z.infer<typeof releaseStepSchema>
