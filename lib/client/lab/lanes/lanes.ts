/**
 * The picture of a run of the election lab at one time: a lane a candidate, against time. `LanesBuilder` derives it from the
 * journal alone, and from no entry later than the picture’s time, so that a replay draws the same.
 *
 * Three things are kept apart. *Leads by Cassandra*: from answers and SERIAL reads alone. *Believes to lead*: from what
 * the candidate itself said, until its deadline. *Not known*: the candidate is paused, cut off or gone.
 *
 * All times are milliseconds since the run began.
 */
import type { Entry, LabFault } from '../../../contract/lab/journal.ts'
import type { LaneState } from './lane-words.ts'

/** `c1` to `c8`, or the client that speaks CQL without the library. */
export type LaneId = string

/** `toMs` null: it goes on. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number | null
}

/** The candidate campaigns, or stands in the room of the bakery. */
export interface Presence extends Span {
  readonly end: 'left' | 'crashed' | null
}

/**
 * The row is this candidate’s, as Cassandra said: from the answer of its acquisition, or the first read that shows it, to
 * the expiry as last known, a release, or a read that shows another row or none. The dashed band ahead ends at `expiryMs`.
 */
export interface LeadBand extends Span {
  /** The second at which Cassandra stops showing the row if no renewal comes. null: it does not expire. */
  readonly expiryMs: number | null
  readonly end: 'expired' | 'released' | 'forced' | 'superseded' | null
  readonly token: string | null
  readonly term: string | null
}

/** The candidate believes to lead. The deadline check cuts it at `deadlineMs`; while the check is off it goes on past it. */
export interface BeliefFrame extends Span {
  readonly deadlineMs: number
  readonly end: 'deadline' | Entry<'lost'>['reason'] | 'crashed' | null
  readonly token: string | null
  readonly term: string | null
  /** The part in which the candidate does not lead by Cassandra: drawn in red. null: none. */
  readonly wrongly: Span | null
}

/** Hatched: what the candidate does now is not known, or does not arrive. */
export interface StopSpan extends Span {
  readonly fault: 'paused' | 'cut' | 'crashed'
}

/** A renewal that was applied. `marginMs`: what was left until the deadline. null: no answer reached the candidate. */
export interface Beat {
  readonly atMs: number
  readonly marginMs: number | null
}

/** A try to acquire, at its answer. null: no answer came in time. */
export interface LaneTry {
  readonly atMs: number
  readonly applied: boolean | null
}

export type MarkKind =
  | 'joined'
  | 'left'
  | 'crashed'
  | 'resigned'
  | 'expired'
  | 'released-by-force'
  | 'deadline-ignored'
  | 'deadline-passed'
  | 'refused-renewal'
  | 'late-applied'
  | 'wrote-after-loss'
  | 'fence-refused'

export interface LaneMark {
  readonly kind: MarkKind
  readonly atMs: number
  /** What stands beside it: “stale write”. */
  readonly text: string
}

export interface Lane {
  readonly id: LaneId
  readonly state: LaneState
  /** “leads”, “waits, lost it at 20.6”. */
  readonly words: string
  readonly presence: readonly Presence[]
  readonly leads: readonly LeadBand[]
  readonly believes: readonly BeliefFrame[]
  readonly stops: readonly StopSpan[]
  readonly beats: readonly Beat[]
  readonly tries: readonly LaneTry[]
  readonly marks: readonly LaneMark[]
  /** The faults that are on now. */
  readonly faults: readonly LabFault[]
}

/** Two believe to lead at once: a red column across the lanes. */
export interface Overlap extends Span {
  readonly candidates: readonly LaneId[]
}

/** By Cassandra. */
export interface Leader {
  readonly id: LaneId
  readonly sinceMs: number
  /** From this time on the countdown says “verifying”, until a read or an answer has said more. null: no expiry. */
  readonly expiryMs: number | null
  readonly token: string | null
  readonly term: string | null
}

export interface Counter {
  readonly value: number
  /** Additions that Cassandra carried out, by its own answers. */
  readonly applied: number
  /** Those whose candidate got the answer. A candidate that crashes behind its write does not. */
  readonly answered: number
}

export interface Counters {
  readonly fenced: Counter
  readonly unfenced: Counter
  /** Writes of the fenced counter. */
  readonly refused: number
}

export interface LanesPicture {
  /** The picture’s present. */
  readonly atMs: number
  /** In the order of their names. What ended before the window that was asked for is left out. */
  readonly lanes: readonly Lane[]
  readonly overlaps: readonly Overlap[]
  /** How long two or more have believed to lead, in the whole run. */
  readonly overlapMs: number
  readonly leader: Leader | null
  /** A broken lease: until when nothing may acquire it. */
  readonly quarantinedUntilMs: number | null
  readonly deadlineCheck: boolean
  readonly counters: Counters | null
  readonly ended: Entry<'ended'>['why'] | null
}
