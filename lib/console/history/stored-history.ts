import { CassandraEventStore, type CassandraSession } from 'leasehold/cassandra'
import type { EventStore } from 'leasehold/history'
import type { Clock, Timer } from 'leasehold/time'
import type { LeaseTable } from '../leases/lease-table.ts'
import type { History } from './history-services.ts'
import { HistoryTurns } from './reading/history-turns.ts'
import { LastTransitions } from './reading/last-transitions.ts'
import { RecordedDays } from './reading/recorded-days.ts'
import { CassandraRecordings } from './recordings.ts'

/** Too short for a person to notice. At 800 transitions a second of 16 leases, 100 ms cost Cassandra a twelfth more for each act. */
const gatherMs = 250

interface StoredHistoryDeps {
  readonly session: CassandraSession
  readonly clock: Clock
  readonly retentionSeconds: number
}

/** The history in the console's keyspace. */
export class StoredHistory implements History {
  readonly retentionSeconds: number
  readonly recordings: CassandraRecordings
  readonly recordedDays: RecordedDays
  readonly lastTransitions: LastTransitions
  readonly turns = new HistoryTurns()
  readonly #session: CassandraSession

  constructor({ session, clock, retentionSeconds }: StoredHistoryDeps) {
    this.#session = session
    this.retentionSeconds = retentionSeconds
    this.recordings = new CassandraRecordings(session, { retentionSeconds })
    this.recordedDays = new RecordedDays({ store: this.turns.recordings(this.recordings), clock })
    this.lastTransitions = new LastTransitions({ clock })
  }

  leaseTableOf({ mapping }: Pick<LeaseTable, 'mapping'>): string {
    return `${mapping.keyspace ?? this.#session.keyspace}.${mapping.table}`
  }

  eventsOf({ mapping }: Pick<LeaseTable, 'mapping'>): EventStore {
    const { retentionSeconds } = this
    return new CassandraEventStore(this.#session, mapping, { retentionSeconds })
  }

  /** Its transitions wait for each other: a statement of one row costs almost what one of eight rows does. */
  recordedEventsOf({ mapping }: Pick<LeaseTable, 'mapping'>, timer: Timer): EventStore {
    const { retentionSeconds } = this
    const gathers = { timer, ms: gatherMs }
    return new CassandraEventStore(this.#session, mapping, { retentionSeconds, gathers })
  }
}
