/** What the exit code of `leasehold` says. The one home of these numbers; `--help` prints them from here. */
import { constants } from 'node:os'

export const exitCode = {
  done: 0,
  /** `get`, `release`: nobody holds it. */
  notHeld: 1,
  usage: 64,
  held: 120,
  lost: 121,
  unknown: 122,
  unavailable: 123,
  refused: 124,
  failed: 125,
  /** As env(1) has them. */
  notExecutable: 126,
  notFound: 127,
} as const

export const exitWords: Record<number, string> = {
  [exitCode.done]: 'done',
  [exitCode.notHeld]: 'nobody holds it',
  [exitCode.usage]: 'the command line or the environment is wrong',
  [exitCode.held]: 'somebody else holds it, and the time to wait, if any, is over',
  [exitCode.lost]:
    'the lease was lost, or about to be, or was asked for: the command was stopped before its deadline',
  [exitCode.unknown]: 'an answer was lost, and what became of the request is unknown',
  [exitCode.unavailable]: 'Cassandra, or the server, cannot be reached',
  [exitCode.refused]: 'Cassandra, or the server, refused',
  [exitCode.failed]: 'leasehold itself failed',
  [exitCode.notExecutable]: 'the command cannot be executed',
  [exitCode.notFound]: 'the command was not found',
}

/** What shells answer for a process that a signal ended. */
export const signalExitCode = (signal: NodeJS.Signals): number => 128 + (constants.signals[signal] ?? 0)
