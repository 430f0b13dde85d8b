import { z } from 'zod'
import { instantSchema, leaseNameSchema, queryNumberSchema, tableIdSchema } from '../text.ts'
import { leaseSchema, leaseStateSchema } from './lease.ts'
import { leaseSorts } from './list-order.ts'

/** Some for a list that has one twice. A longer list is refused before its elements are looked at. */
const statesMax = 16

const statesSchema = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(leaseStateSchema).min(1).max(statesMax, `There are more than ${statesMax} states.`))
  .meta({ type: 'string', description: 'States, separated by commas: `risk,zombie`.' })

/** Which leases of one table, in which order. The list and the watch take the same. */
const leaseViewShape = {
  table: tableIdSchema.optional(),
  name: leaseNameSchema
    .optional()
    .describe(
      'Only the lease of exactly this name, the console’s own and the canary’s included. The counts are then of this name alone.',
    ),
  prefix: z
    .string()
    .max(512)
    .optional()
    .describe(
      'Only names that begin with it. The console’s own leases (`leasehold/…`) are listed only where `q` or `prefix` has the word `leasehold`; those of its canary (`leasehold/canary/…`) only where `prefix` begins with `leasehold/canary/`.',
    ),
  q: z
    .string()
    .max(512)
    .optional()
    .describe('Only leases with this text in name, owner or value, in capitals or not.'),
  owner: z.string().max(512).optional().describe('Only leases of exactly this owner.'),
  state: statesSchema.optional(),
  sort: z.enum(leaseSorts).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
}

/** A window of at most `limit` rows from the row number `offset` on. */
export const watchQuerySchema = z.strictObject({
  ...leaseViewShape,
  offset: queryNumberSchema('The offset', 0, 1_000_000).default(0),
  limit: queryNumberSchema('The limit', 1, 200).default(50),
})

/** One page of `GET /v1/leases`. */
export const leaseListQuerySchema = z.strictObject({
  ...leaseViewShape,
  limit: queryNumberSchema('The limit', 1, 200).default(50),
  /** Twice 600 characters of names and owners, escaped: `lease-order.ts`. */
  cursor: z
    .string()
    .max(12_000)
    .optional()
    .describe(
      '`nextCursor` of the page before. Only in the order `name` does each lease keep its place: in the others, one that changes between two pages may come twice, or not at all.',
    ),
})

/** A lease as the watch knows it: the last read, confirmed or scanned, and what earlier ones showed. */
const watchedLeaseSchema = leaseSchema.extend({
  /** Since when this owner holds the lease. null: the tenure began before the watch did. */
  heldSince: instantSchema.nullable(),
  /** A renewal of this tenure was seen. */
  renewed: z.boolean(),
  /** How often the lease changed hands in the last five minutes, as far as this instance saw. An older instance does not say. */
  handOvers: z.number().int().optional(),
})

/** How old the rows may be. null: no scan has ended yet. */
const scanFactsSchema = z.object({
  endedAt: instantSchema.nullable(),
  /** Rows of the table that the reader may see. */
  rows: z.number().int(),
  tookMs: z.number(),
  /** From the end of one scan to the start of the next. */
  pauseMs: z.number(),
})

/** With `name`: when a SERIAL read found no row of it, last. null: the row is there, or no such read has ended lately. */
const freeSchema = instantSchema.nullable().optional()

/** While Cassandra does not answer, the states are those of the last reads. */
const countsSchema = z.object({
  /** Rows of the table that the reader may see. */
  total: z.number().int(),
  /** Rows that the filter lets through. */
  matching: z.number().int(),
  /** By state, of the rows that all filters but `state` let through. */
  byState: z.partialRecord(leaseStateSchema, z.number().int()),
})

/** Whether Cassandra answers reads of this table. While it does not, no row is newer than `asOf`. */
const storeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('good') }),
  z.object({
    kind: z.literal('lost'),
    since: instantSchema,
    asOf: instantSchema.nullable(),
    /** Cassandra answers, and refuses: a permission, the table or a column is missing. An older instance does not say. */
    refused: z.boolean().optional(),
  }),
])

/**
 * The events of `GET /v1/watch`, by their names. `id` of an event resumes after it, with `Last-Event-ID`: the first event is
 * then `changes` if the server still knows what came since, else `snapshot`.
 */
export const watchEvents = {
  /** The window as it is, whole. */
  snapshot: z.object({
    counts: countsSchema,
    offset: z.number().int(),
    rows: z.array(watchedLeaseSchema),
    free: freeSchema,
    scan: scanFactsSchema,
    store: storeSchema,
    now: instantSchema,
  }),
  /** What differs from the event before; several changes within 100 ms are one event. */
  changes: z.object({
    counts: countsSchema.optional(),
    /** The names in the window, in their order, when that changed. */
    names: z.array(z.string()).optional(),
    /** Rows that are new in the window or differ. */
    rows: z.array(watchedLeaseSchema),
    /** Leases of the window that a SERIAL read found free. They are in the window no more. */
    gone: z.array(z.object({ name: z.string(), at: instantSchema })),
    /** Left out: as the event before said. */
    free: freeSchema,
    now: instantSchema,
  }),
  /** Every two seconds: the stream lives, and what time it is on the server. */
  heartbeat: z.object({
    scan: scanFactsSchema,
    store: storeSchema,
    /** Senders with a stream that is open: a page may have two streams. */
    viewers: z.number().int(),
    now: instantSchema,
  }),
  /** The last event: `session`: the sender may not watch any longer; `closing`: the server ends, connect again. */
  end: z.object({ reason: z.enum(['session', 'closing']) }),
} as const

export type WatchQuery = z.infer<typeof watchQuerySchema>
export type WatchedLease = z.infer<typeof watchedLeaseSchema>
export type ScanFacts = z.infer<typeof scanFactsSchema>
export type WatchCounts = z.infer<typeof countsSchema>
export type WatchEventName = keyof typeof watchEvents
export type WatchEvent<N extends WatchEventName> = z.infer<(typeof watchEvents)[N]>
