import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { Failure } from '../terminal/failure.mjs'

/** The roles of the embedded node, and their uses. @typedef {{ username: string, password: string }} Credentials */
export const ROLES = /** @type {const} */ ({
  /** The superuser: sets up the others; `npm run cql`. */
  admin: 'leasehold_admin',
  /** Makes the console's tables, and grants rights on them. */
  schema: 'leasehold_schema',
  /** The console, where it modifies. */
  writer: 'leasehold_writer',
  /** The console, where it reads. */
  reader: 'leasehold_reader',
  /** Programs beside the console: the library, the command, any reader of cassandra.json. */
  program: 'leasehold_program',
})

/** @typedef {Record<keyof typeof ROLES, Credentials>} NodeRoles */

/**
 * The passwords of the embedded node's roles: 32 random bytes each, made at first use and for what is missing, in a
 * file for its owner alone. It is on the disk before this returns: a role whose password was lost could never be used.
 *
 * @param {string} file
 * @returns {NodeRoles}
 */
export function ensureRolesFile(file) {
  const known = readRolesFile(file)
  const names = Object.values(ROLES)
  const passwords = Object.fromEntries(
    names.map((name) => [name, known[name] ?? randomBytes(32).toString('base64url')]),
  )
  if (names.some((name) => known[name] === undefined)) replace(file, passwords)
  return /** @type {NodeRoles} */ (
    Object.fromEntries(
      Object.entries(ROLES).map(([use, username]) => [use, { username, password: passwords[username] }]),
    )
  )
}

/**
 * What a console on this node finds in its environment. Files that were named for a cluster are not for this node:
 * an empty variable is as good as none.
 *
 * @param {NodeRoles} roles
 * @returns {Record<string, string>}
 */
export const roleEnvironment = ({ schema, writer, reader, program }) => ({
  CASSANDRA_USERNAME: writer.username,
  CASSANDRA_PASSWORD: writer.password,
  CASSANDRA_PASSWORD_FILE: '',
  CASSANDRA_READ_USERNAME: reader.username,
  CASSANDRA_READ_PASSWORD: reader.password,
  CASSANDRA_READ_PASSWORD_FILE: '',
  CASSANDRA_SCHEMA_USERNAME: schema.username,
  CASSANDRA_SCHEMA_PASSWORD: schema.password,
  CASSANDRA_SCHEMA_PASSWORD_FILE: '',
  CASSANDRA_PROGRAM_ROLE: program.username,
})

/** @param {string} file @returns {Record<string, string>} passwords by name; none when there is no file */
export function readRolesFile(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT') return {}
    throw new Failure(`${file} cannot be read (${code}): make it readable to you alone.`)
  }
  try {
    const passwords = JSON.parse(text)
    const isTable = typeof passwords === 'object' && passwords !== null && !Array.isArray(passwords)
    if (isTable && Object.values(passwords).every((it) => typeof it === 'string' && it !== ''))
      return passwords
  } catch {}
  throw new Failure(
    `${file} is damaged: it holds the passwords of the embedded Cassandra's roles; restore it, or see "A lost roles.json" in docs/operations.md.`,
  )
}

/** @param {string} file @param {Record<string, string>} passwords */
function replace(file, passwords) {
  const descriptor = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeSync(descriptor, `${JSON.stringify(passwords, null, 2)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(`${file}.new`, file)
}
