import {
  dayMs,
  defaultRetentionSeconds,
  type EventGap,
  type EventPlace,
  type EventRange,
  type EventStore,
  hourMs,
  type LeaseEvent,
  type LeaseEventKind,
  type LeaseEventSource,
  type RenewalMinute,
} from '../../history/index.ts'
import { StoreRefusedError } from '../../lease/index.ts'
import { defaultMapping, quoteMapping, type TableMapping } from '../leases/mapping.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import type { Executor } from '../session/executor.ts'
import { instantMs } from '../session/instant.ts'
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from '../session/statement.ts'
import { GatheredWrites, type Gathers } from './gathered-writes.ts'

const keyColumns = ['lease_table', 'name', 'hour', 'part', 'at', 'id'] as const
const transitionColumns = [
  'kind',
  'source',
  'owner',
  'previous_owner',
  'fencing_token',
  'version',
  'ttl_seconds',
  'not_before',
  'not_after',
  'reason',
  'release_id',
  'release_mode',
  'actor',
] as const
const gapColumns = ['source', 'not_before', 'not_after', 'reason'] as const
const renewalColumns = ['source', 'owner', 'renewals', 'least_margin_ms', 'renewed'] as const

/**
 * The statements on `tables.lease_events`. Plain writes of rows that never change: a retry writes the same row again, with the
 * timestamp of the event, so that it changes nothing, however late it lands.
 */
