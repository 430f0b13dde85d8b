/**
 * Starts and stops the command through its watchdog (`watchdog.ts`).
 *
 * Guarantees: if the watchdog dies, or does not send a signal that is due, this process stops the command itself. On Linux
 * also when the watchdog dies or hangs before it has reported the command's process: a variable in the command's
 * environment identifies it. On other systems such a command runs on.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { CliError } from '../process/cli-error.ts'
import { exitCode } from '../process/exit-codes.ts'
import { type ProcessSession, SessionEnd, sessionWith, signalAll } from './process-session.ts'
import { type Limits, StopPlan, type StopReason } from './stop-plan.ts'
import { machineClock } from './system-clock.ts'
import { messageReader, type Order, type Report } from './watchdog-protocol.ts'

export type Ending =
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null; stopped: StopReason | null }
  /** `why`: the system's error code. */
  | { kind: 'not-started'; why: string }
  /** The watchdog died, and the command is gone too. */
  | { kind: 'unwatched' }

/** `watchdog.ts` from source, `watchdog.js` from the package. */
const script = fileURLToPath(new URL(`./watchdog${import.meta.url.slice(-3)}`, import.meta.url))
const checkEveryMs = 50
/** How many checks after a kill this process waits for the watchdog's report before it kills the watchdog. */
const reportWithinChecks = 40
/** How many checks after the watchdog's end a command may take from its fork to its exec. */
const foundWithinChecks = 20

export class WatchedCommand {
  /** Resolves when the watchdog is up; rejects when it cannot be started. */
  readonly ready: Promise<void>
  readonly #process: ChildProcess
  readonly #socket: Socket
  #onReady!: { resolve: () => void; reject: (why: Error) => void }
  #onEnding: ((ending: Ending) => void) | undefined
  #onStopping: ((reason: StopReason) => void) | undefined
  /** Of the command, by its variable LEASEHOLD_RUN. */
  readonly #id = randomBytes(8).toString('hex')
  #session: ProcessSession | undefined
  #sessionEnd: SessionEnd | undefined
  #plan: StopPlan | undefined
  #watched = true
  #checks: NodeJS.Timeout | undefined
  #kills = 0
  #searches = 0

  /** Starts the watchdog, so that it comes up while `leasehold` acquires the lease. `run` starts the command. */
  constructor(watchdog = script) {
    if (process.platform === 'win32')
      throw new CliError(
        exitCode.failed,
        'leasehold runs commands on Linux and macOS only: Windows has no signals for process groups.',
      )
    this.ready = new Promise((resolve, reject) => {
      this.#onReady = { resolve, reject }
    })
    this.ready.catch(() => {})
    this.#process = spawn(process.execPath, [watchdog], {
      detached: true,
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
      // Without our environment: no NODE_OPTIONS that load other modules first, and no secrets.
      env: {} as NodeJS.ProcessEnv,
    })
    this.#socket = this.#process.stdio[3] as Socket
    const gone = () => this.#unwatched()
    this.#process.on('error', gone)
    this.#process.on('exit', gone)
    this.#socket.setEncoding('utf8')
    this.#socket.on(
      'data',
      messageReader((report: Report) => this.#onReport(report)),
    )
    this.#socket.on('error', gone).on('end', gone)
  }

  /** Runs the command to its end. To be called once. */
  run(
    command: readonly string[],
    env: Record<string, string>,
    limits: Limits,
    graceMs: number,
    onStopping: (reason: StopReason) => void,
  ): Promise<Ending> {
    this.#plan = new StopPlan(limits, graceMs)
    this.#onStopping = onStopping
    return new Promise((resolve) => {
      this.#onEnding = resolve
      const identified = { ...env, LEASEHOLD_RUN: this.#id }
      if (this.#watched) this.#order({ kind: 'start', command, env: identified, limits, graceMs })
      else this.#end({ kind: 'unwatched' })
      this.#checks = setInterval(() => this.#backstop(), checkEveryMs)
    })
  }

  extend(limits: Limits): void {
    this.#plan?.extend(limits)
    this.#order({ kind: 'extend', limits })
  }

  /** SIGTERM at once, SIGKILL after the grace, never later than the limit. */
  stop(): void {
    this.#plan?.stop(machineClock.now(), 'requested')
    this.#order({ kind: 'stop' })
  }

  signal(signal: NodeJS.Signals): void {
    this.#order({ kind: 'signal', signal })
  }

  /** Ends the watchdog, which first stops a command that still runs. */
  close(): void {
    clearInterval(this.#checks)
    this.#watched = false
    this.#socket.end(`${JSON.stringify({ kind: 'exit' } satisfies Order)}\n`)
    this.#process.unref()
    this.#socket.unref()
  }

  #order(order: Order): void {
    if (this.#watched) this.#socket.write(`${JSON.stringify(order)}\n`)
  }

  #onReport(report: Report): void {
    if (report.kind === 'ready') this.#onReady.resolve()
    else if (report.kind === 'started') this.#session = { pid: report.pid, startedTicks: report.startedTicks }
    else if (report.kind === 'stopping') this.#onStopping?.(report.reason)
    else if (report.kind === 'not-started') this.#end({ kind: 'not-started', why: report.why })
    else this.#end({ kind: 'ended', code: report.code, signal: report.signal, stopped: report.stopped })
  }

  #unwatched(): void {
    if (!this.#watched) return
    this.#watched = false
    this.#onReady.reject(new Error('The watchdog could not be started.'))
    if (this.#onEnding === undefined) return
    this.#plan?.stop(machineClock.now(), 'requested')
    if (this.#session !== undefined) this.#terminate(this.#session)
  }

  #terminate(session: ProcessSession): void {
    signalAll(session, 'SIGTERM')
    signalAll(session, 'SIGCONT')
  }

  /** A command that the watchdog has started but not reported. */
  #search(): void {
    this.#searches++
    this.#session = sessionWith(`LEASEHOLD_RUN=${this.#id}`)
    if (this.#session !== undefined && !this.#watched) this.#terminate(this.#session)
  }

  /** Kills the command when the watchdog should have done so a little earlier. */
  #backstop(): void {
    if (this.#plan === undefined) return
    const now = machineClock.now()
    // While the watchdog lives, only past the limit: a renewal that reached the watchdog in time may be late here.
    const kills = this.#watched ? this.#plan.isPastLimit(now) : this.#plan.due(now).kind === 'kill'
    if (this.#session === undefined && (kills || !this.#watched)) this.#search()
    const session = this.#session
    if (kills) {
      if (session !== undefined) signalAll(session, 'SIGKILL')
      // The watchdog had time to report: it hangs, or a signal has stopped it.
      if (++this.#kills > reportWithinChecks) this.#process.kill('SIGKILL')
    }
    if (this.#watched) return
    if (session !== undefined) this.#sessionEnd ??= new SessionEnd(session)
    const isGone = this.#sessionEnd?.isOver() ?? this.#searches > foundWithinChecks
    if (isGone) this.#end({ kind: 'unwatched' })
  }

  #end(ending: Ending): void {
    clearInterval(this.#checks)
    const onEnding = this.#onEnding
    this.#onEnding = undefined
    onEnding?.(ending)
  }
}
