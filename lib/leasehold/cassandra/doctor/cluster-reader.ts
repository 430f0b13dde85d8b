/** Reads what the doctor judges: the nodes with their clocks, and the tables as Cassandra describes them. */
import { isLeaseholdError } from '../../lease/index.ts'
import { type Clock, systemClock } from '../../time/index.ts'
import { quoteMapping, type TableMapping } from '../leases/mapping.ts'
import type { CassandraSession, SessionNode } from '../session/session.ts'
import { describe, doctorStatements, writtenRows } from './doctor-statements.ts'

/** One reading of a node's clock. Milliseconds; `sentMs` and `receivedMs` by this process's monotonic clock. */
export interface ClockReading {
  readonly sentMs: number
  readonly nodeMs: number
  readonly receivedMs: number
}

export interface NodeFacts {
  readonly address: string
  readonly dataCenter: string
  /** null: the node did not answer this session. */
  readonly answer: {
    readonly releaseVersion: string
    /** As the node spells it. `absent`: it has no such setting; null: this role may not read it. */
    readonly paxosVariant: string | null
    readonly clock: readonly ClockReading[]
  } | null
}

export interface ColumnFacts {
  readonly name: string
  /** `partition_key`, `clustering`, `static`, `regular`. */
  readonly kind: string
  readonly type: string
}

/** A row, and when its owner was written, in microseconds; null: it has no owner. `nodeMs`: the coordinator's clock. */
export interface WrittenRow {
  readonly name: string
  readonly writtenMicros: bigint | null
  readonly nodeMs: number
}

export interface TableFacts {
  readonly keyspace: string
  readonly table: string
  /** The class without its package, and the other options, as text; null: there is no such keyspace. */
  readonly replication: {
    readonly strategy: string
    readonly options: Readonly<Record<string, string>>
  } | null
  /** null: there is no such table. */
  readonly settings: TableSettings | null
  readonly columns: readonly ColumnFacts[]
  /** Columns that were dropped; one of that name may have been added again. `aheadMs`: later than the node's clock by this much. */
  readonly dropped: readonly { readonly name: string; readonly aheadMs: number }[]
  /** The first rows in token order; null: they could not be read, or the table has no owner column. */
  readonly rows: readonly WrittenRow[] | null
}

export interface TableSettings {
  readonly defaultTtlSeconds: number
  readonly gcGraceSeconds: number
  /** The class without its package. */
  readonly compaction: string
  /** null: this Cassandra has no such option. */
  readonly transactionalMode: string | null
  /** The mode whose conditional writes go on until a repair has moved all ranges; null: none. */
  readonly migratesFrom: string | null
}

type Row = Record<string, unknown>

/** How often each node's clock is read: the quickest reading bounds it best. */
const clockReadings = 5
/** How many rows of a table are looked at. */
export const writtenRowsMax = 500

/**
 * @example
 * const reader = new ClusterReader(session)
 * const facts = { nodes: await reader.nodes(), table: await reader.table(defaultMapping) }
 */
export class ClusterReader {
  readonly #session: CassandraSession
  readonly #clock: Clock

  constructor(session: CassandraSession, clock: Clock = systemClock) {
    this.#session = session
    this.#clock = clock
  }

