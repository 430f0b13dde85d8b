/** The exit codes of `leasehold`; `--help` prints them from here. */
import { constants } from 'node:os'

export const exitCode = {
  done: 0,
  /** `get`, `release`: the lease has no holder. `history`: nothing was recorded. */
  notHeld: 1,
  /** `doctor`. */
  checkFailed: 2,
  usage: 64,
  held: 120,
  lost: 121,
  unknown: 122,
  unavailable: 123,
  refused: 124,
  failed: 125,
  /** The same as env(1)'s. */
  notExecutable: 126,
  notFound: 127,
  /** The same as of a process that SIGPIPE ended, which Node has switched off. */
  outputClosed: 141,
} as const

export const exitWords: Record<number, string> = {
  [exitCode.done]: 'done',
  [exitCode.notHeld]: 'the lease has no holder; of history: nothing was recorded',
  [exitCode.checkFailed]: 'a check of the doctor failed',
  [exitCode.usage]: 'the command line or the environment is wrong',
  [exitCode.held]: 'another owner holds the lease, and the wait, if any, is over',
  [exitCode.lost]:
    'the lease was lost or about to be lost, or an operator asked for it; the command was stopped before the deadline, or was not started',
  [exitCode.unknown]: 'an answer was lost; the outcome of the request is unknown',
  [exitCode.unavailable]: 'Cassandra, or the server, cannot be reached',
  [exitCode.refused]: 'Cassandra, or the server, refused',
  [exitCode.failed]: 'leasehold itself failed',
  [exitCode.notExecutable]: 'the command cannot be executed',
  [exitCode.notFound]: 'the command was not found',
  [exitCode.outputClosed]: 'the reader of the output closed it, as `head` does; a leader has resigned first',
}

/** The shells' exit code for a process that a signal ended. */
export const signalExitCode = (signal: NodeJS.Signals): number => 128 + (constants.signals[signal] ?? 0)
