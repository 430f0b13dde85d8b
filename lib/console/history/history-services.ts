import type { Clock } from 'leasehold/time'
import type { LeaseTables } from '../leases/lease-table.ts'

/** What showing the history of a lease needs. */
export interface HistoryServices extends LeaseTables {
  readonly clock: Clock
}
