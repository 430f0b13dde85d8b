import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNode } from '../node.mjs'
import { SHORT_LIVED } from '../settings/java-options.mjs'
import { nodePlaces } from '../settings/places.mjs'
import { isRefusedSignIn, isUncheckedSignIn, signIn } from './cql-connection.mjs'
import { ensureRoles } from './roles.mjs'

/**
 * A node of its own: its roles are unmade and made again. A busy machine takes minutes to start it, and seconds for each of some
 * three hundred passwords.
 */
const dataDir = join(process.env.LEASEHOLD_TEST_DIR ?? '', 'nodes', 'roles')
const { rolesFile } = nodePlaces(dataDir)
const byDefault = { username: 'cassandra', password: 'cassandra' }

/** @type {import('../node.mjs').CassandraNode} */
let node

beforeAll(async () => {
  if (!process.env.LEASEHOLD_TEST_DIR) throw new Error('LEASEHOLD_TEST_DIR is not set: run `npm test`.')
  rmSync(dataDir, { recursive: true, force: true })
  node = await startNode({ dataDir, javaOptions: SHORT_LIVED })
}, 1_500_000)
afterAll(() => node?.stop())

/** A busy node cannot always check a password in time, and says so. @param {{ username: string, password: string }} who */
async function as(who) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await signIn({ host: node.host, port: node.port, ...who })
    } catch (error) {
      if (!isUncheckedSignIn(error) || tries === 20) throw error
    }
  }
}

/** @param {{ username: string, password: string }} who @returns {Promise<'signed in' | 'refused'>} */
async function tries(who) {
  try {
    const connection = await as(who)
    connection.close()
    return 'signed in'
  } catch (error) {
    if (isRefusedSignIn(error)) return 'refused'
    throw error
  }
}

it('lets in who has a password of ours, and not the superuser that every Cassandra begins with', async () => {
  expect(await tries(byDefault)).toBe('refused')
  expect(await tries({ username: 'leasehold_reader', password: 'leasehold_reader' })).toBe('refused')
  for (const role of Object.values(node.roles)) expect(await tries(role)).toBe('signed in')
  const admin = await as(node.roles.admin)
  const roles = await admin.query('SELECT role, is_superuser, can_login FROM system_auth.roles')
  admin.close()
  const superusers = roles.filter(([, superuser]) => superuser === '\x01').map(([name]) => name)
  expect(superusers).toEqual(['leasehold_admin'])
  expect(roles.filter(([, , login]) => login !== '\x01').map(([name]) => name)).toEqual(['cassandra'])
})

it('gives no role a way to make itself more', async () => {
  const { schema, writer, reader, program } = node.roles
  for (const role of [schema, writer, reader, program]) {
    const connection = await as(role)
    for (const cql of [
      `UPDATE system_auth.roles SET is_superuser = true WHERE role = '${role.username}'`,
      `INSERT INTO system_auth.role_permissions (role, resource, permissions) VALUES ('${role.username}', 'data', {'MODIFY'})`,
      `ALTER ROLE ${role.username} WITH SUPERUSER = true`,
      `ALTER ROLE leasehold_admin WITH PASSWORD = 'x'`,
      `CREATE ROLE another WITH LOGIN = true`,
      `GRANT leasehold_admin TO ${role.username}`,
      `GRANT MODIFY ON ALL KEYSPACES TO ${role.username}`,
      'TRUNCATE system_auth.roles',
      'DROP KEYSPACE system_traces',
    ])
      await expect(connection.query(cql), `${role.username}: ${cql}`).rejects.toThrow(
        /has no \w+ permission|is not authorized|aren't allowed|Only superusers|does not have sufficient privileges|^Cannot DROP/,
      )
    connection.close()
  }
})

