/** What a candidate says when it campaigns, and what it gets. */
import type { OnResignRequested } from '../lease/index.ts'
import type { Leadership } from './leadership.ts'

export interface CandidateOptions {
  /** What the group is to know of its leader, up to 16 KiB: an address, mostly. Needs a table with a value column. */
  value?: string | undefined
  /** How long the leadership lives without a renewal, in whole seconds: 6 or more (11 under Paxos v1), because it is kept alive. */
  ttlSeconds?: number | undefined
  /** Ends the campaign at once. It does not end a leadership that was handed out. */
  signal?: AbortSignal | undefined
  /** As `TryOptions.fair` of leases. */
  fair?: boolean | undefined
  /**
   * Called once for each request to resign that is addressed to this very leadership. Left out: it resigns, its signal
   * aborted before. A leader that has to wind up first does so here, and resigns then. Needs `resignRequests` of the leases.
   */
  onResignRequested?: OnResignRequested<Leadership> | undefined
}

export interface CampaignOptions extends CandidateOptions {
  /** How long to wait for another leader to go, in milliseconds; 0: one try. Left out: for ever. */
  waitMs?: number | undefined
  /** As `HoldOptions.idleHintEveryMs` of leases: for a standby that waits for hours. Left out: 100 ms between two looks. */
  idleHintEveryMs?: number | undefined
}

export type CampaignOutcome =
  | { kind: 'elected'; leadership: Leadership }
  /** `leader`: the owner id of the leader; null: no leader at this moment, but other candidates wait, or this one stands back. */
  | { kind: 'held'; leader: string | null }

export interface LeadOptions extends Omit<CampaignOptions, 'onResignRequested' | 'signal'> {
  /** Ends it all: the campaign at once, and a leadership by aborting its work's signal and resigning when the work has settled. */
  signal?: AbortSignal | undefined
  /** Called with each error that `lead` rides out. Then it campaigns again, unless its signal has aborted. */
  onRetry?: ((error: unknown) => void) | undefined
}

/** What runs while a candidate leads. */
export type LeaderWork = (leadership: Leadership) => Promise<void> | void
