import type { CassandraSession, Statement } from 'leasehold/cassandra'
import type { AnswerRow, AnswerStore, KeptAnswer } from '../../http/idempotency/idempotency.ts'
import { answerStatements } from './answer-statements.ts'

/** Answers kept under an Idempotency-Key: partitions of one row, which expires after a day. */
export class CassandraAnswerStore implements AnswerStore {
  readonly #session: CassandraSession
  readonly #statements: ReturnType<typeof answerStatements>

  constructor(session: CassandraSession) {
    this.#session = session
    this.#statements = answerStatements(session.keyspace, session.serial)
  }

  async claim(id: string, requestHash: string, attempt: string, ttlSeconds: number): Promise<AnswerRow> {
    const values = [id, requestHash, attempt, ttlSeconds]
    const { rows } = await this.#session.execute(this.#statements.claim, values)
    if (rows[0]?.['[applied]'] === true) return { attempt, requestHash, status: null, body: null }
    return rowOf(rows[0] ?? {})
  }

  async read(id: string): Promise<AnswerRow | null> {
    const { rows } = await this.#session.execute(this.#statements.read, [id])
    return rows[0] === undefined ? null : rowOf(rows[0])
  }

  async keep(
    id: string,
    attempt: string,
    { requestHash, status, body }: KeptAnswer,
    ttlSeconds: number,
  ): Promise<boolean> {
    const values = [ttlSeconds, requestHash, status, body, attempt, id, attempt]
    return this.#isApplied(this.#statements.keep, values)
  }

  async drop(id: string, attempt: string): Promise<boolean> {
    return this.#isApplied(this.#statements.drop, [id, attempt])
  }

  async #isApplied(statement: Statement, values: unknown[]): Promise<boolean> {
    const { rows } = await this.#session.execute(statement, values)
    return rows[0]?.['[applied]'] === true
  }
}

const rowOf = (row: Record<string, unknown>): AnswerRow => ({
  attempt: typeof row.attempt === 'string' ? row.attempt : null,
  requestHash: typeof row.request_hash === 'string' ? row.request_hash : null,
  status: typeof row.status === 'number' ? row.status : null,
  body: typeof row.body === 'string' ? row.body : null,
})
