/** For integration tests alone: a session on the node that the test run started, in a keyspace of its own. */
import type { ConnectOptions } from '../cassandra/driver/client-options.ts'
import { connect } from '../cassandra/session/connect.ts'
import type { CassandraSession } from '../cassandra/session/session.ts'
import { isLeaseholdError } from '../lease/index.ts'
import { minKeptTtlSeconds, type PaxosVariant } from '../time/index.ts'

/** @throws when no node was started for the tests */
export function testContactPoint(): string {
  const contactPoint = process.env.LEASEHOLD_TEST_CONTACT_POINT
  if (contactPoint === undefined || contactPoint === '')
    throw new Error('LEASEHOLD_TEST_CONTACT_POINT is not set: run `npm test`, which starts a node.')
  return contactPoint
}

/** The node that the run started, by `npm test -- --cassandra`: `5.0`, `4.1-v1`. */
const [release = '', variant = ''] = (process.env.LEASEHOLD_TEST_CASSANDRA ?? '5.0').split('-')
export const testRelease: string = release
export const testVariant: PaxosVariant = variant === 'v1' ? 'v1' : 'v2'

/** The shortest TTL that is kept alive on that node: under Paxos v1 a renewal may be applied later than under v2. */
export const testKeptTtlSeconds = (maxClockSkewMs: number): number =>
  minKeptTtlSeconds(maxClockSkewMs, testVariant)

interface Credentials {
  username: string
  password: string
}

/** The role for programs, as `.leasehold/cassandra.json` names it beside `npm start`; empty where the node asks for none. */
export function testProgramCredentials(): Partial<Credentials> {
  const { LEASEHOLD_TEST_PROGRAM_USERNAME: username, LEASEHOLD_TEST_PROGRAM_PASSWORD: password = '' } =
    process.env
  return username === undefined || username === '' ? testCredentials() : { username, password }
}

function credentialsOfRun(): Credentials | null {
  const { LEASEHOLD_TEST_USERNAME: username, LEASEHOLD_TEST_PASSWORD: password = '' } = process.env
  return username === undefined || username === '' ? null : { username, password }
}

/** The superuser of that node; empty where it needs no password. */
export const testCredentials = (): Partial<Credentials> => credentialsOfRun() ?? {}

/** The same, for a bare client of the driver. */
export function testClientCredentials(): { credentials?: Credentials } {
  const credentials = credentialsOfRun()
  return credentials === null ? {} : { credentials }
}

/** The same, for a program that reads the environment. */
export function testCredentialsEnvironment(): Record<string, string> {
  const credentials = credentialsOfRun()
  return credentials === null
    ? {}
    : { CASSANDRA_USERNAME: credentials.username, CASSANDRA_PASSWORD: credentials.password }
}

/** Connects as often as it takes: the driver gives up a connection that a busy machine has not opened after 3 s. */
export async function testConnect(options: ConnectOptions): Promise<CassandraSession> {
  for (let tries = 1; ; tries++)
    try {
      return await connect(options)
    } catch (thrown) {
      if (tries === 10 || !isLeaseholdError(thrown, 'store-unavailable')) throw thrown
    }
}

/** Statements that tests send themselves, CREATE TABLE for one: as long as a busy machine may take, and not the driver's 12 s. */
const ownStatementsMs = 60_000

export async function testSession(keyspace: string): Promise<CassandraSession> {
  const session = await testConnect({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    keyspace,
    driverOptions: { socketOptions: { readTimeout: ownStatementsMs } },
    ...testCredentials(),
  })
  await session.client.execute(
    `CREATE KEYSPACE IF NOT EXISTS "${keyspace}" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
  )
  return session
}
