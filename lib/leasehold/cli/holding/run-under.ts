/**
 * Runs a command under a lease or a leadership.
 *
 * 1. The lease is held, and the watchdog is up. The watchdog gets the limits, and starts the command.
 * 2. Every renewal extends the limits. A renewal that fails needs no message: the limits stay where they are.
 * 3. A refused renewal stops the command at once: SIGTERM, then SIGKILL, before the deadline. So does a request to
 *    resign, and then the lease is renewed until the command has ended. One that comes before the start prevents it.
 * 4. Only when the command and its background processes have ended may the lease be released.
 */
import { isLeaseholdError, type LeaseView } from '../../lease/index.ts'
import { defaultMaxClockSkewMs, systemClock } from '../../time/index.ts'
import { askedText } from '../commands/format.ts'
import { type Connection, credentialVariables } from '../connection/connection.ts'
import { CliError, usageError } from '../process/cli-error.ts'
import { exitCode, signalExitCode } from '../process/exit-codes.ts'
import { type Io, say } from '../process/io.ts'
import { graceFor, type Limits, limitsOf, longestGraceMs } from '../watchdog/stop-plan.ts'
import { onMachineClock } from '../watchdog/system-clock.ts'
import type { Ending, WatchedCommand } from '../watchdog/watched-command.ts'
import type { HoldingOptions } from './leases.ts'
import { failureText, lossText, operatorOf } from './loss-text.ts'

/** A lease or a leadership, under which a command runs. */
interface Held {
  readonly held: boolean
  readonly signal: AbortSignal
  /** The deadline, on the monotonic clock; it moves on with every renewal. */
  readonly deadlineMs: number
  /** Milliseconds until the deadline. */
  readonly remainingMs: number
  readonly renewalFailure: unknown
}

interface UnderOptions {
  /** The name of the lease or the group. */
  readonly name: string
  readonly command: readonly string[]
  readonly env: Record<string, string>
  readonly graceMs: number
  /** Aborts when a signal interrupts the process: a command that has not started then never starts. */
  readonly interrupted: AbortSignal
  /** Aborts, with the request as its reason, when an operator asks the holder to resign. */
  readonly asked: AbortSignal
  readonly connection: Connection
  /** Reads the lease. */
  readonly read: () => Promise<LeaseView | null>
}

/** @throws CliError (64) with the numbers */
export function graceOf({ ttl, grace, maxClockSkew = defaultMaxClockSkewMs }: HoldingOptions): number {
  const graceMs = graceFor(ttl, maxClockSkew, grace)
  if (graceMs === undefined)
    throw usageError(
      `A grace of ${grace} ms is too long for a TTL of ${ttl} s: at most ${longestGraceMs(ttl, maxClockSkew)} ms leave time for renewals. Make --ttl longer or --grace shorter.`,
    )
  return graceMs
}

/**
 * The command's environment: that of `leasehold`, and more. Without the credentials of `leasehold` and its console, unless the
 * command needs them: they can end any lease, and a command prints its environment, or sends it along with a crash report. A command
 * that looks for them finds them: it runs as the same user.
 */
export function environment(
  io: Io,
  { keepCredentials = false }: HoldingOptions,
  more: Record<string, string | undefined>,
): Record<string, string> {
  const removed = new Set(keepCredentials ? [] : credentialVariables)
  const entries = Object.entries({ ...io.env, ...more })
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && !removed.has(entry[0])),
  )
}

/** The signals that `leasehold` passes on to the command's process group. */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const
/** How often to look for a renewal, in milliseconds. */
const lookEveryMs = 100

/**
 * @returns the command's exit code, or 128 + n when a signal ended it
 * @throws CliError when it could not be started (126, 127), or was stopped or not started because the lease was lost or asked for (121)
 */
