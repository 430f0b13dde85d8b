/** For integration tests alone: a session on the node that the test run started, in a keyspace of its own. */
import { type CassandraSession, connect } from './session.ts'

/** @throws when no node was started for the tests */
export function testContactPoint(): string {
  const contactPoint = process.env.LEASEHOLD_TEST_CONTACT_POINT
  if (contactPoint === undefined || contactPoint === '')
    throw new Error('LEASEHOLD_TEST_CONTACT_POINT is not set: run `npm test`, which starts a node.')
  return contactPoint
}

/** Who may do everything on that node; empty where it asks nobody. */
export function testCredentials(): { username: string; password: string } | Record<string, never> {
  const { LEASEHOLD_TEST_USERNAME: username, LEASEHOLD_TEST_PASSWORD: password = '' } = process.env
  return username === undefined || username === '' ? {} : { username, password }
}

/** The same, for a bare client of the driver. */
export const testClientCredentials = () => {
  const credentials = testCredentials()
  return 'username' in credentials ? { credentials } : {}
}

/** The same, for a program that reads the environment. */
export const testCredentialsEnvironment = (): Record<string, string> => {
  const { username, password } = testCredentials()
  return username === undefined ? {} : { CASSANDRA_USERNAME: username, CASSANDRA_PASSWORD: password }
}

export async function testSession(keyspace: string): Promise<CassandraSession> {
  const session = await connect({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testCredentials(),
  })
  await session.client.execute(
    `CREATE KEYSPACE IF NOT EXISTS "${keyspace}" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
  )
  return session
}
