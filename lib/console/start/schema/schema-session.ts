import { type CassandraSession, connect } from 'leasehold/cassandra'
import { applyGrants, grantsOf } from '../../store/schema/grants.ts'
import { requireMappedTables } from '../../store/schema/mapped-tables.ts'
import type { Config } from '../config/config.ts'
import type { AskAgain } from '../slow-start.ts'

/**
 * Migrates with a connection that is closed afterwards: an intruder in this process cannot change the schema. Grants
 * before the writer connects: Cassandra remembers a refused permission for 2 s.
 */
export async function withSchemaSession(
  { cassandra, tables }: Config,
  askAgain: AskAgain,
  migrateWith: (session: CassandraSession) => Promise<unknown>,
): Promise<void> {
  const { schema, reader, programRole, ...rest } = cassandra
  const session = await askAgain(() => connect({ ...rest, ...schema }))
  try {
    await askAgain(() => migrateWith(session))
    await askAgain(() => requireMappedTables(session, tables))
    if (schema === undefined) return
    const roles = { writer: cassandra.username, reader: reader?.username, program: programRole }
    await askAgain(() => applyGrants(session, grantsOf(cassandra.keyspace, tables, roles)))
  } finally {
    await session.close()
  }
}
