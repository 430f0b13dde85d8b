import type { CassandraSession } from 'leasehold/cassandra'
import type { Terms } from 'leasehold/election'
import type { SequenceStore } from 'leasehold/sequence'
import type { Clock, PaxosVariant } from 'leasehold/time'
import type { AuditLog } from '../audit/audit-entry.ts'
import type { Recovery } from '../audit/recovery/recovery.ts'
import type { ActLimit } from '../audit/refusals/act-limit.ts'
import type { Doctor } from '../doctor/doctor.ts'
import type { History } from '../history/history-services.ts'
import type { Recorder } from '../history/recording/recorder.ts'
import type { Api } from '../http/api.ts'
import type { PageLimits } from '../http/limits/page-limits.ts'
import type { Log } from '../http/log/log.ts'
import type { Lab } from '../lab/lab.ts'
import type { Holders } from '../leases/holders.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import type { Probe } from '../leases/probe.ts'
import type { ConsoleMetrics } from '../metrics/console-metrics.ts'
import type { Sessions } from '../people/sessions/sessions.ts'
import type { Attempts } from '../people/sign-in/attempts.ts'
import type { Devices } from '../people/sign-in/devices.ts'
import type { SetupLink } from '../people/sign-in/setup-link.ts'
import type { Sso } from '../people/sso/sso.ts'
import type { Users } from '../people/users.ts'
import type { ApiTokens } from '../programs/tokens/api-tokens.ts'
import type { Releases } from '../releases/releases.ts'
import type { RowVersions } from '../store/row-versions.ts'
import type { SealedRows } from '../store/sealed-rows.ts'
import type { Watch } from '../watch/watch.ts'
import type { Config } from './config/config.ts'

/** Everything that one process has, made by `start.ts`. Rooms never see it: each takes the services that it declares. */
export interface ConsoleContext extends Api {
  readonly config: Config
  /** The cluster's setting; if it cannot be read, v1, the careful choice. */
  readonly paxosVariant: PaxosVariant
  readonly session: CassandraSession
  readonly tables: ReadonlyMap<string, LeaseTable>
  readonly clock: Clock
  readonly log: Log
  readonly audit: AuditLog
  /** Of acts without a plan that the audit log has to keep. */
  readonly actLimit: ActLimit
  readonly users: Users
  readonly sessions: Sessions
  readonly apiTokens: ApiTokens
  /** Checks rows that give rights. */
  readonly rows: SealedRows
  /** Which version of each row counts. */
  readonly versions: RowVersions
  readonly attempts: Attempts
  readonly pageLimits: PageLimits
  readonly devices: Devices
  /** null: people sign in with passwords alone. */
  readonly sso: Sso | null
  readonly setupLink: SetupLink
  readonly releases: Releases
  readonly recovery: Recovery
  readonly probe: Probe
  readonly doctor: Doctor
  readonly holders: Holders
  /** What this process knows of all leases. */
  readonly watch: Watch
  readonly history: History
  readonly recorder: Recorder
  readonly lab: Lab
  readonly metrics: ConsoleMetrics
  readonly sequences: SequenceStore
  readonly terms: Terms
  /** Aborted when the process is about to end. */
  readonly closing: AbortSignal
  /** Ends all that waits; the process is about to end. */
  close(): void
}
