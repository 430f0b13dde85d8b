/**
 * For integration tests: a change of the schema may take a minute, because a node that other tests keep busy needs longer
 * for it than the driver's 12 s. What the product sends has limits of its own.
 */
import cassandra from 'cassandra-driver'

const schemaChange = /^\s*(CREATE|DROP|ALTER|TRUNCATE|GRANT|REVOKE)\b/i
const readTimeoutMs = 60_000

const { execute } = cassandra.Client.prototype
/** @param {string} query @param {unknown[]} [params] @param {import('cassandra-driver').QueryOptions} [options] */
cassandra.Client.prototype.execute = function (query, params, options) {
  return schemaChange.test(query)
    ? execute.call(this, query, params, { readTimeout: readTimeoutMs, ...options })
    : execute.call(this, query, params, options)
}
