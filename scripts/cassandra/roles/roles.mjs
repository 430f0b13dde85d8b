/**
 * The roles of an embedded node, brought to what they should be at every start.
 *
 * Guarantees: once this has returned, `cassandra` (the superuser that every new cluster has, with a well-known
 * password) cannot sign in; our own superuser can, and the other roles have the passwords of the file and the
 * permissions below. It may be cut off between any two statements: the next start goes on. A directory that was made
 * without authentication is brought up like a new one.
 * Does not guarantee: anything in the first moments of a new directory, until step 3 is done: any program on
 * this machine may then sign in as `cassandra`.
 *
 *  1. the passwords are in the file, before any role has one
 *  2. sign in as our superuser; while that is refused, as `cassandra`, to make it. Cassandra makes `cassandra` itself,
 *     some time after it answers
 *  3. disable `cassandra`. It stays: Cassandra would make it again in a cluster without any role
 *  4. the other roles: made, or given the password of the file if it does not let them in
 *  5. what they may do, and no more: what an earlier version granted is taken back
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../terminal/failure.mjs'
import { ensureRolesFile, ROLES } from '../roles-file.mjs'
import { isRefusedSignIn, isUncheckedSignIn, signIn } from './cql-connection.mjs'

const DEFAULT_SUPERUSER = { username: 'cassandra', password: 'cassandra' }
const SIGN_IN_WITHIN_MS = 60_000
/** While Cassandra says that it could not look: it is busy, and will. */
const CHECK_WITHIN_MS = 240_000
/**
 * Where programs make tables of their own. Not in the console's keyspace: a role has all permissions on a table that it
 * makes.
 */
const PROGRAMS_KEYSPACE = 'programs'
/** A boolean cell. */
const TRUE = '\x01'

/**
 * @param {{ host: string, port: number, rolesFile: string, signal?: AbortSignal }} node
 * @returns {Promise<import('../roles-file.mjs').NodeRoles>}
 */
