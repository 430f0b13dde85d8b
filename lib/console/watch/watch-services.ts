import type { Clock } from 'leasehold/time'
import type { LeaseTables } from '../leases/lease-table.ts'
import type { Watch } from './watch.ts'

/** What listing and watching leases needs. */
export interface WatchServices extends LeaseTables {
  readonly watch: Watch
  readonly clock: Clock
}
