import type { CassandraSession, TableMapping } from 'leasehold/cassandra'
import type { Terms } from 'leasehold/election'
import type { LeaseProtocol, ResignRequests, TicketStore } from 'leasehold/lease'
import type { SequenceStore } from 'leasehold/sequence'
import type { Clock, PaxosVariant } from 'leasehold/time'
import type { AuditLog } from '../audit/audit-entry.ts'
import type { Recovery } from '../audit/recovery.ts'
import type { Idempotency } from '../http/limits/idempotency.ts'
import type { OpenRequests } from '../http/limits/open-requests.ts'
import type { RequestLimits } from '../http/limits/request-limits.ts'
import type { Log } from '../http/log/log.ts'
import type { Holders } from '../leases/holders.ts'
import type { Sessions } from '../people/sessions.ts'
import type { Attempts } from '../people/sign-in/attempts.ts'
import type { SetupLink } from '../people/sign-in/setup-link.ts'
import type { Sso } from '../people/sso/sso.ts'
import type { Users } from '../people/users.ts'
import type { ApiTokens } from '../programs/tokens/api-tokens.ts'
import type { Plans } from '../releases/plans.ts'
import type { Releases } from '../releases/releases.ts'
import type { Probe } from '../store/probe.ts'
import type { Config } from './config.ts'

/** One configured table, with the protocol over it. */
export interface TableContext {
  readonly id: string
  readonly mapping: TableMapping
  readonly readOnly: boolean
  readonly defaultTtlSeconds: number
  readonly leases: LeaseProtocol
  /** Of this table: who is asked to resign. */
  readonly resignRequests: ResignRequests
  /** Of this table: who queues for its leases. */
  readonly tickets: TicketStore
}

/** Everything a handler may use. One a process, made by `start.ts`. */
export interface ConsoleContext {
  readonly config: Config
  /** As the cluster says; where it does not, the careful one. */
  readonly paxosVariant: PaxosVariant
  readonly session: CassandraSession
  readonly tables: ReadonlyMap<string, TableContext>
  readonly clock: Clock
  readonly log: Log
  readonly audit: AuditLog
  readonly users: Users
  readonly sessions: Sessions
  readonly apiTokens: ApiTokens
  readonly openRequests: OpenRequests
  readonly idempotency: Idempotency
  readonly requestLimits: RequestLimits
  readonly attempts: Attempts
  /** null: people sign in with passwords alone. */
  readonly sso: Sso | null
  readonly setupLink: SetupLink
  readonly plans: Plans
  readonly releases: Releases
  readonly recovery: Recovery
  readonly probe: Probe
  readonly holders: Holders
  readonly sequences: SequenceStore
  readonly terms: Terms
  /** Aborted when the process is about to end. */
  readonly closing: AbortSignal
  /** Ends all that waits; the process is about to end. */
  close(): void
}
