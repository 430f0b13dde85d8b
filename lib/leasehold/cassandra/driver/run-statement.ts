import cassandra from 'cassandra-driver'
import type { ExecutedRows } from '../session/executor.ts'
import type { Statement } from '../session/statement.ts'
import { fromDriver, type StatementKind } from './driver-error.ts'
import { SendGate } from './gate/send-gate.ts'
import { endOfTurn } from './together.ts'

/** The driver's default sends a conditional write again, on the next node, after the error Unavailable. */
const retry = new cassandra.policies.retry.FallthroughRetryPolicy()

/** Rows of one page of an answer: the driver's default. */
const pageRows = 5_000

/**
 * Runs one prepared statement, and reads all pages of its answer. A conditional write is sent soon, or never: gate/send-gate.ts. It sets all that safety needs itself: the client may be the caller's, with any settings.
 * @param host the one node that may coordinate it; left out: the driver chooses
 * @throws StoreUnavailableError, StoreRefusedError, StatementUnknownError, ClosedError
 */
export async function runStatement(
  client: cassandra.Client,
  statement: Statement,
  params: unknown[],
  host?: cassandra.Host,
): Promise<ExecutedRows> {
  const { cql, consistency, serialConsistency, readTimeoutMs, sentWithinMs } = statement
  const isExact = decodesBigints(client)
  let options: cassandra.QueryOptions = {
    prepare: true,
    consistency,
    retry,
    readTimeout: readTimeoutMs,
    // The client's own may be small, and each page is a request.
    fetchSize: pageRows,
    // The driver would send an idempotent conditional write again by itself.
    isIdempotent: false,
  }
  if (host !== undefined) options.host = host
  let gate: SendGate | undefined
  if (serialConsistency !== undefined) {
    options.serialConsistency = serialConsistency
    gate = new SendGate(sentWithinMs)
    options = gate.guard(options, client)
  }
  try {
    const sent = isExact ? params : params.map(asDecimal)
    const execute = () => endOfTurn().then(() => client.execute(cql, sent, options))
    let result = await (gate === undefined ? execute() : gate.send(execute))
    const coordinator = result.info.queriedHost
    const rows = rowsOf(result)
    // The driver gives one page: what is missing would look like the end of the table.
    while (result.pageState) {
      result = await client.execute(cql, sent, { ...options, pageState: result.pageState })
      for (const row of rowsOf(result)) rows.push(row)
    }
    return { rows: isExact ? rows : rows.map(withBigints), coordinator }
  } catch (thrown) {
    throw fromDriver(thrown, kindOf(statement))
  }
}

/** Whether it only reads: a SELECT, or a DESCRIBE. */
export const isSelect = ({ cql }: Statement): boolean => /^\s*(SELECT|DESCRIBE)\b/i.test(cql)

export function kindOf(statement: Statement): StatementKind {
  if (statement.serialConsistency !== undefined) return 'conditional write'
  return isSelect(statement) ? 'read' : 'plain write'
}

const rowsOf = ({ rows }: cassandra.types.ResultSet) => (rows ?? []) as unknown as Record<string, unknown>[]

/** Whether a bigint cell comes as a bigint: writetime and tokens do not fit into a number. */
function decodesBigints(client: cassandra.Client): boolean {
  const { options } = client as unknown as { options?: cassandra.ClientOptions }
  return options?.encoding?.useBigIntAsLong === true
}

/** Without `useBigIntAsLong` the driver takes no bigint. A decimal string works with any copy of its `Long`. */
const asDecimal = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

const withBigints = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, cell]) => [column, isLong(cell) ? BigInt(cell.toString()) : cell]),
  )

const isLong = (cell: unknown): cell is { toString(): string } =>
  typeof cell === 'object' && cell !== null && '__isLong__' in cell