export async function ensureRoles({ host, port, rolesFile, signal }) {
  // 1.
  const isNew = !existsSync(rolesFile)
  const roles = ensureRolesFile(rolesFile)
  // 2.
  const connection = await signInAsAdmin({ host, port, rolesFile, isNew, signal }, roles.admin)
  try {
    // 3.
    const found = await connection.query('SELECT role, can_login, is_superuser FROM system_auth.roles')
    for (const [name, ...flags] of found)
      if (name === DEFAULT_SUPERUSER.username && flags.includes(TRUE))
        await connection.query(disableDefaultSuperuser())
    // 4.
    const { admin: _, ...others } = roles
    for (const role of Object.values(others)) {
      signal?.throwIfAborted()
      const exists = found.some(([name]) => name === role.username)
      if (!exists) await connection.query(createRole(role))
      else if (!(await letsIn({ host, port, ...role }))) await connection.query(alterRole(role))
    }
    // 5.
    // The doctor warns of SimpleStrategy, and a table of a program may be mapped.
    await connection.query(
      `CREATE KEYSPACE IF NOT EXISTS ${PROGRAMS_KEYSPACE} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
    )
    for (const cql of revocations()) await connection.query(cql)
    const keyspaces = await connection.query('SELECT keyspace_name FROM system_schema.keyspaces')
    for (const cql of grants(keyspaces.map(([name]) => String(name)))) await connection.query(cql)
  } finally {
    connection.close()
  }
  return roles
}

/**
 * @param {{ host: string, port: number, rolesFile: string, isNew: boolean, signal?: AbortSignal }} node
 * @param {import('../roles-file.mjs').Credentials} admin
 */
async function signInAsAdmin({ host, port, rolesFile, isNew, signal }, admin) {
  const beganMs = performance.now()
  for (;;) {
    const unchecked = { error: /** @type {unknown} */ (undefined) }
    const connection = await signInUnlessRefused({ host, port, ...admin }, unchecked)
    if (connection) return connection
    const first = await signInUnlessRefused({ host, port, ...DEFAULT_SUPERUSER }, unchecked)
    if (first) {
      try {
        const found = await first.query('SELECT role FROM system_auth.roles')
        // One of that name may be there, with a password that was lost.
        const exists = found.some(([name]) => name === admin.username)
        await first.query((exists ? alterRole : createRole)(admin, true))
      } finally {
        first.close()
      }
      continue
    }
    signal?.throwIfAborted()
    const waitedMs = performance.now() - beganMs
    const why = whyNotSignedIn({
      waitedMs,
      unchecked: unchecked.error,
      username: admin.username,
      rolesFile,
      isNew,
    })
    if (why !== null) throw new Failure(why)
    await sleep(100)
  }
}

/**
 * Why a sign-in is given up; null: it is tried again. A new node refuses every password until it has made its first role,
 * some time after it answers: minutes, on a busy machine.
 *
 * @param {{ waitedMs: number, unchecked: unknown, username: string, rolesFile: string, isNew: boolean }} sign-in
 *   unchecked: what a node answered that could not check the password. isNew: the passwords were made by this start
 */
export function whyNotSignedIn({ waitedMs, unchecked, username, rolesFile, isNew }) {
  const isOverloaded = unchecked instanceof Error
  if (waitedMs < (isOverloaded || isNew ? CHECK_WITHIN_MS : SIGN_IN_WITHIN_MS)) return null
  if (isOverloaded)
    return `Cassandra answered, but could not check a password within ${CHECK_WITHIN_MS / 1000} seconds: it is overloaded. Start again when the machine has less to do. (${unchecked.message})`
  return isNew
    ? `Cassandra answered, but let no role sign in within ${CHECK_WITHIN_MS / 1000} seconds: it makes its first role late on an overloaded machine. Start again when the machine has less to do.`
    : `Cassandra refuses ${username} with the password of ${rolesFile}: restore that file, or see "A lost roles.json" in docs/operations.md.`
}

/**
 * @param {Parameters<typeof signIn>[0]} where
 * @param {{ error: unknown }} [unchecked] gets the answer of a node that could not check the password, instead of a throw
 */
async function signInUnlessRefused(where, unchecked) {
  try {
    return await signIn(where)
  } catch (error) {
    if (isRefusedSignIn(error)) return null
    if (unchecked === undefined || !isUncheckedSignIn(error)) throw error
    unchecked.error = error
    return null
  }
}

/** @param {Parameters<typeof signIn>[0]} where */
async function letsIn(where) {
  const connection = await signInUnlessRefused(where)
  connection?.close()
  return connection !== null
}

/** @param {import('../roles-file.mjs').Credentials} role @param {boolean} [superuser] */
const createRole = (role, superuser) =>
  `CREATE ROLE IF NOT EXISTS ${role.username} ${options(role, superuser)}`
/** @param {import('../roles-file.mjs').Credentials} role @param {boolean} [superuser] */
const alterRole = (role, superuser) => `ALTER ROLE ${role.username} ${options(role, superuser)}`
/** @param {import('../roles-file.mjs').Credentials} role */
const options = ({ password }, superuser = false) =>
  `WITH PASSWORD = ${literal(password)} AND LOGIN = true AND SUPERUSER = ${superuser}`

/** The new password is kept nowhere: enabling the role again would not bring back the well-known one. */
const disableDefaultSuperuser = () =>
  `ALTER ROLE ${DEFAULT_SUPERUSER.username} WITH PASSWORD = ${literal(randomBytes(32).toString('base64url'))} AND LOGIN = false AND SUPERUSER = false`

/**
 * The permissions of the roles before any console. The console grants the writer and programs their `MODIFY`, by the
 * schema role, when it has made the tables (lib/console/store/schema/grants.ts).
 *
 * @param {readonly string[]} keyspaces all that there are
 * @returns {string[]}
 */
export function grants(keyspaces) {
  const { schema, writer, reader, program } = ROLES
  return [
    // Of Cassandra's own keyspaces, "all" has none that matters; the settings and the state of the node are in this one.
    `GRANT SELECT ON ALL KEYSPACES TO ${reader}`,
    `GRANT SELECT ON KEYSPACE system_views TO ${reader}`,
    // `connect` reads paxos_variant there, whichever role it signs in as. Only a superuser can grant it.
    ...[schema, writer, program].map((role) => `GRANT SELECT ON TABLE system_views.settings TO ${role}`),
    `GRANT CREATE ON KEYSPACE ${PROGRAMS_KEYSPACE} TO ${program}`,
    `GRANT CREATE ON ALL KEYSPACES TO ${schema}`,
    // A role must have what it grants: for mapped tables, and for a keyspace that was made before there were roles.
    ...keyspaces
      .filter((name) => name !== 'system' && !name.startsWith('system_'))
      .map((name) => `GRANT ALL PERMISSIONS ON KEYSPACE "${name.replaceAll('"', '""')}" TO ${schema}`),
  ]
}

/** Takes back what earlier versions granted: a program may not read the table of users. */
const revocations = () =>
  ['SELECT', 'CREATE'].map((permission) => `REVOKE ${permission} ON ALL KEYSPACES FROM ${ROLES.program}`)

/** @param {string} text */
const literal = (text) => `'${text.replaceAll("'", "''")}'`
