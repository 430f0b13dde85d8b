import type { BakeryRegisters, Numbered, Register } from '../bakery/index.ts'
import { InvalidArgumentError } from '../lease/index.ts'
import { type BakeryStatements, bakeryStatements } from './bakery-statements.ts'
import { quoteIdentifier } from './identifiers.ts'
import type { CassandraSession } from './session.ts'

/** The bakery's registers in Cassandra: one table for `choosing`, one for `numbers`; `schema.ts` has both. */
export class CassandraBakeryRegisters implements BakeryRegisters {
  readonly #session: CassandraSession
  readonly #statements: BakeryStatements

  /** @throws InvalidArgumentError on a table name that cannot stand in CQL */
  constructor(
    session: CassandraSession,
    {
      choosing = 'bakery_choosing',
      numbers = 'bakery_numbers',
    }: { choosing?: string; numbers?: string } = {},
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

/** A TTL bound to null or 0 would mean no expiry, and one crash would close the bakery for good. */
function checkTtl(ttlSeconds: number): void {
  if (!(ttlSeconds > 0))
    throw new InvalidArgumentError(`ttlSeconds is ${ttlSeconds}; a positive number is expected.`)
}
