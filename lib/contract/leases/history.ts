import { z } from 'zod'
import { releaseModeSchema } from '../releases/release.ts'
import { instantSchema, microsSchema, queryNumberSchema, tableIdSchema } from '../text.ts'
import { leaseEventKinds } from './event-kinds.ts'

/**
 * Who says so. `library`: the holder's own process, with `recordEvents`. `console`: the instance that carried out a forced
 * release. `observed`: the recorder, which reads the table from time to time: what came and went between two reads is
 * missing. Where several tell of one transition, it is shown once, by the first of these.
 */
const leaseEventSources = ['library', 'console', 'observed'] as const

/** A forced release, in short. The whole is at `/v1/releases/{id}`. */
const eventReleaseSchema = z.object({
  id: z.string(),
  mode: releaseModeSchema,
  by: z.string().nullable(),
  reason: z.string().nullable(),
})

const leaseEventSchema = z.object({
  /** Unique within the lease; stays the same however often it is asked for. */
  id: z.string(),
  kind: z.enum(leaseEventKinds),
  /**
   * When it happened. With `notBefore` and `notAfter`: some time in between, and this is the likeliest instant (the
   * version's, the expiry's), or the end of the interval.
   */
  at: instantSchema,
  /** null, both or neither: `at` is exact, by the clock of the source. */
  notBefore: instantSchema.nullable(),
  notAfter: instantSchema.nullable(),
  /** Whose tenure it is about: the one that begins, ends or is asked. null: the table has no owner column. */
  owner: z.string().nullable(),
  /** Of a beginning: the holder before, if it is known. */
  previousOwner: z.string().nullable(),
  /** The fencing token of the tenure. null: not known, as of each tenure that was only observed. */
  token: microsSchema.nullable(),
  /** writetime(owner) as last read at the event. A beginning: that of the acquisition, or of a renewal soon after it. */
  version: microsSchema.nullable(),
  ttlSeconds: z.number().int().nullable(),
  source: z.enum(leaseEventSources),
  /** The library's reason for `lost`: `deadline`, `not-holder`, `superseded`. */
  reason: z.string().nullable(),
  /** Of `asked`, `broken` and `killed`. null: another kind, or a reader that may not know: a program's token. */
  release: eventReleaseSchema.nullable(),
})

/** The renewals of one tenure within one minute, or one hour. */
const renewalsSchema = z.object({
  /** When the minute (the hour) begins. */
  at: instantSchema,
  owner: z.string().nullable(),
  source: z.enum(['library', 'observed']),
  /** `observed`: at least so many; of several between two reads only the last is seen. */
  count: z.number().int().min(1),
  /**
   * Each renewal, oldest first, and what was left until the holder's deadline at it, in milliseconds. null: only the number is
   * known (`observed`, more than 120 in a minute, or hours were asked for).
   */
  exact: z.array(z.object({ at: instantSchema, marginMs: z.number().int() })).nullable(),
  /** The least that was left until the deadline at a renewal, in milliseconds. null: not known. */
  leastMarginMs: z.number().int().nullable(),
})

/**
 * A time in which a part of the history was not recorded. Nothing in it shows that nothing happened. `no-recorder`: no
 * instance was elected, or it died. `store`: the recorder could not read or write Cassandra. `dropped`: more happened than
 * the recorder may write.
 */
const notObservedSchema = z.object({
  from: instantSchema,
  to: instantSchema,
  why: z.enum(['no-recorder', 'store', 'dropped']),
  /** `renewals`: transitions were recorded. */
  what: z.enum(['everything', 'renewals']),
})

export const leaseHistoryQuerySchema = z
  .strictObject({
    table: tableIdSchema.optional(),
    /** Left out: as long ago as events are kept. */
    from: instantSchema.optional(),
    /** Exclusive. Left out: now. */
    to: instantSchema.optional(),
    renewals: z
      .enum(['minute', 'hour', 'none'])
      .default('minute')
      .describe(
        '`hour`: one entry an hour and tenure, on the page that has the hour’s beginning, for views of days. `none`: transitions alone.',
      ),
    limit: queryNumberSchema('The limit', 1, 1000)
      .default(200)
      .describe(
        'A page ends with the hour in which it has so many transitions and entries of renewals, and has no more transitions than this.',
      ),
    cursor: z.string().max(512).optional().describe('`nextCursor` of the page before, with the same query.'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    message: 'from is not before to.',
    path: ['from'],
  })

export const leaseHistorySchema = z.object({
  table: z.string(),
  name: z.string(),
  /** The part of the time asked for that this page tells of. The pages of a query follow each other without a gap. */
  from: instantSchema,
  to: instantSchema,
  /** Newest first. */
  events: z.array(leaseEventSchema),
  /** Newest first. Empty with `renewals=none`. */
  renewals: z.array(renewalsSchema),
  /** Newest first, cut to the time of this page. */
  notObserved: z.array(notObservedSchema),
  /** On the last page: the last transition before `from`, which says who held the lease then. null: none is kept. */
  before: leaseEventSchema.nullable(),
  /** The oldest instant from which on the recorder watched this table; events of other sources may be older. null: it never did. */
  recordedSince: instantSchema.nullable(),
  /** Until when the recorder has watched this table, at the last. Later than that nothing was observed yet. */
  recordedUntil: instantSchema.nullable(),
  /** Events are kept for so long. */
  retentionSeconds: z.number().int(),
  /** Older events of the same query. null: this is the last page. */
  nextCursor: z.string().nullable(),
  now: instantSchema,
})

export type LeaseEventSource = (typeof leaseEventSources)[number]
export type LeaseEvent = z.infer<typeof leaseEventSchema>
export type Renewals = z.infer<typeof renewalsSchema>
export type NotObserved = z.infer<typeof notObservedSchema>
export type LeaseHistory = z.infer<typeof leaseHistorySchema>
