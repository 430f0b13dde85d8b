import { CassandraEventStore, type CassandraSession } from 'leasehold/cassandra'
import type { EventStore } from 'leasehold/history'
import type { LeaseTable } from '../leases/lease-table.ts'
import type { History } from './history-services.ts'
import { CassandraRecordings } from './recordings.ts'

/** The history in the console's keyspace. */
export class StoredHistory implements History {
  readonly retentionSeconds: number
  readonly recordings: CassandraRecordings
  readonly #session: CassandraSession

  constructor(session: CassandraSession, retentionSeconds: number) {
    this.#session = session
    this.retentionSeconds = retentionSeconds
    this.recordings = new CassandraRecordings(session, { retentionSeconds })
  }

  leaseTableOf({ mapping }: Pick<LeaseTable, 'mapping'>): string {
    return `${mapping.keyspace ?? this.#session.keyspace}.${mapping.table}`
  }

  eventsOf({ mapping }: Pick<LeaseTable, 'mapping'>): EventStore {
    return new CassandraEventStore(this.#session, mapping, { retentionSeconds: this.retentionSeconds })
  }
}
