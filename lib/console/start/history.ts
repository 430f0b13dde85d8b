import type { CassandraSession } from 'leasehold/cassandra'
import { bareEvent, eventId, type LeaseEvent, type LeaseEventKind } from 'leasehold/history'
import type { LeaseProtocol } from 'leasehold/lease'
import { type Clock, systemTimer } from 'leasehold/time'
import { runOfLease } from '../../contract/lab/lab-lease.ts'
import { Recorder } from '../history/recording/recorder.ts'
import { StoredHistory } from '../history/stored-history.ts'
import type { Log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { isOwnTable } from '../leases/tables.ts'
import type { ReleaseRecord } from '../releases/release-record.ts'
import type { Watch } from '../watch/watch.ts'

interface HistoryDeps {
  readonly session: CassandraSession
  readonly tables: ReadonlyMap<string, LeaseTable>
  /** The protocol on the console's own table. */
  readonly own: LeaseProtocol
  readonly watch: Watch
  readonly clock: Clock
  readonly log: Log
  /** How long events are kept, in days. */
  readonly days: number
}

const daySeconds = 86_400
/** What others recorded is shown as well where this console records nothing. A TTL of 0 would be none. */
const otherwiseDays = 7
const tries = 3

/** The history of all tables, its recorder, and what notes a forced release that took effect. */
export function historyOf({ session, tables, own, watch, clock, log, days }: HistoryDeps) {
  const history = new StoredHistory({
    session,
    clock,
    retentionSeconds: (days || otherwiseDays) * daySeconds,
  })
  const recorder = new Recorder({
    tables: [...tables.values()].map((table) => ({
      leaseTable: history.leaseTableOf(table),
      events: history.recordedEventsOf(table, systemTimer),
      watch: () => watch.table(table.id),
      // What happens to the lease of a run of the lab is in the journal of the run.
      passesOver: isOwnTable({ session }, table) ? (name: string) => runOfLease(name) !== null : undefined,
    })),
    recordings: history.recordings,
    leases: own,
    clock,
    log,
  })
  const finished = async (record: ReleaseRecord): Promise<void> => {
    const [event, table] = [forcedEvent(record), tables.get(record.plan.lease.table)]
    if (days === 0 || event === null || table === undefined) return
    const events = history.eventsOf(table)
    for (let tried = 1; ; tried++) {
      try {
        await events.write(event)
        return
      } catch (error) {
        // The audit log and the row of the release say it; the history shows what the recorder saw.
        if (tried < tries) continue
        log.warn({ id: record.id, error }, 'forced release: not noted in the history')
        return
      }
    }
  }
  return { history, recorder, finished: (record: ReleaseRecord) => void finished(record) }
}

const kinds: Partial<Record<string, LeaseEventKind>> = {
  asked: 'asked',
  broken: 'broken',
  released: 'killed',
}
/** The step of a report that was the act. */
const acted = /^(Cassandra answered|Request to resign written)/

/** null: it did not take effect, or that is not known. */
function forcedEvent({ id, plan, mode, reason, requestedBy, report }: ReleaseRecord): LeaseEvent | null {
  const kind = kinds[report?.outcome ?? '']
  if (kind === undefined || mode === null || report === null) return null
  const { lease } = plan
  const step = report.steps.find(({ what, ok }) => ok && acted.test(what)) ?? report.steps.at(-1)
  return {
    ...bareEvent,
    id: eventId('console', id),
    name: lease.name,
    kind,
    source: 'console',
    atMs: step === undefined ? plan.madeAtMs : Date.parse(step.at),
    owner: lease.owner,
    version: lease.version === null ? null : BigInt(lease.version),
    ttlSeconds: lease.ttlSeconds,
    reason,
    release: { id, mode, by: requestedBy },
  }
}
