import { z } from 'zod'
import { instantSchema, microsSchema, ownerSchema, valueSchema } from './text.ts'

export const lockRequestSchema = z
  .strictObject({
    /** Who acquires. A fresh, unique owner is made when it is left out, which is what is safe: see docs/decisions. */
    owner: ownerSchema.optional(),
    ttlSeconds: z
      .number({ error: 'ttlSeconds is not a number; 2 to 86400 are allowed.' })
      .int('ttlSeconds is not a whole number.')
      .min(2, 'ttlSeconds is below 2; 2 to 86400 are allowed.')
      .max(86_400, 'ttlSeconds is above 86400; 2 to 86400 are allowed.')
      .optional(),
    value: valueSchema.optional(),
    /** Only renew, and never acquire: for a caller who has to know that no other holder came in between. Needs `owner`. */
    renewOnly: z.boolean().optional(),
  })
  .refine((lock) => lock.renewOnly !== true || lock.owner !== undefined, {
    message: 'renewOnly needs the owner that is to be renewed.',
  })
  .prefault({})

/** A lock as its holder sees it. */
export const lockSchema = z.object({
  name: z.string(),
  /** null, as is the version: the table has no owner column, and does not say whose a lock is. */
  owner: z.string().nullable(),
  /** The fencing token of this tenure, in the answer to the acquisition alone: a renewal cannot tell it. */
  token: microsSchema.optional(),
  version: microsSchema.nullable(),
  ttlSeconds: z.number().int(),
  expiresAt: instantSchema,
})

/** A lock as anybody sees it. `expiresAt` and `ttlSeconds` are null when nothing ever frees it, and where the
 * table has no owner column: its expiry cannot be read then, nor its owner. */
export const lockHolderSchema = z.object({
  name: z.string(),
  owner: z.string().nullable(),
  value: z.string().nullable(),
  version: microsSchema.nullable(),
  ttlSeconds: z.number().int().nullable(),
  expiresAt: instantSchema.nullable(),
  remainingMs: z.number().int().nullable(),
})

export const unlockQuerySchema = z.strictObject({
  /** Whose lock it is; needed unless the table has no owner column. */
  owner: ownerSchema.optional(),
  table: z.string().optional(),
})

export type LockRequest = z.infer<typeof lockRequestSchema>
export type Lock = z.infer<typeof lockSchema>
export type LockHolder = z.infer<typeof lockHolderSchema>
