import { join, resolve } from 'node:path'
import { parsePort } from '../process/ports.mjs'
import { Failure } from '../terminal/failure.mjs'

/**
 * What `npm start` itself needs of the environment. The server reads the rest, and checks all of it.
 *
 * @typedef {{
 *   host: string, port: number, publicUrl: string, dataDir: string, keyspace: string,
 *   cassandraPort: number, cassandraPortFixed: boolean, embedded: boolean,
 * }} Settings
 */

const DEFAULT_CASSANDRA_PORT = 9042

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root
 * @param {string} [dataDirName]
 * @returns {Settings}
 */
export function readSettings(env, root, dataDirName = '.leasehold') {
  const port = portFrom(env, 'PORT') ?? 3000
  const cassandraPort = portFrom(env, 'LEASEHOLD_CASSANDRA_PORT')
  return {
    host: env.HOST || '127.0.0.1',
    port,
    publicUrl: env.PUBLIC_URL || `http://localhost:${port}`,
    dataDir: env.LEASEHOLD_DATA_DIR ? resolve(env.LEASEHOLD_DATA_DIR) : join(root, dataDirName),
    keyspace: env.CASSANDRA_KEYSPACE || 'leasehold',
    cassandraPort: cassandraPort ?? DEFAULT_CASSANDRA_PORT,
    cassandraPortFixed: cassandraPort !== undefined,
    embedded: !env.CASSANDRA_CONTACT_POINTS,
  }
}

/** @param {NodeJS.ProcessEnv} env @param {string} name */
function portFrom(env, name) {
  if (!env[name]) return undefined
  const port = parsePort(env[name])
  if (port === null)
    throw new Failure(`${name} is "${env[name]}", which is not a port: set it to a number from 1 to 65535.`)
  return port
}

/**
 * Why the console cannot listen there.
 *
 * @param {string} state from probePort
 * @param {{ host: string, port: number }} where
 * @returns {string | null} null when it can
 */
export function portRefusal(state, { host, port }) {
  const free = port < 65_535 ? port + 1 : port - 1
  switch (state) {
    case 'free':
      return null
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program: stop it, or set PORT to a free one (PORT=${free} npm start).`
    case 'EACCES':
      return `Port ${port} is not open to you: set PORT to one above 1023 (PORT=3000 npm start).`
    default:
      return `The console cannot listen on HOST ${host} (${state}): set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.`
  }
}
