import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROLES, readRolesFile } from '../cassandra/roles-file.mjs'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { ROOT } from '../process/registry.mjs'
import { connectionFile, noEmbeddedNode } from '../start/connection-file.mjs'
import { readSettings } from '../start/settings.mjs'
import { Failure } from '../terminal/failure.mjs'

/**
 * @typedef {{ ca: string, cert?: string | undefined, key?: string | undefined }} Tls PEM texts
 * @typedef {{
 *   contactPoints: string[], localDataCenter: string, keyspace: string,
 *   username: string | null, password: string | null, tls: Tls | null,
 *   serial: 'SERIAL' | 'LOCAL_SERIAL', embeddedIn?: string,
 * }} Connection embeddedIn: the data directory of an embedded node
 */

/**
 * Where to connect to, by the variables of the console: the cluster that the environment names, else the embedded node that
 * runs.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Connection}
 */
export function findConnection(env = process.env) {
  const serial = serialLevel(env)
  if (env.CASSANDRA_CONTACT_POINTS) {
    return {
      contactPoints: env.CASSANDRA_CONTACT_POINTS.split(',')
        .map((point) => point.trim())
        .filter(Boolean),
      localDataCenter: env.CASSANDRA_LOCAL_DC || 'datacenter1',
      keyspace: env.CASSANDRA_KEYSPACE || 'leasehold',
      username: env.CASSANDRA_USERNAME || null,
      // The end of its last line alone: a space may be part of a password.
      password:
        env.CASSANDRA_PASSWORD || readNamed(env, 'CASSANDRA_PASSWORD_FILE')?.replace(/[\r\n]+$/, '') || null,
      tls: tlsOf(env),
      serial,
    }
  }
  const dataDir = resolve(readSettings(env, ROOT).dataDir)
  const file = connectionFile(dataDir)
  try {
    const running = JSON.parse(readFileSync(file, 'utf8'))
    // The file names the role for programs. Who is at this machine and types a statement may do everything.
    const password = readRolesFile(nodePlaces(dataDir).rolesFile)[ROLES.admin]
    const embedded = { ...running, tls: null, serial, embeddedIn: dataDir }
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

/** @param {NodeJS.ProcessEnv} env @returns {Tls | null} */
function tlsOf(env) {
  if (!env.CASSANDRA_TLS_CA && (env.CASSANDRA_TLS_CERT || env.CASSANDRA_TLS_KEY))
    throw new Failure(
      'CASSANDRA_TLS_CERT and CASSANDRA_TLS_KEY need CASSANDRA_TLS_CA: verification is always on.',
    )
  const ca = readNamed(env, 'CASSANDRA_TLS_CA')
  if (ca === undefined) return null
  return { ca, cert: readNamed(env, 'CASSANDRA_TLS_CERT'), key: readNamed(env, 'CASSANDRA_TLS_KEY') }
}

/** @param {NodeJS.ProcessEnv} env @returns {Connection['serial']} */
function serialLevel({ CASSANDRA_SERIAL: level = '' }) {
  if (level === '') return 'SERIAL'
  if (level === 'SERIAL' || level === 'LOCAL_SERIAL') return level
  throw new Failure('CASSANDRA_SERIAL is neither SERIAL nor LOCAL_SERIAL.')
}

/** The text of the file that a variable names. @param {NodeJS.ProcessEnv} env @param {string} name */
function readNamed(env, name) {
  const path = env[name]
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Failure(`${name}: the file ${path} cannot be read (${code}).`)
  }
}
