import { isLeaseholdError } from '../../lease/index.ts'
import { exitCode } from './exit-codes.ts'
import { printable } from './printable.ts'

/** An expected failure: one sentence for people, and the exit code. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: number
  constructor(exit: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exit = exit
  }
}

export const usageError = (message: string): CliError => new CliError(exitCode.usage, message)

/** The sentence and the exit code for an error; the sentence ends with what to do next. The only table of its kind. */
export function toCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown
  // Some name a holder, and any client may write an owner that moves the cursor or hides what follows.
  const end = (exit: number, next: string) =>
    new CliError(exit, `${printable(sentence((thrown as Error).message))} ${next}`.trim(), { cause: thrown })
  if (isLeaseholdError(thrown, 'invalid-argument')) return end(exitCode.usage, '')
  if (isLeaseholdError(thrown, 'lease-held'))
    return end(
      exitCode.held,
      'Wait longer with --wait; `leasehold get` shows the holder, and whether its lease ever expires.',
    )
  if (isLeaseholdError(thrown, 'lease-lost')) return end(exitCode.lost, '')
  if (isLeaseholdError(thrown, 'outcome-unknown') || isLeaseholdError(thrown, 'statement-unknown'))
    return end(exitCode.unknown, '`leasehold get` shows the lease as it is now.')
  if (isLeaseholdError(thrown, 'store-unavailable'))
    return end(
      exitCode.unavailable,
      'Check the address, and that Cassandra or the server is up; then try again.',
    )
  if (isLeaseholdError(thrown, 'store-refused') && thrown.problem === 'unauthenticated')
    return end(
      exitCode.refused,
      'Make one in the console, at Settings, Tokens, and set LEASEHOLD_API_TOKEN, or LEASEHOLD_API_TOKEN_FILE to a file with it.',
    )
  if (isLeaseholdError(thrown, 'store-refused'))
    return end(exitCode.refused, 'Check the user or the API token, the keyspace and the table.')
  // Only this program closes the session: the error is a bug in it.
  if (isLeaseholdError(thrown, 'closed')) return end(exitCode.failed, 'LEASEHOLD_DEBUG=1 shows where.')
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new CliError(exitCode.failed, `${sentence(message)} LEASEHOLD_DEBUG=1 shows where.`, {
    cause: thrown,
  })
}

/** With a full stop, so that another sentence can follow. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
