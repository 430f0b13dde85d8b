/** The CQL of a client without the library, on the lease table: conditional writes too, so that it keeps to the protocol. */
import { quoteIdentifier, type SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../../../store/statement-kinds.ts'

export function plainClientStatements(keyspace: string, serial: SerialLevel) {
  const { conditional } = statementsIn(keyspace, serial)
  const table = `${quoteIdentifier('keyspace', keyspace)}.leases`
  const on = (operation: string, cql: string) => ({ ...conditional(cql), operation })
  return {
    insert: on(
      'acquire',
      `INSERT INTO ${table} (name, owner, value) VALUES (?, ?, ?) IF NOT EXISTS USING TTL ?`,
    ),
    /** The mistake: `value` keeps the TTL of the INSERT. */
    renewOwner: on('renew', `UPDATE ${table} USING TTL ? SET owner = ? WHERE name = ? IF owner = ?`),
    renewAll: on('renew', `UPDATE ${table} USING TTL ? SET owner = ?, value = ? WHERE name = ? IF owner = ?`),
    release: on('release', `DELETE FROM ${table} WHERE name = ? IF owner = ?`),
  }
}
