/** A session whose statements wait until a test answers them. */
import type { ExecutedRows, Executor, Statement } from 'leasehold/cassandra'

export class TestSession implements Executor {
  readonly keyspace = 'k'
  readonly serial = 'SERIAL'
  readonly paxosVariant = 'v2'
  readonly sent: {
    statement: Statement
    params: unknown[]
    answer(rows: ExecutedRows['rows']): void
    fail(thrown: unknown): void
  }[] = []

  execute(statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    return new Promise((resolve, reject) => {
      const answer = (rows: ExecutedRows['rows']) => resolve({ rows, coordinator: 'node' })
      this.sent.push({ statement, params, answer, fail: reject })
    })
  }
}

export const applied = [{ '[applied]': true }]
