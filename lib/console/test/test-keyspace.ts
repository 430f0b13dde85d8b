/**
 * For integration tests alone: a keyspace with the tables of a console, all empty. The files of a process run one after the
 * other, and share it: to make its tables takes five times as long as to empty them, because Cassandra digests the whole
 * schema at each change, a third of its processor time when every file had a keyspace of its own.
 *
 * Not for tests that change tables, or map others: they name a keyspace of their own.
 */
import cassandra from 'cassandra-driver'
import { testClientCredentials, testContactPoint } from '../../leasehold/test/node-session.ts'

// Files share the process, and not always its modules.
const place = globalThis as { [made]?: true }
const made: unique symbol = Symbol.for('leasehold.test-keyspace') as never

/** @returns its name; the first console of it makes its tables */
export async function emptiedKeyspace(): Promise<string> {
  const keyspace = `console_test_${process.pid}`
  if (place[made]) await empty(keyspace)
  place[made] = true
  return keyspace
}

async function empty(keyspace: string): Promise<void> {
  const client = new cassandra.Client({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    keyspace,
    protocolOptions: { maxVersion: 4 },
    // A TRUNCATE writes to the disk, for which a busy machine takes longer than the driver's 12 s.
    socketOptions: { connectTimeout: 60_000, readTimeout: 60_000 },
    ...testClientCredentials(),
  })
  try {
    const { rows } = await client.execute(
      'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
      [keyspace],
      { prepare: true },
    )
    // Those of the migrations too: a console that has migrated before does not start without what it knew.
    for (const { table_name: table } of rows) {
      const { rowLength } = await client.execute(`SELECT * FROM "${table}" LIMIT 1`)
      if (rowLength > 0) await client.execute(`TRUNCATE "${table}"`)
    }
  } finally {
    await client.shutdown()
  }
}
