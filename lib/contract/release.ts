import { z } from 'zod'
import { leaseSchema } from './lease.ts'
import { instantSchema } from './text.ts'

/** Seconds for which a plan is good: long enough to read it and type a name, short enough to still mean it. */
export const planLifetimeSeconds = 60

export const releaseModeSchema = z.enum(['kill'])

/** What a mode would do, and whether this person may do it now. */
export const modeOfferSchema = z.object({
  allowed: z.boolean(),
  /** Why not, when not allowed: a sentence to show. */
  reason: z.string().optional(),
  /** The longest time for which two processes may both act as the holder. null: for ever (the lease has no expiry). */
  overlapMs: z.number().int().nullable(),
  /** The usual one: until the holder's next renewal is refused, if it renews at a third of its window. null: not known. */
  usualOverlapMs: z.number().int().nullable(),
})

export const planBodySchema = z.strictObject({}).prefault({})

export const releasePlanSchema = z.object({
  /** The signed plan: opaque, to be handed back as it is. */
  plan: z.string(),
  id: z.string(),
  lease: leaseSchema,
  modes: z.record(releaseModeSchema, modeOfferSchema),
  expiresAt: instantSchema,
  now: instantSchema,
})

export const releaseBodySchema = z.strictObject({
  plan: z
    .string({ error: 'The plan is missing: ask for one at …/release-plan.' })
    .min(1)
    .max(256 * 1024),
  mode: releaseModeSchema,
  reason: z
    .string({ error: 'The reason is missing.' })
    .trim()
    .min(1, 'The reason is empty: say why, for those who will ask.')
    .max(500, 'The reason is longer than 500 characters.'),
  confirmName: z.string({ error: 'confirmName is missing: the name, typed, is the confirmation.' }),
})

/**
 * - `released`: the delete was applied; the planned holder lost the lease by it.
 * - `superseded`: the answer was lost, and the planned holder does not hold it any more. Whether by this delete, by
 *   itself or by expiry, nobody can tell.
 * - `not-released`: Cassandra's answer is final, and the delete did not take effect: the planned holder still holds it.
 * - `pending`: sent and not answered; being found out.
 * - `unknown`: never answered, and the holder is still there. The delete may yet take effect, on this holder alone.
 */
export const releaseOutcomeSchema = z.enum(['released', 'superseded', 'not-released', 'pending', 'unknown'])

export const releaseStepSchema = z.object({ what: z.string(), at: instantSchema, ok: z.boolean() })

export const releaseSchema = z.object({
  id: z.string(),
  outcome: releaseOutcomeSchema,
  mode: releaseModeSchema,
  /** The lease as planned. */
  planned: leaseSchema,
  /** The holder had renewed between plan and act: the version at the act was a newer one of the same owner. */
  renewedSincePlan: z.boolean(),
  /** Who holds it now, by a SERIAL read after the act; null when nobody does, or when it could not be read. */
  current: leaseSchema.nullable(),
  /** When `current` was read; null: not yet. */
  currentReadAt: instantSchema.nullable(),
  steps: z.array(releaseStepSchema),
  /** While pending: when the answer will be final at the latest. */
  finalBy: instantSchema.nullable(),
  now: instantSchema,
})

export const releaseParamsSchema = z.object({ id: z.string().min(1).max(64) })

export type ReleaseMode = z.infer<typeof releaseModeSchema>
export type ModeOffer = z.infer<typeof modeOfferSchema>
export type ReleasePlan = z.infer<typeof releasePlanSchema>
export type ReleaseBody = z.infer<typeof releaseBodySchema>
export type ReleaseOutcome = z.infer<typeof releaseOutcomeSchema>
export type Release = z.infer<typeof releaseSchema>
export type ReleaseStep = z.infer<typeof releaseStepSchema>
