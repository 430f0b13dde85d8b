import cassandra from 'cassandra-driver'
import {
  ClosedError,
  StatementUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../../lease/index.ts'

const { responseErrorCodes } = cassandra.types

/** Errors that prove: Cassandra did not carry the statement out, and will not, however often it is sent. */
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

export type StatementKind = 'conditional write' | 'plain write' | 'read'

/** Translates an error of the driver into one of this library. What a caller sees is made here alone. */
export function fromDriver(thrown: unknown, kind: StatementKind): Error {
  const error = thrown as DriverError
  const message = error.message ?? String(thrown)
  // An overloaded node that cannot read its roles in time answers with the code of a wrong password.
  if (error.name === 'AuthenticationError' && /unable to perform/i.test(message))
    return new StoreUnavailableError(`Cassandra could not check the sign-in: ${message}.`, { cause: error })
  if (error.name === 'AuthenticationError')
    return new StoreRefusedError(
      /no authenticator found/i.test(message)
        ? 'Cassandra wants a user name and a password, and was given none: `username` and `password` of `connect`, CASSANDRA_USERNAME and CASSANDRA_PASSWORD of the command.'
        : `Cassandra refused the sign-in: ${message}.`,
      { cause: error },
    )
  // After a shutdown the driver throws the error of an unreachable cluster, on which a caller would retry for ever.
  if (error.name === 'NoHostAvailableError' && /after shutdown/i.test(message))
    return new ClosedError(undefined, { cause: error })
  // Nothing left this process: there was no connection, or all were busy. The last message is that of a plain Error,
  // which the driver throws while it prepares a statement, or sends it again to a node that no longer has it prepared.
  const noConnection =
    error.name === 'NoHostAvailableError' ||
    error.name === 'BusyConnectionError' ||
    message === 'No connection available'
  if (noConnection) return new StoreUnavailableError('No node of Cassandra can be reached.', { cause: error })
  if (error.name === 'ResponseError' && typeof error.code === 'number') {
    if (refusals.includes(error.code))
      return new StoreRefusedError(`Cassandra refused: ${message}`, { cause: error })
    if (kind === 'conditional write')
      // Unavailable too: under Paxos, Cassandra can throw it after replicas have accepted the value.
      return new StatementUnknownError(
        `Cassandra did not finish in time (${hex(error.code)}): ${message}`,
        'read',
        { cause: error },
      )
    return unavailable(`Cassandra has no quorum or is too slow (${hex(error.code)}).`, {
      // Cassandra counts the replicas before it sends a plain write to the first of them.
      mayHaveHappened: kind === 'plain write' && error.code !== responseErrorCodes.unavailableException,
      cause: error,
    })
  }
  if (error.name === 'OperationTimedOutError' || error.isSocketError)
    return kind === 'conditional write'
      ? new StatementUnknownError(`No answer came: ${message}`, 'never', { cause: error })
      : unavailable('Cassandra did not answer in time.', {
          mayHaveHappened: kind === 'plain write',
          cause: error,
        })
  // An error of this library, or a bug: it passes through unchanged.
  return error instanceof Error ? error : new Error(message)
}

const unavailable = (
  what: string,
  { mayHaveHappened, cause }: { mayHaveHappened: boolean; cause: Error },
): StoreUnavailableError =>
  new StoreUnavailableError(mayHaveHappened ? `${what} The write may have happened, or may yet.` : what, {
    mayHaveHappened,
    cause,
  })
