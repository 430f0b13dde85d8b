import type {
  AcquireWrite,
  CasAnswer,
  LeaseHint,
  LeaseStore,
  QuarantineWrite,
  ReadAnswer,
  ReleaseWrite,
  RenewWrite,
  ScanAnswer,
  ScanRange,
  ScanRowsAnswer,
  StoreColumns,
} from '../../lease/index.ts'
import { InvalidArgumentError, StoreRefusedError } from '../../lease/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import type { ExecutedRows, Executor } from '../session/executor.ts'
import type { Statement } from '../session/statement.ts'
import { defaultMapping, quoteMapping, type TableMapping } from './mapping.ts'
import { casAnswer, leaseCells, leaseHint, scannedRow, scanRow } from './rows.ts'
import { type LeaseStatements, leaseStatements } from './statements.ts'

/**
 * The lease table of one mapping, in Cassandra.
 *
 * @example
 * const store = new CassandraLeaseStore(session, { table: 'leadership_election', name: 'group', owner: 'leader_id', value: null })
 */
export class CassandraLeaseStore implements LeaseStore {
  readonly columns: StoreColumns
  readonly paxosVariant: PaxosVariant
  readonly #session: Executor
  readonly #statements: LeaseStatements
  readonly #mapping: TableMapping

  /** @throws InvalidArgumentError on an invalid identifier */
  constructor(session: Executor, mapping: TableMapping = defaultMapping) {
    this.#session = session
    this.#mapping = mapping
    this.paxosVariant = session.paxosVariant
    this.#statements = leaseStatements(quoteMapping(mapping, session.keyspace), session.serial)
    this.columns = { owner: mapping.owner !== null, value: mapping.value !== null }
    // Not at its first use: the first renewal has no time to wait for a node that is silent.
    const { acquire, readWritten, renew, release, read } = this.#statements
    for (const each of [acquire, readWritten, renew, release, read])
      if (each !== null) session.prepare?.(each)
  }

  async acquire({ name, owner, value, ttlSeconds }: AcquireWrite): Promise<CasAnswer> {
    checkPositive(ttlSeconds)
    if (!this.columns.owner) return this.#cas(this.#statements.acquire, [name, ttlSeconds])
    return this.#cas(this.#statements.acquire, [
      ttlSeconds,
      owner,
      ...(this.columns.value ? [value] : []),
      name,
    ])
  }

  async renew({ name, owner, value, knownValue, ttlSeconds, giveUpAfterMs }: RenewWrite): Promise<CasAnswer> {
    checkPositive(ttlSeconds)
    const { renew } = this.#statements
    if (renew === null) throw new InvalidArgumentError('A table without an owner column cannot renew.')
    const readTimeoutMs = Math.round(Math.min(renew.readTimeoutMs, giveUpAfterMs ?? renew.readTimeoutMs))
    const statement = { ...renew, readTimeoutMs }
    return this.columns.value
      ? this.#cas(statement, [ttlSeconds, owner, value, name, owner, knownValue])
      : this.#cas(statement, [ttlSeconds, owner, name, owner])
  }

  async release({ name, owner, sentWithinMs }: ReleaseWrite): Promise<CasAnswer> {
    const { release } = this.#statements
    if (this.columns.owner) return this.#cas(release, [name, owner])
    return this.#cas({ ...release, sentWithinMs }, [name])
  }

  async quarantine({ name, owner, mark, value, ttlSeconds }: QuarantineWrite): Promise<CasAnswer> {
    checkPositive(ttlSeconds)
    const { quarantine } = this.#statements
    if (quarantine === null)
      throw new InvalidArgumentError('A table without an owner column has no room for a mark.')
    const set = this.columns.value ? [mark, value] : [mark]
    return this.#cas(quarantine, [ttlSeconds, ...set, name, owner, name, ttlSeconds])
  }

  read(name: string): Promise<ReadAnswer> {
    return this.#read(this.#statements.read, name)
  }

  readWritten(name: string): Promise<ReadAnswer> {
    return this.#read(this.#statements.readWritten, name)
  }

  async #read(statement: Statement, name: string): Promise<ReadAnswer> {
    const { rows, coordinator } = await this.#session.execute(statement, [name])
    const row = rows[0]
    return {
      cells: row === undefined ? null : this.#row(() => leaseCells(row, this.columns)),
      coordinator,
      statement: statement.cql,
    }
  }

  async hint(name: string): Promise<LeaseHint | null> {
    const { rows } = await this.#session.execute(this.#statements.hint, [name])
    const row = rows[0]
    return row === undefined ? null : this.#row(() => leaseHint(row, this.columns))
  }

  async scan({ afterToken, limit }: ScanRange): Promise<ScanAnswer> {
    const result: ExecutedRows =
      afterToken === undefined
        ? await this.#session.execute(this.#statements.scanFirst, [limit])
        : await this.#session.execute(this.#statements.scanAfter, [afterToken, limit])
    return { rows: result.rows.map((row) => this.#row(() => scanRow(row))) }
  }

  async scanRows({ afterToken, limit }: ScanRange): Promise<ScanRowsAnswer> {
    const { scanRowsFirst, scanRowsAfter } = this.#statements
    const { rows } =
      afterToken === undefined
        ? await this.#session.execute(scanRowsFirst, [limit])
        : await this.#session.execute(scanRowsAfter, [afterToken, limit])
    return { rows: this.#row(() => rows.map((row) => scannedRow(row, this.columns))) }
  }

  async #cas(statement: Statement, params: unknown[]): Promise<CasAnswer> {
    const { rows } = await this.#session.execute(statement, params)
    return this.#row(() => casAnswer(rows, this.#mapping))
  }

  /** A row whose columns do not fit the mapping is a mistake in the configuration, not an outcome. */
  #row<T>(parse: () => T): T {
    try {
      return parse()
    } catch (thrown) {
      if (thrown instanceof StoreRefusedError) throw thrown
      throw new StoreRefusedError(
        `The table does not have the columns that it is mapped with: ${(thrown as Error).message}`,
        {
          cause: thrown,
        },
      )
    }
  }
}

/** A TTL bound to null or 0 would mean no expiry. */
function checkPositive(ttlSeconds: number): void {
  if (!(ttlSeconds > 0))
    throw new InvalidArgumentError(`ttlSeconds is ${ttlSeconds}; a positive number is expected.`)
}
