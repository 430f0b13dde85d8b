import { z } from 'zod'
import { releaseModeSchema } from '../releases/release.ts'
import { microsSchema } from '../text.ts'

/**
 * The journal of a run of the election lab: every statement, answer, belief and fault, in the order in which the server
 * noted them. All that the lab shows is derived from it, so that a finished run can be shown, drawn and checked again.
 *
 * Times are milliseconds since the run began, by the monotonic clock of the server that runs it. An expiry, which
 * Cassandra keeps by its own clock, is converted with the clock reading of the same SERIAL read.
 */

/** `c1` to `c8`: a candidate. `plain`: a client that speaks CQL without the library. `lab`: the lab's own reads, and acts of people. */
const senderSchema = z.string().regex(/^(c[1-8]|plain|lab)$/)
const candidateSchema = z.string().regex(/^c[1-8]$/)
const msSchema = z.number()

const statementPurposes = [
  'acquire',
  'renew',
  'release',
  'break',
  'kill',
  'read',
  'hint',
  'term',
  'queue',
  'resign-request',
  'fenced-counter',
  'unfenced-counter',
  'bakery',
  'other',
] as const

/**
 * `crashed`: ended without a release; it does not come back. `paused`: its timers stand still, as in a long garbage collection.
 * `cut`: nothing that it sends arrives, and no answer reaches it. `delayed`: answers reach it so much later. `hold-next`: its next
 * conditional write is held back. `swallow-next`: the answer to its next conditional write is lost. `skewed`: its clocks
 * run ahead by so much.
 */
export const labFaults = [
  'crashed',
  'paused',
  'cut',
  'delayed',
  'hold-next',
  'swallow-next',
  'skewed',
] as const

const numbered = { seq: z.number().int().min(0), atMs: msSchema }

