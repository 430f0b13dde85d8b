import { setTimeout as sleep } from 'node:timers/promises'
import cassandra from 'cassandra-driver'
import { noEmbeddedNode } from '../start/connection-file.mjs'
import { Failure } from '../terminal/failure.mjs'
import { sayWaiting } from '../terminal/waiting.mjs'
import { findConnection } from './connection.mjs'
import { rowJson } from './row-json.mjs'

const { consistencies } = cassandra.types

/** As the console has them: a table whose clients mix the two levels grants a lease twice. */
const LEVELS = {
  SERIAL: { serial: consistencies.serial, quorum: consistencies.quorum },
  LOCAL_SERIAL: { serial: consistencies.localSerial, quorum: consistencies.localQuorum },
}

/** @param {import('./connection.mjs').Connection['serial']} serial */
export const levelsOf = (serial) => LEVELS[serial]

/** @param {import('./arguments.mjs').CqlArguments} wanted */
export async function runStatement({ statement, serial, trace, keyspace }) {
  const connection = findConnection()
  const levels = levelsOf(connection.serial)
  const client = await connect(connection, keyspace ?? connection.keyspace)
  try {
    const options = {
      // A SELECT is serial by its consistency; serialConsistency matters to conditional writes alone.
      consistency: serial ? levels.serial : levels.quorum,
      serialConsistency: levels.serial,
      traceQuery: trace,
      fetchSize: 1_000,
    }
    const result = await sayWaiting('Cassandra', () => client.execute(statement, [], options))
    // `for await` goes on to the next pages; a result of no rows has none to offer.
    if (result.columns) for await (const row of result) process.stdout.write(`${rowJson(row)}\n`)
    for (const warning of result.info.warnings ?? []) process.stderr.write(`warning: ${warning}\n`)
    if (trace) await printTrace(client, result.info.traceId)
  } catch (error) {
    throw asFailure(error)
  } finally {
    await client.shutdown()
  }
}

/**
 * @param {import('./connection.mjs').Connection} connection
 * @param {string} keyspace
 */
export async function connect(connection, keyspace) {
  const { contactPoints, localDataCenter, username, password, tls, embeddedIn } = connection
  const options = {
    contactPoints,
    localDataCenter,
    protocolOptions: { maxVersion: 4 },
    // Instants and counters beyond 2^53 would lose digits as numbers.
    encoding: { useBigIntAsLong: true, useBigIntAsVarint: true },
    queryOptions: { isIdempotent: false },
    policies: { retry: new cassandra.policies.retry.FallthroughRetryPolicy() },
    socketOptions: { connectTimeout: 5_000, readTimeout: 30_000 },
    credentials: username ? { username, password: password ?? '' } : undefined,
    // The driver verifies certificates only with this option.
    sslOptions: tls ? { ...tls, rejectUnauthorized: true } : undefined,
  }
  // Without the keyspace first: a new cluster has none yet, and CREATE KEYSPACE must be possible there.
  const client = new cassandra.Client(options)
  try {
    await sayWaiting(`Cassandra at ${contactPoints.join(', ')}`, async () => {
      await client.connect()
      const known = await client.execute('SELECT keyspace_name FROM system_schema.keyspaces')
      if (!known.rows.some((row) => row.keyspace_name === keyspace)) return
      await client.execute(`USE "${keyspace.replaceAll('"', '""')}"`)
    })
    return client
  } catch (error) {
    await client.shutdown()
    throw new Failure(unreachable(error, contactPoints, embeddedIn))
  }
}

/** @param {unknown} error @param {string[]} contactPoints @param {string} [embeddedIn] */
function unreachable(error, contactPoints, embeddedIn) {
  const where = contactPoints.join(', ')
  const { name, message, innerErrors } = /** @type {Error & { innerErrors?: Record<string, Error> }} */ (
    error
  )
  const reason = Object.values(innerErrors ?? {})[0]?.message ?? message
  if (embeddedIn !== undefined) return noEmbeddedNode(embeddedIn, `${where}: ${reason}`)
  if (name === 'AuthenticationError' || /authentication|credentials/i.test(reason)) {
    return `Cassandra at ${where} refused the sign-in (${reason}): check CASSANDRA_USERNAME and CASSANDRA_PASSWORD.`
  }
  return `Cassandra at ${where} is not running or cannot be reached (${reason}): start it, or check CASSANDRA_CONTACT_POINTS and CASSANDRA_TLS_CA.`
}

/** The server's own sentence, where there is one. @param {unknown} error */
function asFailure(error) {
  const { name, message, innerErrors } = /** @type {Error & { innerErrors?: Record<string, Error> }} */ (
    error
  )
  const inner = Object.values(innerErrors ?? {})[0]
  if (name === 'OperationTimedOutError' || inner?.name === 'OperationTimedOutError') {
    return new Failure('Cassandra did not answer in time: whether the statement was applied is unknown.')
  }
  return new Failure(`Cassandra says: ${inner?.message ?? message}`)
}

/**
 * The events are written after the answer was sent, so they arrive a little later.
 *
 * @param {cassandra.Client} client
 * @param {cassandra.types.Uuid} traceId
 */
async function printTrace(client, traceId) {
  for (let tries = 0; tries < 20; tries += 1) {
    const session = await client.execute(
      'SELECT duration FROM system_traces.sessions WHERE session_id = ?',
      [traceId],
      { prepare: true },
    )
    if (session.first()?.duration != null) break
    await sleep(100)
  }
  const events = await client.execute(
    'SELECT source, source_elapsed, activity FROM system_traces.events WHERE session_id = ?',
    [traceId],
    { prepare: true },
  )
  for (const { source, source_elapsed, activity } of events.rows) {
    process.stderr.write(`${String(source_elapsed).padStart(8)} µs  ${source}  ${activity}\n`)
  }
}
