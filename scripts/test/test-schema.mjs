/**
 * For integration tests: changes of the schema on a node that many files share.
 *
 * - A change may take three minutes, as a test may: the node makes one change at a time, for all files, and more than half
 *   a minute was seen. So the tests give no limit of their own. What the product sends has limits, and is sent again.
 * - What a file made stays until the node ends: to drop a keyspace of the console's costs the node as much as to make two.
 *   For each of the tables Cassandra writes all that is in memory to the disk, of all tables.
 */
import cassandra from 'cassandra-driver'

const schemaChange = /^\s*(CREATE|DROP|ALTER|TRUNCATE|GRANT|REVOKE)\b/i
const readTimeoutMs = 180_000

// Files share a process, and this is read for each of them.
const changed = Symbol.for('leasehold.test-schema')
/** @type {any} */
const prototype = cassandra.Client.prototype

if (prototype[changed] === undefined) {
  const { execute } = cassandra.Client.prototype
  prototype[changed] = execute
  /** @param {string} query @param {unknown[]} [params] @param {import('cassandra-driver').QueryOptions} [options] */
  cassandra.Client.prototype.execute = function (query, params, options) {
    return schemaChange.test(query)
      ? execute.call(this, query, params, { readTimeout: readTimeoutMs, ...options })
      : execute.call(this, query, params, options)
  }
}
