/**
 * What the library reports about its work, for metrics and traces. `leasehold/opentelemetry` passes it on to OpenTelemetry;
 * a program with other tools implements `Telemetry` itself.
 *
 * Names of leases, groups and owners are in reports where a trace needs them. A program decides which of them become labels of
 * a metric: their number has no bound.
 * Guarantees: with `noTelemetry`, an operation costs one comparison more. A report changes no outcome.
 * Does not guarantee: that an implementation which throws is harmless. Reports must not throw.
 */

/** What a conditional write is for. */
export type WriteOperation =
  | 'acquire'
  | 'renew'
  | 'release'
  | 'break'
  | 'kill'
  | 'term'
  | 'sequence'
  | 'fenced-write'

/** A part of the work that has a beginning and an end. */
export type Step =
  | { readonly name: 'acquire' | 'renew' | 'release'; readonly lease: string }
  | { readonly name: 'campaign'; readonly group: string }
  | { readonly name: 'statement'; readonly statement: StatementFacts }

export interface StatementFacts {
  /** What the statement is for, in a word of the source: `acquire`, `read`, `scan`, …; `other` where it has none. */
  readonly operation: string
  readonly kind: 'conditional write' | 'plain write' | 'read'
  /** The serial consistency of a conditional write; else the consistency. */
  readonly level: string
}

export interface StatementReport extends StatementFacts {
  /**
   * `applied`, `not-applied`: of conditional writes. `answered`: of others. `unknown`: a write whose answer was lost.
   * `unavailable`: a read without an answer, or a write that was not sent. `refused`: Cassandra answered with an error.
   */
  readonly outcome: 'applied' | 'not-applied' | 'answered' | 'unknown' | 'unavailable' | 'refused'
  readonly tookMs: number
}

/** What became of an operation that lost an answer. `open`: that was not found out, and its write may still take effect. */
export type Resolution = 'applied' | 'not-applied' | 'superseded' | 'open'

/** A lease that is kept alive. */
export interface KeptLease {
  readonly name: string
  readonly owner: string
  /** Looks at the clock when it is read. */
  readonly held: boolean
}

export interface RenewalReport {
  readonly lease: string
  /** `failed`: no answer came in time for this renewal; it is tried again until the deadline. */
  readonly outcome: 'renewed' | 'lost' | 'failed'
  readonly tookMs: number
  /** What was left until the deadline when the renewal ended, before the new deadline counts, in milliseconds; 0: nothing. */
  readonly marginMs: number
}

/** A candidate's leadership. */
export interface Led {
  readonly group: string
  /** Looks at the clock when it is read. */
  readonly held: boolean
}

export interface Telemetry {
  /** Runs one step. An implementation may open a span around `work`, whose result and error it passes on. */
  step<T>(step: Step, work: () => Promise<T>): Promise<T>
  statement(report: StatementReport): void
  /** An operation lost the answer to its conditional write. Once an operation. */
  outcomeUnknown(operation: WriteOperation): void
  /** What became of such an operation. One for each `outcomeUnknown`. */
  outcomeSettled(operation: WriteOperation, resolution: Resolution): void
  /** A lease was acquired, and is kept alive. */
  acquired(lease: KeptLease): void
  /** A renewal of a lease that is kept alive has ended. */
  renewal(report: RenewalReport): void
  /** A lease that was kept alive is over. `reason`: that of its `LeaseLostError`; `released` is no loss. */
  ended(lease: KeptLease, reason: string): void
  /** This process campaigns for the group. */
  candidate(group: string): void
  /** This process leads a group, for as long as `led.held`. */
  elected(led: Led): void
}

const nothing = () => {}

/** Reports nothing. `{ ...noTelemetry, statement: (report) => … }` reports one kind alone. */
export const noTelemetry: Telemetry = {
  step: (_, work) => work(),
  statement: nothing,
  outcomeUnknown: nothing,
  outcomeSettled: nothing,
  acquired: nothing,
  renewal: nothing,
  ended: nothing,
  candidate: nothing,
  elected: nothing,
}
