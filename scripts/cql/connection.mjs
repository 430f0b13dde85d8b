import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROLES, readRolesFile } from '../cassandra/roles-file.mjs'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { ROOT } from '../process/registry.mjs'
import { connectionFile, noEmbeddedNode } from '../start/connection-file.mjs'
import { readSettings } from '../start/settings.mjs'
import { Failure } from '../terminal/failure.mjs'

/**
 * @typedef {{
 *   contactPoints: string[], localDataCenter: string, keyspace: string,
 *   username: string | null, password: string | null, embeddedIn?: string,
 * }} Connection embeddedIn: the data directory of an embedded node
 */

/**
 * Where to connect to: the cluster that the environment names, else the embedded node that runs.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Connection}
 */
export function findConnection(env = process.env) {
  if (env.CASSANDRA_CONTACT_POINTS) {
    return {
      contactPoints: env.CASSANDRA_CONTACT_POINTS.split(',')
        .map((point) => point.trim())
        .filter(Boolean),
      localDataCenter: env.CASSANDRA_LOCAL_DC || 'datacenter1',
      keyspace: env.CASSANDRA_KEYSPACE || 'leasehold',
      username: env.CASSANDRA_USERNAME || null,
      password:
        env.CASSANDRA_PASSWORD ||
        (env.CASSANDRA_PASSWORD_FILE ? readSecret(env.CASSANDRA_PASSWORD_FILE) : null),
    }
  }
  const dataDir = resolve(readSettings(env, ROOT).dataDir)
  const file = connectionFile(dataDir)
  try {
    const running = JSON.parse(readFileSync(file, 'utf8'))
    // The file names the role for programs. Who is at this machine and types a statement may do everything.
    const password = readRolesFile(nodePlaces(dataDir).rolesFile)[ROLES.admin]
    const embedded = { ...running, embeddedIn: dataDir }
    return password === undefined ? embedded : { ...embedded, username: ROLES.admin, password }
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT') throw new Failure(noEmbeddedNode(dataDir))
    throw new Failure(
      `${file} cannot be read (${code ?? 'it is damaged'}): stop Leasehold and start it again.`,
    )
  }
}

/** @param {string} path */
const readSecret = (path) => readFileSync(path, 'utf8').trim()
