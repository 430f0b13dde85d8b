/**
 * The tables of LEASEHOLD_CONFIG exist. Asked before anything is granted on them: of a table that it does not have Cassandra says
 * that the granting role lacks a permission, or that a resource is missing.
 */
import { type CassandraSession, fromDriver, type TableMapping } from 'leasehold/cassandra'
import { ConfigError } from '../config-error.ts'

interface MappedTable {
  readonly id: string
  readonly mapping: TableMapping
}

const statements = {
  keyspace: 'SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?',
  tables: 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
}

/** A misspelt name stands beside the right one in a list as short as this. */
const listedMax = 20

/** @throws ConfigError naming the table or the keyspace that does not exist; StoreUnavailableError */
export async function requireMappedTables(
  session: Pick<CassandraSession, 'client' | 'keyspace'>,
  configured: readonly MappedTable[],
): Promise<void> {
  for (const { id, mapping } of configured) {
    const keyspace = mapping.keyspace ?? session.keyspace
    const found = await namesIn(session, statements.tables, keyspace)
    if (found.includes(mapping.table)) continue
    const what = `LEASEHOLD_CONFIG: tables.${id} is ${keyspace}.${mapping.table}`
    const instead = `or correct tables.${id}; names are case-sensitive.`
    const hasKeyspace = (await namesIn(session, statements.keyspace, keyspace)).length > 0
    if (!hasKeyspace)
      throw new ConfigError(
        `${what}, and Cassandra has no keyspace ${keyspace}. Create the keyspace and the table, ${instead}`,
      )
    const others = found.length > 0 && found.length <= listedMax ? ` It has ${found.join(', ')}.` : ''
    throw new ConfigError(
      `${what}, and the keyspace ${keyspace} has no table ${mapping.table}.${others} Create it, ${instead}`,
    )
  }
}

async function namesIn(
  { client }: Pick<CassandraSession, 'client'>,
  cql: string,
  keyspace: string,
): Promise<string[]> {
  try {
    const { rows } = await client.execute(cql, [keyspace], { prepare: true })
    return rows.map((row) => String(row.values()[0]))
  } catch (thrown) {
    throw fromDriver(thrown, 'read')
  }
}
