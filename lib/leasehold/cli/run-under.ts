/**
 * Runs a command while something is held: a lock, or a leadership.
 *
 * 1. The lease is held; the watchdog is up. It is told the limits, and starts the command.
 * 2. Every renewal moves the limits on. Nobody has to be told that one failed: the limits stay where they are.
 * 3. A renewal that is refused stops the command at once: SIGTERM, then SIGKILL, before the deadline.
 *    So does a request to resign, but that the lease goes on being renewed meanwhile.
 * 4. The command has ended, and everything that it left running: only then may the lease be released.
 */
import { systemClock } from '../time/index.ts'
import { CliError } from './cli-error.ts'
import { exitCode, signalExitCode } from './exit-codes.ts'
import { type Io, say } from './io.ts'
import { type Limits, limitsOf } from './stop-plan.ts'
import { onMachineClock } from './system-clock.ts'
import type { Ending, WatchedCommand } from './watched-command.ts'
import { askedText } from './words.ts'

/** What a command can run under: a lease, or a leadership. */
export interface Held {
  readonly name: string
  readonly held: boolean
  readonly signal: AbortSignal
  /** Moves on with every renewal. */
  readonly deadlineMs: number
  /** Milliseconds that are left until then. */
  readonly remainingMs: number
}

export interface UnderOptions {
  readonly command: readonly string[]
  readonly env: Record<string, string>
  readonly graceMs: number
  /** Aborted when the process is asked to end: a command that has not been started is not started then. */
  readonly interrupted: AbortSignal
  /** Aborted, with the request as its reason, when the holder is asked to resign. */
  readonly asked: AbortSignal
}

/** Passed on to the command's process group, as a terminal or a service manager sent them. */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const
/** How soon a renewal is passed on. */
const lookEveryMs = 100

/**
 * @returns the command's exit code, or 128 + n when a signal ended it
 * @throws CliError when it could not be started (126, 127), or was stopped because the lease was lost (121)
 */
export async function runUnder(
  io: Io,
  held: Held,
  watched: WatchedCommand,
  { command, env, graceMs, interrupted, asked }: UnderOptions,
): Promise<number> {
  const name = JSON.stringify(held.name)
  await watched.ready
  // From here to the listening below nothing is waited for, so that no signal is lost between the two.
  interrupted.throwIfAborted()
  // Nothing is begun on a lease that ran out while the watchdog was starting.
  if (!held.held) throw lost(held, 'before the command was started')
  let knownMs = held.deadlineMs
  const limits = (): Limits =>
    limitsOf({ from: onMachineClock(systemClock.now()), afterMs: held.remainingMs }, graceMs)
  const stopListening = forwarded.map((signal) => io.onSignal(signal, () => watched.signal(signal)))
  stopListening.push(io.onSignal('SIGTSTP', () => say(io, `it cannot be suspended while it holds ${name}.`)))
  const look = setInterval(() => {
    if (!held.held || held.deadlineMs === knownMs) return
    knownMs = held.deadlineMs
    watched.moveOn(limits())
  }, lookEveryMs)
  const onLoss = () => watched.stop()
  held.signal.addEventListener('abort', onLoss, { once: true })
  const onAsked = () => {
    say(io, `${askedText(asked.reason)}. The command is stopped.`)
    watched.stop()
  }
  if (asked.aborted) onAsked()
  else asked.addEventListener('abort', onAsked, { once: true })
  try {
    const ending = await watched.run(command, env, limits(), graceMs, () => {
      if (asked.aborted && held.held) return
      say(
        io,
        held.held
          ? `${name} could not be renewed for too long; the command is stopped before the deadline.`
          : `${reason(held)} The command is stopped.`,
      )
    })
    return codeOf(ending, held, command, asked)
  } finally {
    clearInterval(look)
    held.signal.removeEventListener('abort', onLoss)
    asked.removeEventListener('abort', onAsked)
    for (const stop of stopListening) stop()
  }
}

function codeOf(ending: Ending, held: Held, [file = '']: readonly string[], asked: AbortSignal): number {
  if (ending.kind === 'unwatched')
    throw new CliError(exitCode.failed, 'The watchdog died, so that the command was stopped.')
  if (ending.kind === 'not-started') {
    if (ending.why === 'EXPIRED') throw lost(held, 'before the command was started')
    if (ending.why === 'ENOENT')
      throw new CliError(exitCode.notFound, `${file}: the command was not found. Check its name and PATH.`)
    throw new CliError(exitCode.notExecutable, `${file}: the command cannot be executed (${ending.why}).`)
  }
  if (ending.stopped !== null && asked.aborted && held.held)
    throw new CliError(exitCode.lost, `${askedText(asked.reason)}; the command was stopped.`)
  if (ending.stopped !== null) throw lost(held, 'and the command was stopped')
  // It ended by itself, but past the deadline: what it did last may have collided with the next holder.
  if (!held.held) throw lost(held, 'while the command ran')
  return ending.signal === null ? (ending.code ?? exitCode.failed) : signalExitCode(ending.signal)
}

const reason = (held: Held): string => (held.signal.reason as Error).message

const lost = (held: Held, when: string): CliError =>
  new CliError(
    exitCode.lost,
    held.held
      ? `${JSON.stringify(held.name)} could not be renewed in time, ${when}.`
      : `${reason(held).replace(/\.$/, '')}, ${when}.`,
  )
