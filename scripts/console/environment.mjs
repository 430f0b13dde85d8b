import { ROLES, readRolesFile } from '../cassandra/roles-file.mjs'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { findConnection } from '../cql/connection.mjs'
import { ROOT } from '../process/registry.mjs'
import { noEmbeddedNode } from '../start/connection-file.mjs'
import { readSettings } from '../start/settings.mjs'

/**
 * The environment that a console on this machine has: of the cluster that the environment names, else of the embedded
 * node that runs, in its roles.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Record<string, string | undefined>}
 */
export function consoleEnvironment(env = process.env) {
  const { dataDir } = readSettings(env, ROOT)
  const here = { ...env, LEASEHOLD_DATA_DIR: dataDir }
  if (env.CASSANDRA_CONTACT_POINTS) return here
  const { contactPoints, localDataCenter, keyspace } = findConnection(env)
  const passwords = readRolesFile(nodePlaces(dataDir).rolesFile)
  return {
    ...here,
    LEASEHOLD_EMBEDDED: '1',
    CASSANDRA_CONTACT_POINTS: contactPoints.join(','),
    CASSANDRA_LOCAL_DC: localDataCenter,
    CASSANDRA_KEYSPACE: keyspace,
    ...signInAs('CASSANDRA', ROLES.writer, passwords),
    ...signInAs('CASSANDRA_READ', ROLES.reader, passwords),
  }
}

/** Empty on a node without passwords. @param {string} prefix @param {string} role @param {Record<string, string>} passwords */
const signInAs = (prefix, role, passwords) => ({
  [`${prefix}_USERNAME`]: passwords[role] === undefined ? '' : role,
  [`${prefix}_PASSWORD`]: passwords[role] ?? '',
  [`${prefix}_PASSWORD_FILE`]: '',
})

/**
 * What to do when a command of the console failed because the embedded node does not answer.
 *
 * @param {unknown} error of the compiled console
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null} null: it failed for another reason
 */
export function embeddedNodeMissing(error, { LEASEHOLD_EMBEDDED, LEASEHOLD_DATA_DIR = '' }) {
  const { cause } = /** @type {Error} */ (error)
  const { code, message } = /** @type {Error & { code?: string }} */ (cause ?? error)
  return LEASEHOLD_EMBEDDED === '1' && code === 'store-unavailable'
    ? noEmbeddedNode(LEASEHOLD_DATA_DIR, message)
    : null
}
