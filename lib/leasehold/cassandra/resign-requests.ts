import { type ResignRequest, type ResignRequests, StoreRefusedError } from '../lease/index.ts'
import { quoteIdentifier } from './identifiers.ts'
import { defaultMapping, quoteMapping, type TableMapping } from './mapping.ts'
import { type ResignStatements, resignStatements } from './resign-statements.ts'
import type { CassandraSession } from './session.ts'

/**
 * Requests to resign in Cassandra: `tables.resign_requests`, in the session's keyspace, whichever keyspace the leases are
 * in. Who asks and who is asked have to agree on it.
 *
 * @example
 * const resignRequests = new CassandraResignRequests(session)
 * const leases = new Leases({ store: new CassandraLeaseStore(session), resignRequests })
 */
export class CassandraResignRequests implements ResignRequests {
  readonly #session: CassandraSession
  readonly #statements: ResignStatements
  /** `keyspace.table` of the leases. */
  readonly #leaseTable: string

  /**
   * @param mapping the table of the leases, as `CassandraLeaseStore` takes it
   * @throws InvalidArgumentError on identifiers that cannot stand in CQL
   */
  constructor(session: CassandraSession, mapping: TableMapping = defaultMapping, table = 'resign_requests') {
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
  if (
    typeof owner !== 'string' ||
    typeof id !== 'string' ||
    typeof requestedBy !== 'string' ||
    typeof reason !== 'string' ||
    !(at instanceof Date)
  )
    throw new StoreRefusedError('The table of requests to resign has a row that is no request.')
  return { id, name, owner, requestedBy, reason, requestedAtMs: at.getTime() }
}
