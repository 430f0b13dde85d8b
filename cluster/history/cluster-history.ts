/** What a run leaves: the facts of the library's own histories, and those that only a cluster with consoles has. */
import type { Counted, Fact, Unread } from '../../lib/leasehold/test/faults/recorder.ts'
import type { History } from '../../lib/leasehold/testing/index.ts'
import type { FaultDone } from '../faults/carry-out.ts'
import type { FaultKind } from '../faults/plan.ts'

export interface RunFacts {
  readonly format: 1
  readonly seed: number
  readonly minutes: number
  readonly kinds: readonly FaultKind[]
  /** The bound that the clients assume. */
  readonly maxClockSkewMs: number
  readonly beganMs: number
}

/** A forced release through a console, as the console answered. Times in milliseconds of the history's clock. */
export interface ForcedRelease {
  /** null: no plan came. */
  readonly id: string | null
  readonly instance: number
  readonly mode: 'break' | 'kill'
  readonly name: string
  readonly owner: string
  /** As in the API; `no-answer`: none came, or none that is a release. */
  readonly outcome: string
  readonly calledMs: number
  readonly returnedMs: number
}

/** One entry of the audit's main chain, of an act on a lease. */
export interface AuditFact {
  readonly id: string
  readonly act: string
  readonly phase: 'event' | 'intent' | 'outcome'
  readonly outcome: string | null
  readonly name: string
}

export type ClusterFact =
  | Fact
  | { fact: 'run'; of: RunFacts }
  | { fact: 'fault'; of: FaultDone }
  | { fact: 'release'; of: ForcedRelease }
  | { fact: 'audit'; of: AuditFact }
  | { fact: 'stop'; of: { atMs: number } }
  | { fact: 'next-free'; of: { sequence: string; next: bigint } }

export interface ClusterHistory extends History {
  readonly run: RunFacts
  readonly faults: readonly FaultDone[]
  readonly releases: readonly ForcedRelease[]
  readonly audit: readonly AuditFact[]
  readonly counted: readonly Counted[]
  readonly unread: readonly Unread[]
  /** When the clients began no more work; Infinity: the history does not say. */
  readonly stoppedMs: number
}

/** Of a client's name: where it sends its operations, `library-1` or `api-0`. */
export const doorOf = (client: string): string => client.split('/')[0] as string
