import cassandra from 'cassandra-driver'
import { InvalidArgumentError, StoreRefusedError, StoreUnavailableError } from '../../lease/index.ts'
import { systemTimer, type Timer } from '../../time/index.ts'
import { fromDriver, isResponse } from '../driver/driver-error.ts'
import type { CassandraSession } from '../session/session.ts'
import { readTimeoutMs, type Statement } from '../session/statement.ts'
import { quoteIdentifier } from './identifiers.ts'
import { tables } from './tables.ts'

const { responseErrorCodes } = cassandra.types

const ofOneNode = { consistency: cassandra.types.consistencies.localOne, readTimeoutMs: 2 * readTimeoutMs }

const statements = {
  keyspace: {
    cql: 'SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?',
    ...ofOneNode,
  },
  tables: { cql: 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?', ...ofOneNode },
} satisfies Record<string, Statement>

/** Succeeds once statements may name the table. */
const probe = (table: string): Statement => ({ cql: `SELECT * FROM ${table} LIMIT 1`, ...ofOneNode })

const createWithinMs = 30_000
const agreeWithinMs = 30_000
const pauseMs = 100

export type TableName = keyof typeof tables

export interface CreateTablesOptions {
  /** The tables to make; left out: all of them. */
  only?: readonly TableName[] | undefined
  timer?: Timer | undefined
}

/**
 * Makes the tables of this library that are missing from the session's keyspace. If none is missing, it succeeds for a
 * role that may not make tables too. Several processes may call it at once. When it returns, all nodes that are up
 * agree on the schema, and statements may name the tables.
 * @returns the names of the tables that it made
 * @throws InvalidArgumentError on a name that is no table of `tables`; StoreRefusedError when the keyspace is missing,
 * or the role may not make tables; StoreUnavailableError
 * @example
 * await createTables(session, { only: ['leases', 'lock_tickets'] })
 */
export async function createTables(
  session: CassandraSession,
  { only, timer = systemTimer }: CreateTablesOptions = {},
): Promise<TableName[]> {
  const wanted = [...new Set(only ?? (Object.keys(tables) as TableName[]))]
  for (const name of wanted)
    if (!Object.hasOwn(tables, name))
      throw new InvalidArgumentError(
        `There is no table ${JSON.stringify(name)}; these can be made: ${Object.keys(tables).join(', ')}.`,
      )
  const missing = await missingOf(session, wanted)
  for (const name of missing) await create(session, name, missing)
  await agreement(session, timer)
  for (const name of wanted) await nameable(session, name, timer)
  return missing
}

async function missingOf(session: CassandraSession, wanted: readonly TableName[]): Promise<TableName[]> {
  const { rows } = await session.execute(statements.tables, [session.keyspace])
  const found = new Set(rows.map((row) => row.table_name))
  const missing = wanted.filter((name) => !found.has(name))
  if (missing.length === 0) return []
  const keyspace = await session.execute(statements.keyspace, [session.keyspace])
  if (keyspace.rows.length === 0)
    throw new StoreRefusedError(
      `There is no keyspace ${session.keyspace}. Create it, with the replication that its leases are to have; then create the tables.`,
    )
  return missing
}

async function create(session: CassandraSession, name: TableName, missing: readonly TableName[]) {
  const keyspace = quoteIdentifier('keyspace', session.keyspace)
  try {
    await session.client.execute(tables[name].replaceAll('$k', keyspace), [], {
      prepare: false,
      readTimeout: createWithinMs,
      retry: new cassandra.policies.retry.FallthroughRetryPolicy(),
    })
  } catch (thrown) {
    if (isResponse(thrown, responseErrorCodes.alreadyExists)) return
    if (isResponse(thrown, responseErrorCodes.unauthorized))
      throw new StoreRefusedError(
        `The keyspace ${session.keyspace} lacks the tables ${missing.join(', ')}, and this role may not make them. GRANT CREATE ON KEYSPACE ${keyspace} to it, or create them as a role that may. (${(thrown as Error).message})`,
        { cause: thrown },
      )
    throw fromDriver(thrown, 'read')
  }
}

async function agreement(session: CassandraSession, timer: Timer): Promise<void> {
  for (let waitedMs = 0; !(await session.schemaAgreement().catch(notYet)); waitedMs += pauseMs) {
    if (waitedMs >= agreeWithinMs)
      throw new StoreUnavailableError(
        'The nodes of Cassandra do not agree on the schema; see `nodetool describecluster`.',
      )
    await timer.sleep(pauseMs)
  }
}

const notYet = () => false

/** Waits until statements may name a table: Cassandra lists one that another process makes a little earlier. */
async function nameable(session: CassandraSession, name: TableName, timer: Timer): Promise<void> {
  const table = `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', name)}`
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      await session.execute(probe(table), [])
      return
    } catch (thrown) {
      const { cause } = thrown as Error
      // The table is there, and this role may not read it: its first statement will throw that.
      if (isResponse(cause, responseErrorCodes.unauthorized)) return
      if (!isResponse(cause, responseErrorCodes.invalid) || waitedMs >= agreeWithinMs) throw thrown
      await timer.sleep(pauseMs)
    }
  }
}
