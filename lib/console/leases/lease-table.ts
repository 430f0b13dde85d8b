import type { CassandraSession, TableMapping } from 'leasehold/cassandra'
import type { LeaseProtocol, LeaseView, ResignRequests, TicketStore } from 'leasehold/lease'
import type { TableTrust } from './table-trust.ts'

/** One configured table, with the protocol over it. */
export interface LeaseTable {
  readonly id: string
  readonly mapping: TableMapping
  readonly readOnly: boolean
  readonly defaultTtlSeconds: number
  readonly leases: LeaseProtocol
  /** Whether the console may write to the table; its `leases` refuse to otherwise. */
  readonly trust: TableTrust
  /** The requests to resign that operators made for leases of this table. */
  readonly resignRequests: ResignRequests
  /** The queues for leases of this table. */
  readonly tickets: TicketStore
}

/** All configured tables. */
export interface LeaseTables {
  readonly tables: ReadonlyMap<string, LeaseTable>
  readonly session: Pick<CassandraSession, 'keyspace'>
}

/** A row without an owner is a zombie, except in a table without an owner column: there the row itself is the lock. */
export const isHeld = (view: LeaseView | null, { mapping }: LeaseTable): view is LeaseView =>
  view !== null && (view.owner !== null || mapping.owner === null)
