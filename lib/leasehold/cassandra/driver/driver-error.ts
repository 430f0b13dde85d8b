import cassandra from 'cassandra-driver'
import {
  ClosedError,
  StatementUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../../lease/index.ts'

const { responseErrorCodes } = cassandra.types

/** Answers that say: this statement was not and will not be carried out, however often it is sent. */
const refusals: readonly number[] = [
  responseErrorCodes.badCredentials,
  responseErrorCodes.syntaxError,
  responseErrorCodes.unauthorized,
  responseErrorCodes.invalid,
  responseErrorCodes.configError,
  responseErrorCodes.alreadyExists,
]

interface DriverError extends Error {
  code?: number | string
  isSocketError?: boolean
}

const hex = (code: number) => `0x${code.toString(16).padStart(4, '0')}`

/** Whether a node answered with this error, `cassandra.types.responseErrorCodes`. */
export const isResponse = (thrown: unknown, code: number): boolean =>
  thrown instanceof Error && thrown.name === 'ResponseError' && (thrown as DriverError).code === code

/** What the driver threw, in the words of the protocol; the one place that knows the driver's errors. */
export function fromDriver(thrown: unknown, kind: 'conditional write' | 'read'): Error {
  const error = thrown as DriverError
  const message = error.message ?? String(thrown)
  if (error.name === 'AuthenticationError')
    return new StoreRefusedError(`Cassandra refused the sign-in: ${message}.`, { cause: error })
  // The driver says it with the error of an unreachable cluster, which a caller would try again for ever.
  if (error.name === 'NoHostAvailableError' && /after shutdown/i.test(message))
    return new ClosedError(undefined, { cause: error })
  // Nothing left this process: no connection to any node, or all of them busy. The last one is a plain error of the driver's,
  // thrown while it prepares a statement, or sends it once more to a node that had forgotten it.
  const noConnection =
    error.name === 'NoHostAvailableError' ||
    error.name === 'BusyConnectionError' ||
    message === 'No connection available'
  if (noConnection) return new StoreUnavailableError('No node of Cassandra can be reached.', { cause: error })
  if (error.name === 'ResponseError' && typeof error.code === 'number') {
    if (refusals.includes(error.code))
      return new StoreRefusedError(`Cassandra refused: ${message}`, { cause: error })
    // Also Unavailable: under Paxos it can be thrown after a value was accepted.
    return kind === 'read'
      ? new StoreUnavailableError(`Cassandra has no quorum or is too slow (${hex(error.code)}).`, {
          cause: error,
        })
      : new StatementUnknownError(
          `Cassandra did not finish in time (${hex(error.code)}): ${message}`,
          'read',
          { cause: error },
        )
  }
  if (error.name === 'OperationTimedOutError' || error.isSocketError)
    return kind === 'read'
      ? new StoreUnavailableError('Cassandra did not answer in time.', { cause: error })
      : new StatementUnknownError(`No answer came: ${message}`, 'never', { cause: error })
  // An error of this library, or a bug: shown as it is.
  return error instanceof Error ? error : new Error(message)
}
