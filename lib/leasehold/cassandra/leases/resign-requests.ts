import { type ResignRequest, type ResignRequests, StoreRefusedError } from '../../lease/index.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import type { Executor } from '../session/executor.ts'
import { instantMs } from '../session/instant.ts'
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from '../session/statement.ts'
import { defaultMapping, quoteMapping, type TableMapping } from './mapping.ts'

interface ResignStatements {
  readonly ask: Statement
  readonly of: Statement
  readonly ofOwner: Statement
}

/** The most requests that one read returns: more than operators write to one holder in a day. */
const mostRequests = 1_000

/**
 * The statements on `tables.resign_requests`. Plain writes, whose timestamp is the time of the request: sent again, a write
 * changes nothing, however late it lands. The same id asked again later writes the same row, with the later time.
 */
function resignStatements(table: string, serial: SerialLevel): ResignStatements {
  const { quorum } = levelsOf(serial)
  const of = (where: string): Statement => ({
    cql: `SELECT owner, id, requested_by, reason, requested_at FROM ${table} WHERE ${where} LIMIT ${mostRequests}`,
    operation: 'resign-request',
    consistency: quorum,
    readTimeoutMs,
  })
  return {
    ask: {
      cql: `INSERT INTO ${table} (lease_table, name, owner, id, requested_by, reason, requested_at) VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ?`,
      operation: 'resign-request',
      consistency: quorum,
      readTimeoutMs,
    },
    of: of('lease_table = ? AND name = ?'),
    // For a holder, at each renewal: skips the requests to the holders before it.
    ofOwner: of('lease_table = ? AND name = ? AND owner = ?'),
  }
}

/**
 * Requests to resign in Cassandra: `tables.resign_requests`, in the session's keyspace, whichever keyspace has the
 * leases. The operator's program and the holder must use the same one.
 *
 * @example
 * const resignRequests = new CassandraResignRequests(session)
 * const leases = new Leases({ store: new CassandraLeaseStore(session), resignRequests })
 */
export class CassandraResignRequests implements ResignRequests {
  readonly #session: Executor
  readonly #statements: ResignStatements
  /** `keyspace.table` of the leases. */
  readonly #leaseTable: string

  /**
   * @param mapping the table of the leases, as `CassandraLeaseStore` takes it
   * @throws InvalidArgumentError on an invalid identifier
   */
  constructor(session: Executor, mapping: TableMapping = defaultMapping, table = 'resign_requests') {
    this.#session = session
    quoteMapping(mapping, session.keyspace)
    this.#leaseTable = `${mapping.keyspace ?? session.keyspace}.${mapping.table}`
    const quoted = `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', table)}`
    this.#statements = resignStatements(quoted, session.serial)
  }

  async ask({ id, name, owner, requestedBy, reason, requestedAtMs }: ResignRequest): Promise<void> {
    const at = new Date(requestedAtMs)
    await this.#session.execute(this.#statements.ask, [
      this.#leaseTable,
      name,
      owner,
      id,
      requestedBy,
      reason,
      at,
      BigInt(at.getTime()) * 1_000n,
    ])
  }

  async of(name: string, owner?: string): Promise<ResignRequest[]> {
    const { rows } =
      owner === undefined
        ? await this.#session.execute(this.#statements.of, [this.#leaseTable, name])
        : await this.#session.execute(this.#statements.ofOwner, [this.#leaseTable, name, owner])
    return rows.map((row) => resignRequest(name, row))
  }
}

function resignRequest(
  name: string,
  { owner, id, requested_by: requestedBy, reason, requested_at: at }: Record<string, unknown>,
): ResignRequest {
  const requestedAtMs = instantMs(at)
  if (
    typeof owner !== 'string' ||
    typeof id !== 'string' ||
    typeof requestedBy !== 'string' ||
    typeof reason !== 'string' ||
    requestedAtMs === null
  )
    throw new StoreRefusedError('The table of requests to resign has a row that is no request.')
  return { id, name, owner, requestedBy, reason, requestedAtMs }
}