function eventStatements(table: string, serial: SerialLevel) {
  const plain = { operation: 'event', consistency: levelsOf(serial).quorum, readTimeoutMs }
  const insert = (columns: readonly string[]): Statement => ({
    ...plain,
    cql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) USING TIMESTAMP ? AND TTL ?`,
  })
  const select = (columns: readonly string[], where: string): Statement => ({
    ...plain,
    cql: `SELECT at, id, ${columns.join(', ')} FROM ${table} WHERE lease_table = ? AND name = ? AND hour = ? AND part = ? AND ${where} AND at >= ? LIMIT ?`,
  })
  return {
    write: insert([...keyColumns, ...transitionColumns]),
    writeRenewals: insert([...keyColumns, ...renewalColumns]),
    writeGap: insert([...keyColumns, ...gapColumns]),
    gaps: select(gapColumns, 'at < ?'),
    transitions: select(transitionColumns, 'at < ?'),
    // All that is older than one event, several of one instant included.
    transitionsBefore: {
      ...plain,
      cql: `SELECT at, id, ${transitionColumns.join(', ')} FROM ${table} WHERE lease_table = ? AND name = ? AND hour = ? AND part = ? AND (at, id) < (?, ?) AND (at) >= (?) LIMIT ?`,
    } satisfies Statement,
    renewals: select(renewalColumns, 'at < ?'),
  }
}

/** The gaps of one lease and day that are read: those of 34 processes that write two a minute (`tables.lease_events`). */
const gapRowsMax = 100_000
/** The minutes of one lease and hour that are read: those of 266 processes. */
const renewalRowsMax = 16_000

interface EventStoreOptions {
  readonly retentionSeconds?: number | undefined
  /** How long a transition may wait for others, to share their statement. Left out: not at all. */
  readonly gathers?: Gathers | undefined
}

/**
 * The history of leases in Cassandra: `tables.lease_events`, in the session's keyspace, whichever keyspace has the
 * leases.
 *
 * @example
 * const events = new CassandraEventStore(session)
 * const hour = { fromMs: Date.now() - 3_600_000, toMs: Date.now() }
 * const page = await readHistory(events, 'jobs/report', { ...hour, renewals: 'minute', limit: 100 })
 */
export class CassandraEventStore implements EventStore {
  readonly #session: Executor
  readonly #statements: ReturnType<typeof eventStatements>
  readonly #transitions: GatheredWrites
  readonly #leaseTable: string
  readonly #retentionSeconds: number

  /**
   * @param mapping the table of the leases, as `CassandraLeaseStore` takes it
   * @throws InvalidArgumentError on an invalid identifier
   */
  constructor(
    session: Executor,
    mapping: TableMapping = defaultMapping,
    { retentionSeconds = defaultRetentionSeconds, gathers }: EventStoreOptions = {},
  ) {
    this.#session = session
    quoteMapping(mapping, session.keyspace)
    this.#leaseTable = `${mapping.keyspace ?? session.keyspace}.${mapping.table}`
    this.#retentionSeconds = retentionSeconds
    const table = `${quoteIdentifier('keyspace', session.keyspace)}.lease_events`
    this.#statements = eventStatements(table, session.serial)
    this.#transitions = new GatheredWrites(session, this.#statements.write, gathers)
  }

  async write(event: LeaseEvent): Promise<void> {
    const { release } = event
    // What the partitions of this store's transitions differ in.
    const partition = `${Math.floor(event.atMs / hourMs)} ${event.name}`
    await this.#transitions.write(partition, [
      ...this.#key(event, 'transition'),
      event.kind,
      event.source,
      // A column without a value gets none: null would write a tombstone.
      event.owner ?? undefined,
      event.previousOwner ?? undefined,
      event.token ?? undefined,
      event.version ?? undefined,
      intOf(event.ttlSeconds),
      dateOf(event.notBeforeMs),
      dateOf(event.notAfterMs),
      event.reason ?? undefined,
      release?.id,
      release?.mode,
      release?.by ?? undefined,
      ...this.#using(event),
    ])
  }

  async writeRenewals(minute: RenewalMinute): Promise<void> {
    const renewed = minute.exact?.flatMap(({ atMs, marginMs }) => [atMs - minute.atMs, marginMs])
    await this.#session.execute(this.#statements.writeRenewals, [
      ...this.#key(minute, 'renewals'),
      minute.source,
      minute.owner ?? undefined,
      minute.count,
      minute.leastMarginMs ?? undefined,
      renewed,
      ...this.#using(minute),
    ])
  }

  async writeGap(gap: EventGap): Promise<void> {
    const { name, id, fromMs, toMs, what, source } = gap
    await this.#session.execute(this.#statements.writeGap, [
      ...this.#partition(name, fromMs, 'gap'),
      new Date(fromMs),
      id,
      ...[source, new Date(fromMs), new Date(toMs), what],
      ...this.#using({ atMs: fromMs }),
    ])
  }

  async gaps(name: string, { fromMs, toMs }: EventRange): Promise<EventGap[]> {
    const params = [...this.#partition(name, fromMs, 'gap'), new Date(toMs), new Date(fromMs), gapRowsMax]
    const { rows } = await this.#session.execute(this.#statements.gaps, params)
    const gaps = rows.map((row) => gapOf(name, row))
    // Newest first. What was not read does not pass for observed.
    const oldest = gaps.at(-1)
    if (oldest !== undefined && rows.length >= gapRowsMax)
      gaps.push({ ...oldest, id: `before ${oldest.id}`, fromMs, toMs: oldest.fromMs, what: 'everything' })
    return gaps
  }

  async transitions(
    name: string,
    { fromMs, toMs }: EventRange,
    limit: number,
    before?: EventPlace,
  ): Promise<LeaseEvent[]> {
    const partition = this.#partition(name, fromMs, 'transition')
    const from = new Date(fromMs)
    const { rows } =
      before === undefined
        ? await this.#session.execute(this.#statements.transitions, [
            ...partition,
            new Date(toMs),
            from,
            limit,
          ])
        : await this.#session.execute(this.#statements.transitionsBefore, [
            ...partition,
            new Date(before.atMs),
            before.id,
            from,
            limit,
          ])
    return rows.map((row) => eventOf(name, row))
  }

  async renewals(name: string, { fromMs, toMs }: EventRange): Promise<RenewalMinute[]> {
    const partition = this.#partition(name, fromMs, 'renewals')
    const params = [...partition, new Date(toMs), new Date(fromMs), renewalRowsMax]
    const { rows } = await this.#session.execute(this.#statements.renewals, params)
    return rows.map((row) => minuteOf(name, row))
  }

  /** Of gaps there are few: their partition has a whole day. */
  #partition(name: string, atMs: number, part: 'transition' | 'renewals' | 'gap'): unknown[] {
    const lengthMs = part === 'gap' ? dayMs : hourMs
    return [this.#leaseTable, name, new Date(Math.floor(atMs / lengthMs) * lengthMs), part]
  }

  #key({ name, atMs, id }: { name: string; atMs: number; id: string }, part: 'transition' | 'renewals') {
    return [...this.#partition(name, atMs, part), new Date(atMs), id]
  }

  #using({ atMs }: { atMs: number }): unknown[] {
    return [BigInt(Math.round(atMs)) * 1_000n, this.#retentionSeconds]
  }
}

const dateOf = (ms: number | null): Date | undefined => (ms === null ? undefined : new Date(ms))

/** Of a version in the far future, which a client may write, no TTL follows that the column holds. */
const intOf = (count: number | null): number | undefined =>
  count !== null && Math.abs(count) < 2 ** 31 ? count : undefined

const textOf = (text: unknown): string | null => (typeof text === 'string' ? text : null)
const numberOf = (number: unknown): number | null => (typeof number === 'number' ? number : null)
const bigintOf = (number: unknown): bigint | null => (typeof number === 'bigint' ? number : null)

/** Of columns that each row has. @throws StoreRefusedError */
function required<T>(found: T | null): T {
  if (found === null) throw new StoreRefusedError('The table lease_events has a row that is no event.')
  return found
}

function eventOf(name: string, row: Record<string, unknown>): LeaseEvent {
  const releaseId = textOf(row.release_id)
  return {
    name,
    id: required(textOf(row.id)),
    atMs: required(instantMs(row.at)),
    kind: required(textOf(row.kind)) as LeaseEventKind,
    source: required(textOf(row.source)) as LeaseEventSource,
    owner: textOf(row.owner),
    previousOwner: textOf(row.previous_owner),
    token: bigintOf(row.fencing_token),
    version: bigintOf(row.version),
    ttlSeconds: numberOf(row.ttl_seconds),
    notBeforeMs: instantMs(row.not_before),
    notAfterMs: instantMs(row.not_after),
    reason: textOf(row.reason),
    release:
      releaseId === null
        ? null
        : { id: releaseId, mode: required(textOf(row.release_mode)), by: textOf(row.actor) },
  }
}

const gapOf = (name: string, row: Record<string, unknown>): EventGap => ({
  name,
  id: required(textOf(row.id)),
  source: 'library',
  fromMs: required(instantMs(row.not_before)),
  toMs: required(instantMs(row.not_after)),
  what: row.reason === 'renewals' ? 'renewals' : 'everything',
})

function minuteOf(name: string, row: Record<string, unknown>): RenewalMinute {
  const atMs = required(instantMs(row.at))
  const renewed = Array.isArray(row.renewed) ? (row.renewed as number[]) : null
  const exact = renewed?.flatMap((offsetMs, index) =>
    index % 2 === 0 ? [{ atMs: atMs + offsetMs, marginMs: renewed[index + 1] ?? 0 }] : [],
  )
  return {
    name,
    id: required(textOf(row.id)),
    atMs,
    source: required(textOf(row.source)) === 'library' ? 'library' : 'observed',
    owner: textOf(row.owner),
    count: required(numberOf(row.renewals)),
    exact: exact ?? null,
    leastMarginMs: numberOf(row.least_margin_ms),
  }
}
