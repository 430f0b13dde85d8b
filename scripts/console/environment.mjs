import { nodePlaces } from '../cassandra/places.mjs'
import { ROLES, readRolesFile } from '../cassandra/roles-file.mjs'
import { findConnection } from '../cql/connection.mjs'
import { ROOT } from '../process/registry.mjs'
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
