import { z } from 'zod'
import { releaseModeSchema } from '../releases/release.ts'
import { instantSchema, queryNumberSchema } from '../text.ts'
import { journalEntrySchema, labFaults } from './journal.ts'
import { labBounds, labScenarios } from './lab-bounds.ts'

/** A run's id: it is a part of lease names, `lab/{run}/…`. */
const labRunIdSchema = z.string().regex(/^[a-z0-9]{8}$/, 'A run has an id of eight letters or digits.')
const candidateSchema = z.string().regex(/^c[1-8]$/, 'Candidates are called c1 to c8.')

export const labRunParamsSchema = z.strictObject({ run: labRunIdSchema })

/** `scenario` left out: a playground with so many candidates. A scenario brings its own. */
export const newLabRunSchema = z.strictObject({
  scenario: z.enum(labScenarios).optional(),
  candidates: z.number().int().min(labBounds.candidates.min).max(labBounds.candidates.max).optional(),
  ttlSeconds: z.number().int().min(labBounds.ttlSeconds.min).max(labBounds.ttlSeconds.max).optional(),
  /** Candidates wait in the order of coming. */
  fair: z.boolean().optional(),
})

export const labActSchema = z.discriminatedUnion('act', [
  /** A new candidate, with the lowest number that is free. */
  z.strictObject({ act: z.literal('join') }),
  /** It stops campaigning, and resigns if it leads. */
  z.strictObject({ act: z.literal('leave'), candidate: candidateSchema }),
  /** It resigns if it leads, and campaigns again. */
  z.strictObject({ act: z.literal('resign'), candidate: candidateSchema }),
  /** A fault begins, or ends. `hold-next` off lets all go that is held back of this candidate, also of one that had its id before. */
  z.strictObject({
    act: z.literal('fault'),
    candidate: candidateSchema,
    fault: z.enum(labFaults),
    on: z.boolean(),
    /** Of `delayed` and `skewed`, in milliseconds. */
    ms: z.number().int().min(labBounds.skewMs.min).max(labBounds.skewMs.max).optional(),
  }),
  /** Ask, break or kill the present holder, at once. */
  z.strictObject({ act: z.literal('release'), mode: releaseModeSchema }),
  z.strictObject({ act: z.literal('deadline-check'), on: z.boolean() }),
  /** Stops the story between two steps; the election goes on. */
  z.strictObject({ act: z.literal('story'), do: z.enum(['pause', 'play', 'step']) }),
])

export const labRunSchema = z.object({
  run: labRunIdSchema,
  /** null: a playground from the start. */
  scenario: z.enum(labScenarios).nullable(),
  /** The lease that is led, or of the bakery. */
  name: z.string(),
  ttlSeconds: z.number().int(),
  maxClockSkewMs: z.number(),
  fair: z.boolean(),
  startedBy: z.string(),
  startedAt: instantSchema,
  /** When it ends by itself, or when it ended. */
  endsAt: instantSchema,
  state: z.enum(['running', 'ended']),
  /** `step`: whose sentence stands, counted from 0; −1: none yet. */
  story: z.object({ state: z.enum(['playing', 'paused', 'ended']), step: z.number().int() }).nullable(),
})

/** More than a run of 15 minutes ever notes. */
const fromSchema = queryNumberSchema('from', 0, 1_000_000)

/** A page of the journal: entries from the number `from` on. Five hundred are some 100 KB, which take a server a millisecond to write. */
export const labJournalQuerySchema = z.strictObject({
  from: fromSchema.default(0),
  limit: queryNumberSchema('The limit', 1, 500).default(500),
})

/**
 * What the checker of the library’s own tests says of the journal so far. `kept`: the law holds. `explained`: it was broken, and an
 * act in the run allows that (a kill, the deadline check off, more skew than allowed). `broken`: it was broken, and nothing explains it.
 */
const labVerdictSchema = z.array(
  z.object({
    law: z.enum([
      'one-leader-by-cassandra',
      'one-believer',
      'tokens-grow',
      'fenced-counter-right',
      'answers-possible',
      'one-customer-inside',
    ]),
    finding: z.enum(['kept', 'explained', 'broken']),
    /** “Two believed to lead for 1.3 s, because the deadline check was off.” */
    sentence: z.string(),
    marks: z.array(z.object({ fromMs: z.number(), toMs: z.number(), candidates: z.array(z.string()) })),
  }),
)

export const labRunDetailSchema = labRunSchema.extend({
  entries: z.array(journalEntrySchema),
  /** The number to ask for next. null: these are all, for now. */
  nextFrom: z.number().int().nullable(),
  verdict: labVerdictSchema,
  /** The present time of the run, in milliseconds since it began. */
  nowMs: z.number(),
})

export const labRunListSchema = z.object({
  /** Newest first: the running ones, and those whose journal is kept. */
  runs: z.array(labRunSchema),
  /** Whether this person may start one. null: yes; else why not, as a sentence. */
  mayNotStart: z.string().nullable(),
})

export const labStreamQuerySchema = z.strictObject({
  /** Entries from this number on. `Last-Event-ID` takes its place after a reconnect. */
  from: fromSchema.default(0),
})

/**
 * The events of `GET /v1/lab/runs/{run}/stream`. The id of `entries` is the number of the next entry: a reader that asks from there misses
 * none, also of a run that has ended without an `ended`, whose instance may still write the rest.
 */
export const labEvents = {
  /** Several entries within 50 ms are one event. */
  entries: z.object({ entries: z.array(journalEntrySchema), run: labRunSchema, nowMs: z.number() }),
  heartbeat: z.object({
    run: labRunSchema,
    verdict: labVerdictSchema,
    viewers: z.number().int(),
    nowMs: z.number(),
  }),
  /** The last event. `run`: the run has ended, and all its entries that were written were sent. */
  end: z.object({ reason: z.enum(['session', 'closing', 'run']) }),
} as const

export type LabRun = z.infer<typeof labRunSchema>
export type LabRunList = z.infer<typeof labRunListSchema>
export type LabRunDetail = z.infer<typeof labRunDetailSchema>
export type LabVerdict = z.infer<typeof labVerdictSchema>
export type LabAct = z.infer<typeof labActSchema>
export type NewLabRun = z.infer<typeof newLabRunSchema>
export type LabEventName = keyof typeof labEvents
