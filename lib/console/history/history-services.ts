import type { EventStore } from 'leasehold/history'
import type { Clock } from 'leasehold/time'
import type { LeaseTable, LeaseTables } from '../leases/lease-table.ts'
import type { HistoryTurns } from './reading/history-turns.ts'
import type { LastTransitions } from './reading/last-transitions.ts'
import type { RecordedDays } from './reading/recorded-days.ts'

/** Where the history of each table is kept. */
export interface History {
  /** Events are kept for so long. */
  readonly retentionSeconds: number
  readonly recordedDays: RecordedDays
  readonly lastTransitions: LastTransitions
  readonly turns: HistoryTurns
  /** `keyspace.table` in Cassandra. */
  leaseTableOf(table: Pick<LeaseTable, 'mapping'>): string
  eventsOf(table: Pick<LeaseTable, 'mapping'>): EventStore
}

/** What showing the history of a lease needs. */
export interface HistoryServices extends LeaseTables {
  readonly clock: Clock
  readonly history: History
}
