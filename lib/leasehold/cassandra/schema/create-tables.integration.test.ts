import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConnect, testContactPoint, testCredentials, testSession } from '../../test/node-session.ts'
import type { CassandraSession } from '../session/session.ts'
import { createTables, type TableName } from './create-tables.ts'
import { tables } from './tables.ts'

const [one, two, granted] = ['create_tables_test', 'create_tables_at_once', 'create_tables_granted']
const sessions: CassandraSession[] = []

beforeAll(async () => {
  for (const keyspace of [one, two, granted]) {
    const session = await testSession(keyspace)
    sessions.push(session)
    await session.client.execute(`DROP KEYSPACE "${keyspace}"`)
    await session.client.execute(
      `CREATE KEYSPACE "${keyspace}" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
    )
  }
})
afterAll(() => Promise.all(sessions.map((session) => session.close())))

const named = (keyspace: string) =>
  sessions.find((session) => session.keyspace === keyspace) as CassandraSession
const where = (keyspace: string) => ({
  contactPoints: [testContactPoint()],
  localDataCenter: 'datacenter1',
  keyspace,
  ...testCredentials(),
})

it('makes the missing tables, and only those in `only`', async () => {
  const session = named(one)
  expect(await createTables(session, { only: ['leases', 'leases'] })).toEqual(['leases'])
  expect(await createTables(session, { only: ['leases'] })).toEqual([])
  const rest = await createTables(session)
  expect(rest.sort()).toEqual(
    Object.keys(tables)
      .filter((name) => name !== 'leases')
      .sort(),
  )
  expect(await session.store.read('x')).toMatchObject({ cells: null })
  expect(await session.resignRequests.of('x')).toEqual([])
  expect(await createTables(session, { only: undefined })).toEqual([])
})

it('succeeds in eight sessions at once', async () => {
  const others = await Promise.all(Array.from({ length: 8 }, () => testConnect(where(two))))
  try {
    await Promise.all(
      others.map(async (session) => {
        await createTables(session)
        await session.store.read('x')
      }),
    )
  } finally {
    await Promise.all(others.map((session) => session.close()))
  }
})

it('refuses the name of no table, and a missing keyspace', async () => {
  await expect(createTables(named(one), { only: ['lease' as TableName] })).rejects.toMatchObject({
    code: 'invalid-argument',
  })
  const session = await testConnect(where('create_tables_nowhere'))
  await expect(createTables(session)).rejects.toMatchObject({
    code: 'store-refused',
    message: expect.stringMatching(/There is no keyspace create_tables_nowhere/),
  })
  await session.close()
})

describe.runIf('username' in testCredentials())('a role that may not make tables', () => {
  const role = { username: 'create_tables_program', password: 'of a test' }
  let session: CassandraSession
  beforeAll(async () => {
    const { client } = named(granted)
    await client.execute(
      `CREATE ROLE IF NOT EXISTS ${role.username} WITH PASSWORD = '${role.password}' AND LOGIN = true`,
    )
    session = await testConnect({ ...where(granted), ...role })
  })
  afterAll(() => session?.close())

  it('gets an error that names the missing tables and the grant', async () => {
    await createTables(named(granted), { only: ['leases'] })
    const only: TableName[] = ['leases', 'sequences', 'lock_tickets']
    await expect(createTables(session, { only })).rejects.toMatchObject({
      code: 'store-refused',
      message: expect.stringMatching(
        /lacks the tables sequences, lock_tickets, .*GRANT CREATE ON KEYSPACE "create_tables_granted".*create_tables_program/,
      ),
    })
  })

  it('succeeds when no table is missing', async () => {
    await createTables(named(granted))
    expect(await createTables(session)).toEqual([])
  })
})
