import type { PaxosVariant } from '../../time/index.ts'
import type { SerialLevel, Statement } from './statement.ts'

export interface ExecutedRows {
  rows: Record<string, unknown>[]
  coordinator: string
}

/** What a store needs of a session. The session makes its stores, so that a store may not import the session. */
export interface Executor {
  /** Where tables are that do not name their own keyspace. */
  readonly keyspace: string
  readonly serial: SerialLevel
  readonly paxosVariant: PaxosVariant
  /** Runs one prepared statement. @throws StoreUnavailableError, StoreRefusedError, StatementUnknownError, ClosedError */
  execute(statement: Statement, params: unknown[]): Promise<ExecutedRows>
}
