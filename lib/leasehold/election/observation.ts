import { type LeaseProtocol, type LeaseView, reservedOwnerMark } from '../lease/index.ts'
import type { Term } from './terms.ts'

/** A group's leader, as one SERIAL read showed it. */
export interface Leader {
  readonly group: string
  readonly owner: string
  /** What the leader proclaims. */
  readonly value: string | null
  /**
   * null, with `token` and `sinceMs`: this leader has begun no term, or none yet. Told by the owner id: of one that is
   * used twice it may be the earlier tenure's, until the next one's term has begun.
   */
  readonly term: bigint | null
  /** The leader's fencing token. */
  readonly token: bigint | null
  /** When the term began, by the leader's own wall clock, in milliseconds since the epoch. For showing. */
  readonly sinceMs: number | null
  /** When Cassandra stops showing the leader unless it renews, in milliseconds since the epoch. null: never. */
  readonly expiresAtMs: number | null
  /** writetime(owner), microseconds: grows with every renewal. */
  readonly version: bigint | null
}

/** What an observer sees of a group. */
export type Observation =
  | { readonly kind: 'leader'; readonly leader: Leader }
  /** `last`: the last term that had begun when the vacancy was seen; null: none, or no terms are counted. */
  | { readonly kind: 'vacant'; readonly last: Term | null }

/** A row that shows a leader: an owner, and not a mark of the protocol (a quarantine is nobody's leadership). */
export type LedView = LeaseView & { readonly owner: string }

export const isLed = (view: LeaseView | null): view is LedView =>
  view !== null && view.owner !== null && !view.owner.startsWith(reservedOwnerMark)

export function leaderOf(view: LedView, last: Term | null): Leader {
  const { name: group, owner, value, expiresAtMs, version } = view
  const { term, token, sinceMs } = last?.leader === owner ? last : { term: null, token: null, sinceMs: null }
  return { group, owner, value, term, token, sinceMs, expiresAtMs, version }
}

export type Watching = Pick<LeaseProtocol, 'context' | 'watch'>
