import cassandra from 'cassandra-driver'
import { fromDriver } from '../cassandra/driver/driver-error.ts'
import type { TableMapping } from '../cassandra/leases/mapping.ts'
import type { CassandraSession } from '../cassandra/session/session.ts'
import type { PlainClient } from '../testing/index.ts'

/** Statements as every article on leases has them, by a bare driver client. */
export function plainClient(
  session: CassandraSession,
  { table, name, owner, value }: TableMapping,
): PlainClient {
  const { keyspace } = session
  const run = async (cql: string, params: unknown[]) => {
    const { consistencies } = cassandra.types
    const answered = session.client.execute(cql.replaceAll('$t', `"${keyspace}"."${table}"`), params, {
      prepare: true,
      consistency: consistencies.quorum,
      serialConsistency: consistencies.serial,
    })
    // Throws the library's errors, so that `hadNoAnswer` recognises a lost answer.
    const result = await answered.catch((thrown) => {
      throw fromDriver(thrown, 'conditional write')
    })
    return result.first()?.['[applied]'] === true
  }
  return {
    insertIfNotExists: (n, o, v, ttl) =>
      v === null
        ? run(`INSERT INTO $t ("${name}", "${owner}") VALUES (?, ?) IF NOT EXISTS USING TTL ?`, [n, o, ttl])
        : run(
            `INSERT INTO $t ("${name}", "${owner}", "${value}") VALUES (?, ?, ?) IF NOT EXISTS USING TTL ?`,
            [n, o, v, ttl],
          ),
    renewOwnerOnly: (n, o, ttl) =>
      run(`UPDATE $t USING TTL ? SET "${owner}" = ? WHERE "${name}" = ? IF "${owner}" = ?`, [ttl, o, n, o]),
    setValueOnly: (n, o, v, ttl) =>
      run(`UPDATE $t USING TTL ? SET "${value}" = ? WHERE "${name}" = ? IF "${owner}" = ?`, [ttl, v, n, o]),
    deleteIfOwner: (n, o) => run(`DELETE FROM $t WHERE "${name}" = ? IF "${owner}" = ?`, [n, o]),
  }
}
