/** For tests alone: on a node with authentication, a console signs in as roles that may do no more than it must. */
import cassandra from 'cassandra-driver'
import { testClientCredentials, testContactPoint } from '../../leasehold/test/node-session.ts'
import { administratorGrants, grantCql } from '../store/schema/grants.ts'

const password = 'of a test'
let consoles = 0

/**
 * The environment of a console on this keyspace, with roles of its own; empty on a node without
 * passwords. The reader and the writer have almost no permission yet: the console has to grant it.
 * @param keyspaces others with tables that are mapped
 */
export async function testRoles(keyspace: string, keyspaces: string[] = []): Promise<Record<string, string>> {
  const credentials = testClientCredentials()
  if (credentials.credentials === undefined) return {}
  const client = new cassandra.Client({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    protocolOptions: { maxVersion: 4 },
    // Roles and grants are many small writes, which a busy machine makes wait.
    socketOptions: { connectTimeout: 60_000, readTimeout: 60_000 },
    ...credentials,
  })
  consoles += 1
  const [reader, writer, schema, program] = ['reader', 'writer', 'schema', 'program'].map(
    // Of one console: what one is granted, or has taken from it, is not another's.
    (use) => `${keyspace}_${process.pid}_${consoles}_${use}`,
  ) as [string, string, string, string]
  try {
    for (const role of [reader, writer, schema, program])
      await client.execute(
        `CREATE ROLE IF NOT EXISTS "${role}" WITH PASSWORD = '${password}' AND LOGIN = true`,
      )
    for (const grant of administratorGrants({ reader, writer, program }))
      await client.execute(grantCql(grant))
    await client.execute(`GRANT CREATE ON ALL KEYSPACES TO "${schema}"`)
    const { rows } = await client.execute('SELECT keyspace_name FROM system_schema.keyspaces')
    for (const { keyspace_name: name } of rows)
      if ([keyspace, ...keyspaces].includes(name))
        await client.execute(`GRANT ALL PERMISSIONS ON KEYSPACE "${name}" TO "${schema}"`)
  } finally {
    await client.shutdown()
  }
  return {
    CASSANDRA_USERNAME: writer,
    CASSANDRA_PASSWORD: password,
    CASSANDRA_READ_USERNAME: reader,
    CASSANDRA_READ_PASSWORD: password,
    CASSANDRA_SCHEMA_USERNAME: schema,
    CASSANDRA_SCHEMA_PASSWORD: password,
    CASSANDRA_PROGRAM_ROLE: program,
  }
}
