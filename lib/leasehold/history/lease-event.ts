import { hash } from 'node:crypto'

/** `GET /v1/leases/{name}/events` says what each kind means (docs/history.md). */
export type LeaseEventKind =
  | 'acquired'
  | 'changed-hands'
  | 'asked'
  | 'resigned'
  | 'released'
  | 'expired'
  | 'broken'
  | 'killed'
  | 'lost'
  | 'quarantine-ended'
  | 'ended-unknown'

/** Who says so: the holder's own process, the console that released by force, or the recorder that reads the table. */
export type LeaseEventSource = 'library' | 'console' | 'observed'

/** One transition of one lease. Immutable. Times in milliseconds since the epoch, by the clock of the source. */
export interface LeaseEvent {
  /** Made from what the event is about: written twice, it is one row. */
  readonly id: string
  readonly name: string
  readonly kind: LeaseEventKind
  readonly source: LeaseEventSource
  readonly atMs: number
  /** Both or neither: it happened in between, and `atMs` is the likeliest instant. */
  readonly notBeforeMs: number | null
  readonly notAfterMs: number | null
  /** The tenure that it is about; null: the table has no owner column. */
  readonly owner: string | null
  /** Of a beginning: the holder before. */
  readonly previousOwner: string | null
  readonly token: bigint | null
  readonly version: bigint | null
  readonly ttlSeconds: number | null
  readonly reason: string | null
  readonly release: { readonly id: string; readonly mode: string; readonly by: string | null } | null
}

/** Renewals of one tenure in one minute. */
export interface RenewalMinute {
  readonly id: string
  readonly name: string
  readonly source: 'library' | 'observed'
  /** The beginning of the minute. */
  readonly atMs: number
  readonly owner: string | null
  readonly count: number
  /** null: only the number is known. */
  readonly exact: readonly { readonly atMs: number; readonly marginMs: number }[] | null
  readonly leastMarginMs: number | null
}

/** A time in which a process that keeps leases could not write what happened to one of them. At most a day, of one day. */
export interface EventGap {
  readonly id: string
  readonly name: string
  readonly source: 'library'
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** `renewals`: transitions were written. */
  readonly what: 'everything' | 'renewals'
}

/** The most renewals of one minute that are kept one by one. */
export const exactRenewalsMax = 120
export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
/** How long events are kept unless set otherwise, in seconds: 7 days. */
export const defaultRetentionSeconds = 7 * 86_400

/** The fields that most events leave empty. */
export const bareEvent = {
  notBeforeMs: null,
  notAfterMs: null,
  previousOwner: null,
  token: null,
  version: null,
  ttlSeconds: null,
  reason: null,
  release: null,
} as const

/**
 * The id of what these parts say. Two processes that see the same transition make the same id.
 * @example
 * const id = eventId('observed', 'jobs/report', 'begin', 'api-1:4711:0123456789ab:1', null)
 */
export const eventId = (...parts: readonly (string | bigint | number | null)[]): string =>
  hash('sha256', JSON.stringify(parts.map((part) => (part === null ? null : String(part))))).slice(0, 32)

/** Before an event: older ones of the same range follow after it. */
export interface EventPlace {
  readonly atMs: number
  readonly id: string
}

/** Where a page of a history ended. */
export interface HistoryPlace extends EventPlace {
  /** Up to when the next page reads what was shown, because it decides what is shown next. Left out: for the clocks alone. */
  readonly contextMs?: number | undefined
}

export interface EventRange {
  /** Inclusive. */
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/**
 * A store of events: `CassandraEventStore`, or `MemoryEventStore` for tests.
 * Guarantees: an event or a minute that is written again is one row.
 */
export interface EventStore {
  /** @throws StoreUnavailableError: it may have been written, write it again; StoreRefusedError */
  write(event: LeaseEvent): Promise<void>
  /** @throws as `write` */
  writeRenewals(minute: RenewalMinute): Promise<void>
  /** @throws as `write` */
  writeGap(gap: EventGap): Promise<void>
  /** The gaps that began on one day, UTC, newest first. @throws as `transitions` */
  gaps(name: string, day: EventRange): Promise<EventGap[]>
  /** The transitions of one hour, newest first. @throws StoreUnavailableError, StoreRefusedError */
  transitions(name: string, hour: EventRange, limit: number, before?: EventPlace): Promise<LeaseEvent[]>
  /** The minutes with renewals of one hour, newest first. @throws as `transitions` */
  renewals(name: string, hour: EventRange): Promise<RenewalMinute[]>
}
