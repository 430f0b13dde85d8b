/** What the schema has, as one node knows it. @throws StoreUnavailableError, StoreRefusedError */
import { type CassandraSession, fromDriver } from 'leasehold/cassandra'

type Schema = Pick<CassandraSession, 'client'>

const statements = {
  keyspace: 'SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?',
  tables: 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
}

export const hasKeyspace = async (session: Schema, keyspace: string): Promise<boolean> =>
  (await namesIn(session, statements.keyspace, keyspace)).length > 0

export const tablesOf = (session: Schema, keyspace: string): Promise<string[]> =>
  namesIn(session, statements.tables, keyspace)

async function namesIn({ client }: Schema, cql: string, keyspace: string): Promise<string[]> {
  try {
    const { rows } = await client.execute(cql, [keyspace], { prepare: true })
    return rows.map((row) => String(row.values()[0]))
  } catch (thrown) {
    throw fromDriver(thrown, 'read')
  }
}
