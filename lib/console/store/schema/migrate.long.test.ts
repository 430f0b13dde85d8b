/**
 * Two consoles that start at once on a cluster that has nothing of them: a hundred times, since the moments in which one
 * sees half of what the other makes are short. `npm run test:long`; LEASEHOLD_TEST_ROUNDS for fewer or more.
 */
import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testClientCredentials, testContactPoint } from '../../../leasehold/test/node-session.ts'
import { prepareFirstUser } from '../../people/sign-in/first-user.ts'
import { readConfig } from '../../start/config/config.ts'
import { createConsole } from '../../start/start.ts'
import { testEnvironment } from '../../test/test-console.ts'
import { testRoles } from '../../test/test-roles.ts'
import { migrationsLease } from './migrate.ts'
import { migrations } from './schema.ts'

const rounds = Number(process.env.LEASEHOLD_TEST_ROUNDS ?? 100)
const keyspace = 'migrate_long'
let client: cassandra.Client
let roles: Record<string, string>

beforeAll(async () => {
  client = new cassandra.Client({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    protocolOptions: { maxVersion: 4 },
    socketOptions: { readTimeout: 60_000 },
    ...testClientCredentials(),
  })
  await client.connect()
  await client.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`)
  roles = await testRoles(keyspace)
})
afterAll(() => client?.shutdown())

async function start() {
  const context = await createConsole(readConfig({ ...roles, ...testEnvironment(keyspace) }))
  try {
    await prepareFirstUser(context)
    expect((await context.users.list()).map((user) => user.username)).toEqual(['admin'])
  } finally {
    context.close()
    await context.audit.close()
    await context.session.close()
  }
}

it(
  `both start, ${rounds} times in a row`,
  async () => {
    const failed: string[] = []
    for (let round = 1; round <= rounds; round++) {
      const ends = await Promise.allSettled([start(), start()])
      for (const end of ends)
        if (end.status === 'rejected') failed.push(`round ${round}: ${end.reason.stack ?? end.reason}`)
      const { rows: leases } = await client.execute(`SELECT owner FROM ${keyspace}.leases WHERE name = ?`, [
        migrationsLease,
      ])
      if (leases.length > 0) failed.push(`round ${round}: the lease of the migrations is not released`)
      const { rows } = await client.execute(`SELECT version FROM ${keyspace}.schema_migrations`)
      if (rows.length !== migrations.length) failed.push(`round ${round}: ${rows.length} migrations`)
      await client.execute(`DROP KEYSPACE ${keyspace}`)
    }
    expect(failed).toEqual([])
  },
  rounds * 60_000,
)
