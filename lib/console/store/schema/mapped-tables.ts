/**
 * The tables of LEASEHOLD_CONFIG exist. Asked before anything is granted on them: of a table that it does not have Cassandra says
 * that the granting role lacks a permission, or that a resource is missing.
 */
import type { CassandraSession, TableMapping } from 'leasehold/cassandra'
import { ConfigError } from '../config-error.ts'
import { hasKeyspace, tablesOf } from '../system-statements.ts'

interface MappedTable {
  readonly id: string
  readonly mapping: TableMapping
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
    const found = await tablesOf(session, keyspace)
    if (found.includes(mapping.table)) continue
    const what = `LEASEHOLD_CONFIG: tables.${id} is ${keyspace}.${mapping.table}`
    const instead = `or correct tables.${id}; names are case-sensitive.`
    if (!(await hasKeyspace(session, keyspace)))
      throw new ConfigError(
        `${what}, and Cassandra has no keyspace ${keyspace}. Create the keyspace and the table, ${instead}`,
      )
    const others = found.length > 0 && found.length <= listedMax ? ` It has ${found.join(', ')}.` : ''
    throw new ConfigError(
      `${what}, and the keyspace ${keyspace} has no table ${mapping.table}.${others} Create it, ${instead}`,
    )
  }
}
