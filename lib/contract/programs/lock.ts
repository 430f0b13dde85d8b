import { z } from 'zod'
import { instantSchema, microsSchema, ownerSchema, tableIdSchema, valueSchema } from '../text.ts'
import { ownerMaxBytes } from '../text-size.ts'

/** A year, as the library's. A record of `locks.once` lives for a day and more. */
const lockMaxTtlSeconds = 31_536_000

export const lockRequestSchema = z
  .strictObject({
    owner: ownerSchema
      .optional()
      .describe(
        `Who acquires: 1 to ${ownerMaxBytes} bytes of UTF-8. Leave it out to acquire: the console makes a fresh one, which is safe. Name it to renew.`,
      ),
    ttlSeconds: z
      .number({ error: `ttlSeconds is not a number; 2 to ${lockMaxTtlSeconds} are allowed.` })
      .int('ttlSeconds is not a whole number.')
      .min(2, `ttlSeconds is below 2; 2 to ${lockMaxTtlSeconds} are allowed.`)
      .max(
        lockMaxTtlSeconds,
        `ttlSeconds is above ${lockMaxTtlSeconds}; 2 to ${lockMaxTtlSeconds} are allowed.`,
      )
      .optional()
      .describe(
        'The lease lasts this long from the write on, unless renewed. The table’s default when left out.',
      ),
    value: valueSchema.optional(),
    renewOnly: z
      .boolean()
      .optional()
      .describe('Renew, and never acquire: 412 when another tenure came in between. Needs `owner`.'),
    acquireOnly: z
      .boolean()
      .optional()
      .describe(
        'Acquire, and never renew: 409 also where `owner` itself holds the lock, which stays as it is.',
      ),
  })
  .refine((lock) => lock.renewOnly !== true || lock.acquireOnly !== true, {
    message: 'renewOnly and acquireOnly exclude each other; leave one of them out.',
  })
  .refine((lock) => lock.renewOnly !== true || lock.owner !== undefined, {
    message: 'renewOnly needs the owner that is to be renewed.',
  })
  .prefault({})

/** A lock as its holder sees it, who acquired it just now. */
export const lockSchema = z.object({
  name: z.string(),
  owner: z.string().nullable().describe('null, as is the version, in a table without an owner column.'),
  token: microsSchema
    .optional()
    .describe('The fencing token of this tenure. Left out in a table without an owner column.'),
  version: microsSchema.nullable(),
  ttlSeconds: z.number().int().min(1),
  expiresAt: instantSchema,
})

/** The same after a renewal, whose answer has no token: the tenure has the one of its acquisition. */
export const renewedLockSchema = lockSchema.omit({ token: true })

/** A lock as every sender sees it. `expiresAt` and `ttlSeconds` are null when nothing ever frees it, and where the
 * table has no owner column: its expiry cannot be read then, nor its owner. Of a holder that ended before it could be read, only the
 * owner is known: `remainingMs` is 0, and `ttlSeconds` null. */
export const lockHolderSchema = z.object({
  name: z.string(),
  owner: z.string().nullable(),
  value: z.string().nullable(),
  version: microsSchema.nullable(),
  ttlSeconds: z.number().int().nullable(),
  expiresAt: instantSchema.nullable(),
  remainingMs: z.number().int().nullable(),
})

/** The header of a 204 that says `false` where an answer of Cassandra was lost: the lock is gone, perhaps by time alone. */
export const releaseCertain = 'Release-Certain'

export const unlockQuerySchema = z.strictObject({
  /** Whose lock it is; needed unless the table has no owner column. */
  owner: ownerSchema.optional(),
  table: tableIdSchema.optional(),
})

export type LockRequest = z.infer<typeof lockRequestSchema>
export type LockHolder = z.infer<typeof lockHolderSchema>