it('lets a program make tables of its own, and keeps it out of the others', async () => {
  const admin = await as(node.roles.admin)
  const replication = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
  await admin.query(`CREATE KEYSPACE of_the_admin ${replication}`)
  await admin.query('CREATE TABLE of_the_admin.t (k text PRIMARY KEY)')
  // As an earlier version left its directory.
  await admin.query('GRANT SELECT ON ALL KEYSPACES TO leasehold_program')
  await admin.query('GRANT CREATE ON ALL KEYSPACES TO leasehold_program')
  await ensureRoles({ host: node.host, port: node.port, rolesFile })
  const granted = await admin.query('LIST ALL PERMISSIONS OF leasehold_program')
  expect(granted.map((row) => row.slice(-2)).sort()).toEqual([
    ['<keyspace programs>', 'CREATE'],
    ['<table system_views.settings>', 'SELECT'],
  ])
  const program = await as(node.roles.program)
  for (const role of Object.values(node.roles)) {
    const connection = await as(role)
    const settings = "SELECT value FROM system_views.settings WHERE name = 'paxos_variant'"
    expect(await connection.query(settings), role.username).toEqual([['v2']])
    connection.close()
  }
  const ofPrograms =
    "SELECT replication['class'], replication['datacenter1'] FROM system_schema.keyspaces WHERE keyspace_name = 'programs'"
  expect(await admin.query(ofPrograms)).toEqual([
    ['org.apache.cassandra.locator.NetworkTopologyStrategy', '1'],
  ])
  await program.query('CREATE TABLE programs.t (k text PRIMARY KEY)')
  await program.query("INSERT INTO programs.t (k) VALUES ('x') IF NOT EXISTS")
  for (const cql of [
    'SELECT k FROM of_the_admin.t',
    'CREATE TABLE of_the_admin.another (k text PRIMARY KEY)',
    `CREATE KEYSPACE of_a_program ${replication}`,
    "INSERT INTO of_the_admin.t (k) VALUES ('x')",
    'TRUNCATE of_the_admin.t',
    'DROP TABLE of_the_admin.t',
  ])
    await expect(program.query(cql), cql).rejects.toThrow(/has no (SELECT|CREATE|MODIFY|DROP) permission/)
  program.close()
  admin.close()
})

/**
 * A relay to the node that cuts everything off at the n-th request, as kill -9 would: the request may arrive or not.
 *
 * @param {number} lastRequest
 * @param {boolean} delivered whether the last one still reaches the node
 */
async function cutAfter(lastRequest, delivered) {
  let requests = 0
  const server = createServer((client) => {
    const upstream = connect(node.port, node.host)
    client.on('error', () => {})
    upstream.on('error', () => {})
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
    upstream.on('data', (chunk) => requests < lastRequest && client.write(chunk))
    client.on('data', (chunk) => {
      requests += 1
      if (requests < lastRequest || delivered) upstream.write(chunk)
      if (requests >= lastRequest) client.destroy()
    })
  }).listen(0, node.host)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { port, close: () => server.close(), requests: () => requests }
}

/** As a directory is before its first start: no role but the superuser that every Cassandra begins with, and no file. */
async function unmake() {
  const admin = await as(node.roles.admin)
  await admin.query("ALTER ROLE cassandra WITH PASSWORD = 'cassandra' AND LOGIN = true AND SUPERUSER = true")
  admin.close()
  const first = await as(byDefault)
  for (const { username } of Object.values(node.roles)) await first.query(`DROP ROLE ${username}`)
  first.close()
  rmSync(rolesFile)
}

it('is brought to its end by the next start, wherever the first one was cut off', async () => {
  let requests = 1
  for (let cut = 1; cut <= requests; cut += 1) {
    await unmake()
    const relay = await cutAfter(cut, cut % 2 === 0)
    await expect(ensureRoles({ host: node.host, port: relay.port, rolesFile })).rejects.toThrow()
    relay.close()

    const whole = await cutAfter(Number.POSITIVE_INFINITY, true)
    node.roles = await ensureRoles({ host: node.host, port: whole.port, rolesFile })
    whole.close()
    // How many there are is known from a run that was not cut off in its very beginning.
    requests = Math.max(requests, whole.requests())
    expect(await tries(byDefault), `cut off at request ${cut}`).toBe('refused')
    for (const role of Object.values(node.roles)) expect(await tries(role), `cut ${cut}`).toBe('signed in')
  }
  expect(requests).toBeGreaterThan(20)
}, 1_500_000)

it('comes up after kill -9 with the passwords that it had', async () => {
  const { roles, port } = node
  await node.kill()
  node = await startNode({ dataDir, preferredPort: port, javaOptions: SHORT_LIVED })
  expect(node.roles).toEqual(roles)
  expect(await tries(byDefault)).toBe('refused')
  expect(await tries(roles.writer)).toBe('signed in')
}, 1_500_000)
