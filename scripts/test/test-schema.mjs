/**
 * For integration tests: the schema of a node that many files share.
 *
 * - A change may take three minutes, as a test may: the node makes one change at a time, for all files, and more than half
 *   a minute was seen. So the tests give no limit of their own. What the product sends has limits, and is sent again.
 * - The keyspaces that a file made are dropped when it has ended: each table that is there makes every change slower, in
 *   the files beside this one and after it.
 */
import cassandra from 'cassandra-driver'
import { afterAll } from 'vitest'

const schemaChange = /^\s*(CREATE|DROP|ALTER|TRUNCATE|GRANT|REVOKE)\b/i
const newKeyspace = /^\s*CREATE KEYSPACE (?:IF NOT EXISTS )?"?(\w+)"?/i
const readTimeoutMs = 180_000
/** @type {Set<string>} */
const keyspaces = new Set()

const { execute } = cassandra.Client.prototype
/** @param {string} query @param {unknown[]} [params] @param {import('cassandra-driver').QueryOptions} [options] */
cassandra.Client.prototype.execute = function (query, params, options) {
  const [, name] = newKeyspace.exec(query) ?? []
  if (name !== undefined) keyspaces.add(name)
  return schemaChange.test(query)
    ? execute.call(this, query, params, { readTimeout: readTimeoutMs, ...options })
    : execute.call(this, query, params, options)
}

afterAll(async () => {
  if (keyspaces.size === 0) return
  const {
    LEASEHOLD_TEST_CONTACT_POINT: contactPoint = '',
    LEASEHOLD_TEST_USERNAME: username = '',
    LEASEHOLD_TEST_PASSWORD: password = '',
  } = process.env
  /** @type {import('cassandra-driver').ClientOptions} */
  const options = {
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    protocolOptions: { maxVersion: 4 },
    isMetadataSyncEnabled: false,
  }
  if (username !== '') options.credentials = { username, password }
  const client = new cassandra.Client(options)
  try {
    for (const name of keyspaces) await client.execute(`DROP KEYSPACE IF EXISTS "${name}"`)
  } catch {
    // What is left is dropped before the browser comes.
  } finally {
    keyspaces.clear()
    await client.shutdown()
  }
})
