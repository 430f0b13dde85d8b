/** For integration tests alone: a session on the node that the test run started, in a keyspace of its own. */
import { type CassandraSession, connect } from './session.ts'

/** @throws when no node was started for the tests */
export function testContactPoint(): string {
  const contactPoint = process.env.LEASEHOLD_TEST_CONTACT_POINT
  if (contactPoint === undefined || contactPoint === '')
    throw new Error('LEASEHOLD_TEST_CONTACT_POINT is not set: run `npm test`, which starts a node.')
  return contactPoint
}

export async function testSession(keyspace: string): Promise<CassandraSession> {
  const session = await connect({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    keyspace,
  })
  await session.client.execute(
    `CREATE KEYSPACE IF NOT EXISTS "${keyspace}" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
  )
  return session
}
