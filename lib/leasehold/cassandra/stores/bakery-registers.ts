import type { BakeryRegisters, Numbered, Register } from '../../bakery/index.ts'
import { InvalidArgumentError } from '../../lease/index.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import type { Executor } from '../session/executor.ts'
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from '../session/statement.ts'

interface BakeryStatements {
  readonly setChoosing: Statement
  readonly clearChoosing: Statement
  readonly setNumber: Statement
  readonly clearNumber: Statement
  readonly choosing: Statement
  readonly numbers: Statement
}

/**
 * Plain writes with the customer's own timestamps. Reads and writes are at QUORUM: a read that begins after a write was
 * acknowledged meets one of its replicas. No other program may write these tables.
 * A write gives up as early as a read does: if it lands later it does no harm, and the next try comes sooner.
 */
function bakeryStatements(choosing: string, numbers: string, serial: SerialLevel): BakeryStatements {
  const at = { operation: 'bakery', consistency: levelsOf(serial).quorum, readTimeoutMs }
  return {
    setChoosing: {
      cql: `INSERT INTO ${choosing} (name, customer, choosing) VALUES (?, ?, true) USING TIMESTAMP ? AND TTL ?`,
      ...at,
    },
    clearChoosing: {
      cql: `DELETE FROM ${choosing} USING TIMESTAMP ? WHERE name = ? AND customer = ?`,
      ...at,
    },
    setNumber: {
      cql: `INSERT INTO ${numbers} (name, customer, number) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?`,
      ...at,
    },
    clearNumber: { cql: `DELETE FROM ${numbers} USING TIMESTAMP ? WHERE name = ? AND customer = ?`, ...at },
    choosing: { cql: `SELECT customer, choosing FROM ${choosing} WHERE name = ?`, ...at },
    numbers: { cql: `SELECT customer, number FROM ${numbers} WHERE name = ?`, ...at },
  }
}

/** The bakery's registers in Cassandra: `tables.bakery_choosing` and `tables.bakery_numbers`. */
export class CassandraBakeryRegisters implements BakeryRegisters {
  readonly #session: Executor
  readonly #statements: BakeryStatements

  /** @throws InvalidArgumentError on an invalid table name */
  constructor(
    session: Executor,
    {
      choosing = 'bakery_choosing',
      numbers = 'bakery_numbers',
    }: { choosing?: string | undefined; numbers?: string | undefined } = {},
  ) {
    this.#session = session
    const quoted = (table: string) =>
      `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', table)}`
    this.#statements = bakeryStatements(quoted(choosing), quoted(numbers), session.serial)
  }

  async setChoosing({ name, customer, timestampMicros }: Register, ttlSeconds: number): Promise<void> {
    checkTtl(ttlSeconds)
    await this.#session.execute(this.#statements.setChoosing, [name, customer, timestampMicros, ttlSeconds])
  }

  async clearChoosing({ name, customer, timestampMicros }: Register): Promise<void> {
    await this.#session.execute(this.#statements.clearChoosing, [timestampMicros, name, customer])
  }

  async setNumber(register: Register, number: bigint, ttlSeconds: number): Promise<void> {
    checkTtl(ttlSeconds)
    const { name, customer, timestampMicros } = register
    const values = [name, customer, number, timestampMicros, ttlSeconds]
    await this.#session.execute(this.#statements.setNumber, values)
  }

  async clearNumber({ name, customer, timestampMicros }: Register): Promise<void> {
    await this.#session.execute(this.#statements.clearNumber, [timestampMicros, name, customer])
  }

  async choosing(name: string): Promise<string[]> {
    const { rows } = await this.#session.execute(this.#statements.choosing, [name])
    return rows.flatMap(({ customer, choosing }) => (choosing === true ? [String(customer)] : []))
  }

  async numbers(name: string): Promise<Numbered[]> {
    const { rows } = await this.#session.execute(this.#statements.numbers, [name])
    return rows.flatMap(({ customer, number }) =>
      typeof number === 'bigint' ? [{ customer: String(customer), number }] : [],
    )
  }
}

/** Cassandra takes a TTL of null or 0 for no expiry: one crash would close the bakery for good. */
function checkTtl(ttlSeconds: number): void {
  if (!(ttlSeconds > 0))
    throw new InvalidArgumentError(`ttlSeconds is ${ttlSeconds}; a positive number is expected.`)
}
