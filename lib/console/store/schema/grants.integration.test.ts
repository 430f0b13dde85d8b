/** What the console's roles can do is what they must, as Cassandra sees it. Needs a node that asks who one is. */
import { type CassandraSession, connect } from 'leasehold/cassandra'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testContactPoint, testCredentials, testSession } from '../../../leasehold/test/node-session.ts'
import { readConfig } from '../../start/config/config.ts'
import { createConsole } from '../../start/start.ts'
import { type TestConsole, testConsole, testEnvironment } from '../../test/test-console.ts'
import { testRoles } from '../../test/test-roles.ts'
import { applyGrants, ownTables } from './grants.ts'

const keyspace = 'grants_test'
const foreign = 'grants_foreign_test'
const tableOf = (readOnly: boolean) => ({ keyspace: foreign, readOnly })
const configOf = (theirsReadOnly: boolean) =>
  JSON.stringify({
    tables: {
      theirs: { table: 'theirs', ...tableOf(theirsReadOnly) },
      ours: { table: 'ours', ...tableOf(false) },
    },
  })

describe.runIf('username' in testCredentials())("the console's roles", () => {
  let admin: CassandraSession
  let roles: Record<string, string>
  let console: TestConsole
  const sessions: CassandraSession[] = []

  const signedInAs = async (use: 'writer' | 'reader' | 'program') => {
    const [username, password] = {
      writer: [roles.CASSANDRA_USERNAME, roles.CASSANDRA_PASSWORD],
      reader: [roles.CASSANDRA_READ_USERNAME, roles.CASSANDRA_READ_PASSWORD],
      program: [roles.CASSANDRA_PROGRAM_ROLE, roles.CASSANDRA_PASSWORD],
    }[use] as [string, string]
    const session = await connect({
      contactPoints: [testContactPoint()],
      localDataCenter: 'datacenter1',
      keyspace,
      username,
      password,
    })
    sessions.push(session)
    return (cql: string) => session.client.execute(cql)
  }

  beforeAll(async () => {
    admin = await testSession(foreign)
    for (const table of ['theirs', 'ours', 'unmapped'])
      await admin.client.execute(
        `CREATE TABLE IF NOT EXISTS ${foreign}.${table} (name text PRIMARY KEY, owner text)`,
      )
    roles = await testRoles(keyspace, [foreign])
    console = await testConsole(keyspace, { ...roles, LEASEHOLD_CONFIG: configOf(true) })
  })
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.close()))
    await console?.context.session.close()
    await admin?.close()
  })

  it('suffice for all that the console does', async () => {
    const lock = `/v1/locks/${Date.now()}`
    expect((await console.api('PUT', `${lock}?table=ours`, {})).status).toBe(201)
    expect((await console.api('PUT', lock, {})).status).toBe(201)
    expect((await console.api('GET', '/v1/leases?table=theirs')).status).toBe(200)
    expect((await console.api('PUT', `${lock}?table=theirs`, {})).status).toBe(403)
  })

  it('keep the writer to the list', async () => {
    const writer = await signedInAs('writer')
    for (const table of ownTables()) {
      await writer(`SELECT * FROM ${keyspace}.${table} LIMIT 1`)
      await expect(writer(`DROP TABLE ${keyspace}.${table}`), table).rejects.toThrow(/has no DROP permission/)
      await expect(writer(`ALTER TABLE ${keyspace}.${table} WITH comment = 'x'`), table).rejects.toThrow(
        /has no ALTER permission/,
      )
    }
    for (const cql of [
      `INSERT INTO ${foreign}.theirs (name) VALUES ('x') IF NOT EXISTS`,
      `DELETE FROM ${foreign}.theirs WHERE name = 'x' IF EXISTS`,
      `TRUNCATE ${foreign}.theirs`,
      `INSERT INTO ${foreign}.unmapped (name) VALUES ('x')`,
      `SELECT * FROM ${foreign}.unmapped`,
      `INSERT INTO ${keyspace}.schema_migrations (version, name) VALUES (99, 'x')`,
      `TRUNCATE ${keyspace}.schema_migrations`,
      `UPDATE system_auth.roles SET is_superuser = true WHERE role = 'x'`,
      'SELECT * FROM system_auth.roles',
      `CREATE TABLE ${keyspace}.another (k text PRIMARY KEY)`,
      `CREATE KEYSPACE another WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
      `DROP KEYSPACE ${keyspace}`,
      `CREATE ROLE another`,
      `GRANT MODIFY ON TABLE ${foreign}.theirs TO "${roles.CASSANDRA_USERNAME}"`,
    ])
      await expect(writer(cql), cql).rejects.toThrow(
        /has no \w+ permission|does not have sufficient privileges/,
      )
    await writer(`INSERT INTO ${foreign}.ours (name, owner) VALUES ('x', 'o') IF NOT EXISTS USING TTL 5`)
  })

  it('let the reader modify nothing', async () => {
    const reader = await signedInAs('reader')
    for (const table of ['theirs', 'ours']) {
      await reader(`SELECT * FROM ${foreign}.${table}`)
      await expect(reader(`DELETE FROM ${foreign}.${table} WHERE name = 'x'`)).rejects.toThrow(/no MODIFY/)
    }
    for (const table of [...ownTables(), 'schema_migrations']) {
      await reader(`SELECT * FROM ${keyspace}.${table} LIMIT 1`)
      await expect(reader(`TRUNCATE ${keyspace}.${table}`), table).rejects.toThrow(/no MODIFY permission/)
    }
    // A conditional statement is a write, also when its condition fails.
    await expect(
      reader(`UPDATE ${keyspace}.leases SET owner = 'x' WHERE name = 'x' IF owner = 'never'`),
    ).rejects.toThrow(/no MODIFY permission/)
    await reader("SELECT value FROM system_views.settings WHERE name = 'paxos_variant'")
  })

  it('let programs use the lease tables, and no table of users, sessions, tokens or audit entries', async () => {
    const program = await signedInAs('program')
    await program(`INSERT INTO ${keyspace}.leases (name, owner) VALUES ('p', 'o') IF NOT EXISTS USING TTL 5`)
    for (const table of ['users', 'sessions', 'api_tokens', 'audit_log'])
      for (const cql of [`SELECT * FROM ${keyspace}.${table} LIMIT 1`, `TRUNCATE ${keyspace}.${table}`])
        await expect(program(cql), cql).rejects.toThrow(/has no \w+ permission/)
  })

  it('follow the present configuration, granting and revoking', async () => {
    const start = async (theirsReadOnly: boolean) => {
      const environment = testEnvironment(keyspace, { ...roles, LEASEHOLD_CONFIG: configOf(theirsReadOnly) })
      const again = await createConsole(readConfig(environment))
      again.close()
      await again.session.close()
    }
    const mayModify = async () => {
      const { rows = [] } = await admin.client.execute(
        `LIST MODIFY ON TABLE ${foreign}.theirs OF "${roles.CASSANDRA_USERNAME}"`,
      )
      return rows.length > 0
    }
    expect(await mayModify()).toBe(false)
    await start(false)
    expect(await mayModify()).toBe(true)
    await start(true)
    expect(await mayModify()).toBe(false)
  })

  it('are granted also while Cassandra remembers that the granting role could not', async () => {
    // Of two consoles that start at once, one makes the keyspace. The other one may use it before Cassandra has given the
    // role its rights there.
    const late = 'grants_late_test'
    await admin.client.execute(
      `CREATE KEYSPACE IF NOT EXISTS ${late} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    )
    const {
      CASSANDRA_SCHEMA_USERNAME: username = '',
      CASSANDRA_SCHEMA_PASSWORD: password = '',
      CASSANDRA_READ_USERNAME: role = '',
    } = await testRoles('grants_of_no_keyspace')
    const contactPoints = [testContactPoint()]
    const schema = await connect({
      contactPoints,
      localDataCenter: 'datacenter1',
      keyspace: late,
      username,
      password,
    })
    sessions.push(schema)
    const grant = { permission: 'SELECT', resource: `KEYSPACE "${late}"`, role, why: 'a test' } as const
    await expect(schema.client.execute(`GRANT SELECT ON ${grant.resource} TO "${role}"`)).rejects.toThrow(
      /AUTHORIZE/,
    )
    await admin.client.execute(`GRANT ALL PERMISSIONS ON ${grant.resource} TO "${username}"`)
    await applyGrants(schema, { grants: [grant], revocations: [] })
    const { rows } = await admin.client.execute(`LIST SELECT ON ${grant.resource} OF "${role}"`)
    expect(rows).toHaveLength(1)
  })

  it('are not what is wrong with a mapped table that does not exist', async () => {
    const start = (theirs: object) =>
      createConsole(
        readConfig(
          testEnvironment(keyspace, { ...roles, LEASEHOLD_CONFIG: JSON.stringify({ tables: { theirs } }) }),
        ),
      )
    await expect(start({ keyspace: foreign, table: 'their' })).rejects.toThrow(
      /^LEASEHOLD_CONFIG: tables\.theirs is .* has no table their\. It has ours, theirs, unmapped\./,
    )
    await expect(start({ keyspace: 'no_such_keyspace', table: 'theirs' })).rejects.toThrow(
      /^LEASEHOLD_CONFIG: .*Cassandra has no keyspace no_such_keyspace\./,
    )
  })

  it('are named when the granting role lacks a permission', async () => {
    const powerless = await testRoles(keyspace)
    const environment = testEnvironment(keyspace, { ...powerless, LEASEHOLD_CONFIG: configOf(true) })
    await expect(createConsole(readConfig(environment))).rejects.toThrow(
      /CASSANDRA_SCHEMA_USERNAME cannot do GRANT SELECT ON TABLE "grants_foreign_test"\."theirs" TO .*AUTHORIZE.*docs\/operations\.md/s,
    )
  })
})