  /** All nodes that the driver knows, sorted by address. @throws ClosedError */
  async nodes(): Promise<NodeFacts[]> {
    const nodes = this.#session.nodeList().toSorted((a, b) => (a.address < b.address ? -1 : 1))
    return Promise.all(nodes.map((node) => this.#node(node)))
  }

  /** @throws StoreUnavailableError, InvalidArgumentError on an invalid identifier */
  async table(mapping: TableMapping): Promise<TableFacts> {
    const [keyspace, table] = this.#namesOf(mapping)
    const session = this.#session
    const stored = await session.execute(doctorStatements.keyspace, [keyspace])
    const described = await session.execute(doctorStatements.table, [keyspace, table])
    const columns = await session.execute(doctorStatements.columns, [keyspace, table])
    const dropped = await session.execute(doctorStatements.droppedColumns, [keyspace, table])
    const [settings] = described.rows
    return {
      keyspace,
      table,
      replication: replicationOf(stored.rows[0]?.replication),
      settings: settings === undefined ? null : settingsOf(settings, await this.#described(mapping)),
      columns: columns.rows.map(({ column_name, kind, type }) => ({
        name: String(column_name),
        kind: String(kind),
        type: String(type),
      })),
      dropped: dropped.rows.map(({ column_name, dropped_ms, node_ms }) => ({
        name: String(column_name),
        aheadMs: Number(dropped_ms) - Number(node_ms),
      })),
      rows: settings === undefined ? null : await this.#rows(mapping),
    }
  }

  /** Changes with every change of the schema, of whatever table. @throws StoreUnavailableError */
  async schemaVersion(): Promise<string> {
    const { rows } = await this.#session.execute(doctorStatements.schemaVersion, [])
    return String(rows[0]?.schema_version)
  }

  /** The definition of a table and of its keyspace as one text: another one, when it was changed. @throws StoreUnavailableError */
  async definition(mapping: TableMapping): Promise<string> {
    const names = this.#namesOf(mapping)
    const parts = [
      await this.#session.execute(doctorStatements.keyspace, names.slice(0, 1)),
      await this.#session.execute(doctorStatements.table, names),
      await this.#session.execute(doctorStatements.columns, names),
      await this.#session.execute(doctorStatements.droppedTimes, names),
    ]
    return JSON.stringify([await this.#described(mapping), ...parts.map(({ rows }) => rows)], (_, value) =>
      value instanceof Map ? Object.fromEntries(value) : plain(value),
    )
  }

  async #node({ address, dataCenter }: SessionNode): Promise<NodeFacts> {
    try {
      const clock: ClockReading[] = []
      let row: Row | undefined
      for (let count = 0; count < clockReadings; count++) {
        const sentMs = this.#clock.now().monotonicMs
        const { rows } = await this.#session.executeOn(address, doctorStatements.node, [])
        const receivedMs = this.#clock.now().monotonicMs
        row = rows[0]
        clock.push({ sentMs, nodeMs: Number(row?.node_ms), receivedMs })
      }
      const paxosVariant = await this.#paxosVariant(address)
      return {
        address,
        dataCenter: String(row?.data_center ?? dataCenter),
        answer: { releaseVersion: String(row?.release_version), paxosVariant, clock },
      }
    } catch (thrown) {
      // Down, or in a data centre that the driver keeps no connection to.
      if (isLeaseholdError(thrown, 'store-unavailable')) return { address, dataCenter, answer: null }
      throw thrown
    }
  }

  async #paxosVariant(address: string): Promise<string | null> {
    try {
      const { rows } = await this.#session.executeOn(address, doctorStatements.paxosVariant, [])
      return rows[0] === undefined ? 'absent' : String(rows[0].value)
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'store-refused')) return null
      throw thrown
    }
  }

  /** As CQL; empty: this Cassandra does not describe tables, or there is no such table. */
  async #described(mapping: TableMapping): Promise<string> {
    try {
      const { rows } = await this.#session.execute(describe(this.#quoted(mapping).table), [])
      return rows.map(({ create_statement }) => String(create_statement)).join('\n')
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'store-refused')) return ''
      throw thrown
    }
  }

  async #rows(mapping: TableMapping): Promise<WrittenRow[] | null> {
    const quoted = this.#quoted(mapping)
    if (quoted.owner === null) return null
    try {
      const statement = writtenRows({ ...quoted, owner: quoted.owner }, this.#session.serial)
      const { rows } = await this.#session.execute(statement, [writtenRowsMax])
      return rows.map(({ name, written, node_ms }) => ({
        name: String(name),
        writtenMicros: typeof written === 'bigint' ? written : null,
        nodeMs: Number(node_ms),
      }))
    } catch (thrown) {
      // Another check says why: a column is missing, or this role may not read the table. Or no quorum answered.
      if (isLeaseholdError(thrown, 'store-refused') || isLeaseholdError(thrown, 'store-unavailable'))
        return null
      throw thrown
    }
  }

  /** @throws InvalidArgumentError */
  #quoted(mapping: TableMapping) {
    return quoteMapping(mapping, this.#session.keyspace)
  }

  #namesOf(mapping: TableMapping): [keyspace: string, table: string] {
    this.#quoted(mapping)
    return [mapping.keyspace ?? this.#session.keyspace, mapping.table]
  }
}

/** The driver's own values, as text. */
const plain = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** A `map<text, text>`; the caller's own client may decode it as a `Map`. */
const textMap = (stored: unknown): Record<string, string> =>
  typeof stored === 'object' && stored !== null
    ? Object.fromEntries(stored instanceof Map ? stored : Object.entries(stored))
    : {}

const withoutPackage = (name: string): string => name.replace(/^.*\./, '')

function replicationOf(stored: unknown): TableFacts['replication'] {
  const { class: strategy, ...options } = textMap(stored)
  return strategy === undefined ? null : { strategy: withoutPackage(strategy), options }
}

const settingsOf = (row: Row, described: string): TableSettings => ({
  defaultTtlSeconds: Number(row.default_time_to_live ?? 0),
  gcGraceSeconds: Number(row.gc_grace_seconds ?? 0),
  compaction: withoutPackage(textMap(row.compaction).class ?? ''),
  transactionalMode: optionIn(described, 'transactional_mode'),
  migratesFrom: optionIn(described, 'transactional_migration_from'),
})

/** An option whose value is a word. Between the options of a table there is no text of a client's but its comment, in quotes. */
function optionIn(described: string, option: string): string | null {
  const [, value] = new RegExp(`^ +AND ${option} = '(\\w+)'`, 'm').exec(described) ?? []
  return value === undefined || value === 'none' ? null : value
}
