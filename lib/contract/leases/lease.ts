import { z } from 'zod'
import { instantSchema, leaseNameSchema, microsSchema, tableIdSchema } from '../text.ts'

/** The state of a lease, from one read; `flapping` from many. `lease-state.ts` says what each one means. */
export const leaseStateSchema = z.enum([
  'held',
  'risk',
  'quarantined',
  'zombie',
  'partial',
  'eternal',
  'flapping',
])

/** How a row was read: SERIAL is confirmed, QUORUM is scanned. */
const readSchema = z.object({ level: z.enum(['SERIAL', 'QUORUM']), at: instantSchema })

export const leaseSchema = z.object({
  /** The id of the configured table, `leases` unless mapped otherwise. */
  table: z.string(),
  name: z.string(),
  /** null: the owner expired and something else of the row is still there (a zombie), or the table has no owner column. */
  owner: z.string().nullable(),
  value: z.string().nullable(),
  state: leaseStateSchema,
  /** writetime(owner) as read, in microseconds: grows with every renewal. null without an owner. */
  version: microsSchema.nullable(),
  writtenAt: instantSchema.nullable(),
  /** The whole second at which Cassandra stops showing the owner. null: never. */
  expiresAt: instantSchema.nullable(),
  /** The time left until `expiresAt` when this answer was written (`now`), by the coordinator's clock. */
  remainingMs: z.number().int().nullable(),
  /** As `remainingMs`, for the value column; differs from it only in a `partial` lease and in a zombie. */
  valueRemainingMs: z.number().int().nullable(),
  /** The TTL that the owner was last written with. null: none. */
  ttlSeconds: z.number().int().nullable(),
  read: readSchema,
})

/** The statement that read one lease, and Cassandra's answer, letter for letter. */
const evidenceSchema = z.object({
  cql: z.string(),
  consistency: z.string(),
  coordinator: z.string(),
  tookMs: z.number(),
  cells: z.array(z.object({ column: z.string(), value: z.string().nullable() })),
})

export const leaseDetailSchema = leaseSchema.extend({
  /** The server's time when this answer was written. */
  now: instantSchema,
  readOnly: z.boolean(),
  evidence: evidenceSchema,
})

export const leaseListSchema = z.object({
  leases: z.array(leaseSchema),
  nextCursor: z.string().nullable(),
  now: instantSchema,
  /** The last quorum scan of the table: a lease that another instance or program acquired since may be missing. */
  scan: z.object({ rows: z.number().int(), tookMs: z.number(), endedAt: instantSchema.nullable() }),
})

export const tableQuerySchema = z.strictObject({ table: tableIdSchema.optional() })
export const nameParamsSchema = z.object({ name: leaseNameSchema })

export type LeaseStateName = z.infer<typeof leaseStateSchema>
export type Lease = z.infer<typeof leaseSchema>
export type LeaseDetail = z.infer<typeof leaseDetailSchema>
export type LeaseList = z.infer<typeof leaseListSchema>
export type Evidence = z.infer<typeof evidenceSchema>
