import type { Telemetry } from '../../telemetry/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import type { SerialLevel, Statement } from './statement.ts'

export interface ExecutedRows {
  rows: Record<string, unknown>[]
  coordinator: string
}

/**
 * What a store needs of a session. The session imports the stores: a store that imported the session would close a
 * circle.
 */
export interface Executor {
  /** The keyspace of tables that name none. */
  readonly keyspace: string
  readonly serial: SerialLevel
  readonly paxosVariant: PaxosVariant
  /** Where the session reports; undefined: nowhere. */
  readonly telemetry?: Telemetry | undefined
  /**
   * Runs one prepared statement. @throws StoreUnavailableError, StoreRefusedError, StatementUnknownError, ClosedError
   */
  execute(statement: Statement, params: unknown[]): Promise<ExecutedRows>
  /** Has it prepared before its first use, in the background. Left out: its first use does. */
  prepare?(statement: Statement): void
}
