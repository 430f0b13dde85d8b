import { isReservedOwner, type LeaseProtocol, type LeaseView } from '../lease/index.ts'
import type { Term } from './terms.ts'

/** A group's leader, as one SERIAL read showed it. */
export interface Leader {
  readonly group: string
  readonly owner: string
  /** The value that the leader proclaims. */
  readonly value: string | null
  /**
   * null, as are `token` and `sinceMs`: this leader has begun no term yet, or never will. Matched by the owner id: if a
   * process uses an id twice, this may be the earlier tenure's term until the later tenure has begun its own.
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

/** A row with a leader: it has an owner, which is not the mark of a quarantine. */
export type LedView = LeaseView & { readonly owner: string }

export const isLed = (view: LeaseView | null): view is LedView =>
  view !== null && view.owner !== null && !isReservedOwner(view.owner)

export function leaderOf(view: LedView, last: Term | null): Leader {
  const { name: group, owner, value, expiresAtMs, version } = view
  const { term, token, sinceMs } = last?.leader === owner ? last : { term: null, token: null, sinceMs: null }
  return { group, owner, value, term, token, sinceMs, expiresAtMs, version }
}

export type Watching = Pick<LeaseProtocol, 'context' | 'watch'>