export const journalEntrySchema = z.discriminatedUnion('kind', [
  /** A candidate begins to campaign. */
  z.object({ ...numbered, kind: z.literal('joined'), candidate: candidateSchema }),
  /** A candidate stops campaigning, and resigns if it led. */
  z.object({ ...numbered, kind: z.literal('left'), candidate: candidateSchema }),
  /** `statement` numbers the statements of a run. */
  z.object({
    ...numbered,
    kind: z.literal('sent'),
    statement: z.number().int(),
    by: senderSchema,
    purpose: z.enum(statementPurposes),
    cql: z.string(),
    params: z.array(z.string()),
  }),
  /** A statement that was held back goes to Cassandra now. */
  z.object({ ...numbered, kind: z.literal('let-go'), statement: z.number().int() }),
  /**
   * Cassandra’s answer reached the server, whether or not the candidate gets it. `unknown`: no answer came in time.
   * `not-applied`, `unavailable`, `refused`: surely not carried out.
   */
  z.object({
    ...numbered,
    kind: z.literal('answered'),
    statement: z.number().int(),
    outcome: z.enum(['applied', 'not-applied', 'rows', 'unknown', 'unavailable', 'refused']),
    /** The row in the answer, as text: the holder of a refused write, the cells of a read. null: no row. */
    found: z.string().nullable(),
    tookMs: msSchema,
  }),
  /** What the candidate got, where it differs from `answered` in time or in kind. */
  z.object({
    ...numbered,
    kind: z.literal('delivered'),
    statement: z.number().int(),
    as: z.enum(['answer', 'unknown', 'unavailable']),
  }),
  /** A candidate believes to lead from now on, until its deadline. */
  z.object({
    ...numbered,
    kind: z.literal('leads'),
    candidate: candidateSchema,
    owner: z.string(),
    token: microsSchema,
    term: z.string().nullable(),
    deadlineMs: msSchema,
  }),
  /** A renewal moved the deadline. `marginMs`: what was left until the earlier one. */
  z.object({
    ...numbered,
    kind: z.literal('renewed'),
    candidate: candidateSchema,
    deadlineMs: msSchema,
    marginMs: msSchema,
  }),
  /** A candidate has stopped to believe that it leads. */
  z.object({
    ...numbered,
    kind: z.literal('lost'),
    candidate: candidateSchema,
    reason: z.enum(['deadline', 'not-holder', 'superseded', 'released', 'resigned', 'closed']),
  }),
  /**
   * A SERIAL read by the lab: who leads by Cassandra. The answer was true at some instant from `sentAtMs` to `atMs`. `owner`
   * null: the lease is free. `expiryMs`: the second at which Cassandra stops showing the row, in time of the run; null: no
   * row, or no expiry.
   */
  z.object({
    ...numbered,
    kind: z.literal('seen'),
    sentAtMs: msSchema,
    /** null: the owner is no candidate of this run (a quarantine’s mark), or there is none. */
    candidate: candidateSchema.or(z.literal('plain')).nullable(),
    owner: z.string().nullable(),
    value: z.string().nullable(),
    version: microsSchema.nullable(),
    expiryMs: msSchema.nullable(),
  }),
  z.object({
    ...numbered,
    kind: z.literal('fault'),
    candidate: candidateSchema,
    fault: z.enum(labFaults),
    /** false: the fault ends, or has had its effect. */
    on: z.boolean(),
    /** `delayed`, `skewed`: by how much, in milliseconds. */
    ms: msSchema.nullable(),
  }),
  /** Whether holders look at their deadline. Off only to show what the deadline is for. */
  z.object({ ...numbered, kind: z.literal('deadline-check'), on: z.boolean() }),
  /** A forced release. */
  z.object({
    ...numbered,
    kind: z.literal('act'),
    mode: releaseModeSchema,
    by: z.string(),
    owner: z.string().nullable(),
    outcome: z.enum(['requested', 'released', 'holder-changed', 'not-held', 'unknown']),
    /** Of a break: until when the name is kept free. */
    safeAtMs: msSchema.nullable(),
  }),
  /**
   * A candidate that believes to lead added one to a counter: it read `before`, and wrote `before + 1`. `refused`: by the fence.
   * `lost-update`: written, although another value stood there by then.
   */
  z.object({
    ...numbered,
    kind: z.literal('wrote'),
    candidate: candidateSchema,
    counter: z.enum(['fenced', 'unfenced']),
    token: microsSchema,
    before: z.number().int(),
    outcome: z.enum(['written', 'refused', 'lost-update', 'unknown']),
    /** Both counters, as they are after it, and how many additions were meant. */
    total: z.object({ fenced: z.number().int(), unfenced: z.number().int(), meant: z.number().int() }),
  }),
  /** The bakery: a customer takes one of the ten steps. */
  z.object({
    ...numbered,
    kind: z.literal('bakery'),
    candidate: candidateSchema,
    step: z.number().int().min(1).max(10),
    choosing: z.boolean(),
    number: z.string().nullable(),
    waitsFor: candidateSchema.nullable(),
  }),
  /** The story shows its next sentence: the number of its step. */
  z.object({ ...numbered, kind: z.literal('caption'), step: z.number().int().min(0) }),
  /** The story has ended; the run goes on as a playground. */
  z.object({ ...numbered, kind: z.literal('story-ended') }),
  /** The journal is full: nothing after it was noted but `ended`. */
  z.object({ ...numbered, kind: z.literal('full') }),
  /** The last entry. A run that has ended without it had an instance that died, or that had no answer from Cassandra. */
  z.object({
    ...numbered,
    kind: z.literal('ended'),
    why: z.enum(['time', 'unwatched', 'person', 'restart', 'failure']),
    /** For people, of `failure`. */
    detail: z.string().nullable(),
  }),
])

export type JournalEntry = z.infer<typeof journalEntrySchema>
export type EntryKind = JournalEntry['kind']
export type Entry<K extends EntryKind> = Extract<JournalEntry, { kind: K }>
export type LabFault = (typeof labFaults)[number]
export type StatementPurpose = (typeof statementPurposes)[number]