export async function runUnder(
  io: Io,
  held: Held,
  watched: WatchedCommand,
  options: UnderOptions,
): Promise<number> {
  const { command, env, graceMs, interrupted, asked, connection, read } = options
  const name = JSON.stringify(options.name)
  await watched.ready
  // No `await` from here until the signals are forwarded: a signal between the two would be lost.
  interrupted.throwIfAborted()
  // The deadline may have passed while the watchdog started.
  if (!held.held) throw lost(held, options, 'before the command was started')
  // No order can stop a command that has not started.
  if (asked.aborted)
    throw new CliError(exitCode.lost, `${askedText(asked.reason)}; the command was not started.`)
  let knownMs = held.deadlineMs
  const limits = (): Limits =>
    limitsOf({ from: onMachineClock(systemClock.now()), afterMs: held.remainingMs }, graceMs)
  const stopListening = forwarded.map((signal) => io.onSignal(signal, () => watched.signal(signal)))
  stopListening.push(io.onSignal('SIGTSTP', () => say(io, `Not suspended: it holds ${name}.`)))
  const look = setInterval(() => {
    if (!held.held || held.deadlineMs === knownMs) return
    knownMs = held.deadlineMs
    watched.extend(limits())
  }, lookEveryMs)
  // Begun with the loss: the mark of a break expires.
  let operator: Promise<string | null> | undefined
  const onLoss = () => {
    watched.stop()
    operator = operatorOf(held.signal.reason, read)
  }
  held.signal.addEventListener('abort', onLoss, { once: true })
  const onAsked = () => {
    say(io, `${askedText(asked.reason)}. leasehold stops the command.`)
    watched.stop()
  }
  asked.addEventListener('abort', onAsked, { once: true })
  try {
    const ending = await watched.run(command, env, limits(), graceMs, () => {
      if (asked.aborted && held.held) return
      say(
        io,
        held.held
          ? `${name} could not be renewed for too long${because(held, connection)}. leasehold stops the command before the deadline.`
          : `${lossText(held.signal.reason)}. leasehold stops the command.`,
      )
    })
    return codeOf(ending, held, options, (await operator) ?? null)
  } finally {
    clearInterval(look)
    held.signal.removeEventListener('abort', onLoss)
    asked.removeEventListener('abort', onAsked)
    for (const stop of stopListening) stop()
  }
}

function codeOf(ending: Ending, held: Held, options: UnderOptions, operator: string | null): number {
  const { asked } = options
  const [file = ''] = options.command
  if (ending.kind === 'unwatched')
    throw new CliError(exitCode.failed, 'The watchdog died, and leasehold stopped the command.')
  if (ending.kind === 'not-started') {
    if (ending.why === 'EXPIRED') throw lost(held, options, 'before the command was started', operator)
    if (ending.why === 'ENOENT')
      throw new CliError(exitCode.notFound, `${file}: the command was not found. Check its name and PATH.`)
    throw new CliError(exitCode.notExecutable, `${file}: the command cannot be executed (${ending.why}).`)
  }
  if (ending.stopped !== null && asked.aborted && held.held)
    throw new CliError(exitCode.lost, `${askedText(asked.reason)}; the command was stopped.`)
  if (ending.stopped !== null) throw lost(held, options, 'and the command was stopped', operator)
  // The command ended by itself, but after the deadline: its last work may have collided with the next holder's.
  if (!held.held) throw lost(held, options, 'while the command ran', operator)
  return ending.signal === null ? (ending.code ?? exitCode.failed) : signalExitCode(ending.signal)
}

function lost(
  held: Held,
  { name, connection }: UnderOptions,
  when: string,
  operator: string | null = null,
): CliError {
  const what = held.held
    ? `${JSON.stringify(name)} could not be renewed in time`
    : lossText(held.signal.reason, operator)
  return new CliError(exitCode.lost, `${what}, ${when}${because(held, connection)}.`)
}

/** After a colon, why the last renewal failed; nothing after a loss that has another cause. */
function because(held: Held, connection: Connection): string {
  const { reason } = held.signal
  if (!held.held && !(isLeaseholdError(reason, 'lease-lost') && reason.reason === 'deadline')) return ''
  const why = failureText(held.renewalFailure, connection)
  return why === undefined ? '' : `: ${why}`
}
