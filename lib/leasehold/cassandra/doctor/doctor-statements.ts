/** What the doctor asks Cassandra. All of it reads. */
import cassandra from 'cassandra-driver'
import type { QuotedMapping } from '../leases/mapping.ts'
import {
  levelsOf,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from '../session/statement.ts'

/** For tables that each node keeps for itself. */
const ofOneNode = { consistency: cassandra.types.consistencies.localOne, readTimeoutMs: 2 * readTimeoutMs }

export const doctorStatements = {
  /** The node that answers, and its clock. */
  node: {
    cql: 'SELECT data_center, release_version, toUnixTimestamp(now()) AS node_ms FROM system.local',
    ...ofOneNode,
  },
  paxosVariant: {
    cql: "SELECT value FROM system_views.settings WHERE name = 'paxos_variant'",
    ...ofOneNode,
  },
  /** Changes with every change of the schema. */
  schemaVersion: { cql: 'SELECT schema_version FROM system.local', ...ofOneNode },
  keyspace: { cql: 'SELECT * FROM system_schema.keyspaces WHERE keyspace_name = ?', ...ofOneNode },
  /** Not every option: `describe` has those that this lacks. */
  table: {
    cql: 'SELECT * FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?',
    ...ofOneNode,
  },
  columns: {
    cql: 'SELECT column_name, kind, type FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?',
    ...ofOneNode,
  },
  /** What a column of that name hides, though it was added again: every cell from before. */
  droppedColumns: {
    cql: 'SELECT column_name, toUnixTimestamp(dropped_time) AS dropped_ms, toUnixTimestamp(now()) AS node_ms FROM system_schema.dropped_columns WHERE keyspace_name = ? AND table_name = ?',
    ...ofOneNode,
  },
  /** Of a table's definition: the times do not change by themselves. */
  droppedTimes: {
    cql: 'SELECT column_name, toUnixTimestamp(dropped_time) AS dropped_ms FROM system_schema.dropped_columns WHERE keyspace_name = ? AND table_name = ?',
    ...ofOneNode,
  },
} satisfies Record<string, Statement>

/**
 * The table as the node would create it, with every option. Cassandra 6 shows `transactional_mode` here alone, and in no
 * table of its schema. The node answers between two changes of the schema: while many are made, later than a read.
 */
export const describe = (table: string): Statement => ({
  cql: `DESCRIBE TABLE ${table}`,
  ...ofOneNode,
  readTimeoutMs: writeTimeoutMs,
})

/** Some rows, with the times that they were written at. `owner` is a column of the mapping. */
export const writtenRows = (
  { table, name, owner }: QuotedMapping & { owner: string },
  serial: SerialLevel,
): Statement => ({
  cql: `SELECT ${name} AS name, writetime(${owner}) AS written, toUnixTimestamp(now()) AS node_ms FROM ${table} LIMIT ?`,
  consistency: levelsOf(serial).quorum,
  readTimeoutMs: 2 * readTimeoutMs,
})
