/**
 * The command, as `leasehold` sees it: through its watchdog (`watchdog.ts`).
 *
 * Guarantees: when the watchdog dies, or does not do what is due, this process stops the command itself.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { CliError } from './cli-error.ts'
import { exitCode } from './exit-codes.ts'
import { isAlive, type ProcessSession, signalAll } from './process-session.ts'
import { type Limits, StopPlan, type StopReason } from './stop-plan.ts'
import { machineClock } from './system-clock.ts'
import { lines, type Order, type Report } from './watchdog-words.ts'

export type Ending =
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null; stopped: StopReason | null }
  /** `why`: the system's error code. */
  | { kind: 'not-started'; why: string }
  /** The watchdog is gone, and so is the command by now. */
  | { kind: 'unwatched' }

/** From source, node runs the source; from the package, what was built. */
const script = fileURLToPath(new URL(`./watchdog${import.meta.url.slice(-3)}`, import.meta.url))
const lookEveryMs = 50
/** How often it is looked again, after a kill, before the watchdog itself is given up. */
const reportWithinLooks = 40

export class WatchedCommand {
  /** When the watchdog is up. @throws when it never is */
  readonly ready: Promise<void>
  readonly #process: ChildProcess
  readonly #socket: Socket
  #onReady!: { resolve: () => void; reject: (why: Error) => void }
  #onEnding: ((ending: Ending) => void) | undefined
  #onStopping: ((reason: StopReason) => void) | undefined
  #session: ProcessSession | undefined
  #plan: StopPlan | undefined
  #watched = true
  #look: NodeJS.Timeout | undefined
  #kills = 0

  /** Starts the watchdog; the command comes later, so that a lease does not wait for it. */
  constructor() {
    if (process.platform === 'win32')
      throw new CliError(
        exitCode.failed,
        'Commands are run on Linux and macOS alone: Windows has no process groups that can be signalled.',
      )
    this.ready = new Promise((resolve, reject) => {
      this.#onReady = { resolve, reject }
    })
    this.ready.catch(() => {})
    this.#process = spawn(process.execPath, [script], {
      detached: true,
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
      // Nothing of ours concerns it: no NODE_OPTIONS that load something else first, no secrets.
      env: {} as NodeJS.ProcessEnv,
    })
    this.#socket = this.#process.stdio[3] as Socket
    const gone = () => this.#unwatched()
    this.#process.on('error', gone)
    this.#process.on('exit', gone)
    this.#socket.setEncoding('utf8')
    this.#socket.on(
      'data',
      lines((report: Report) => this.#hear(report)),
    )
    this.#socket.on('error', gone).on('end', gone)
  }

  /** Runs the command to its end. Once. */
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
      if (this.#watched) this.#order({ do: 'start', command, env, limits, graceMs })
      else this.#end({ kind: 'unwatched' })
      this.#look = setInterval(() => this.#secondLook(), lookEveryMs)
    })
  }

  moveOn(limits: Limits): void {
    this.#plan?.moveOn(limits)
    this.#order({ do: 'move-on', limits })
  }

  /** SIGTERM at once, SIGKILL after the grace, never later than the limit. */
  stop(): void {
    this.#plan?.stop(machineClock.now(), 'told')
    this.#order({ do: 'stop' })
  }

  signal(signal: NodeJS.Signals): void {
    this.#order({ do: 'signal', signal })
  }

  /** Lets the watchdog go; the command, if there is one, is stopped by that. */
  leave(): void {
    clearInterval(this.#look)
    this.#watched = false
    this.#socket.end(`${JSON.stringify({ do: 'leave' } satisfies Order)}\n`)
    this.#process.unref()
    this.#socket.unref()
  }

  #order(order: Order): void {
    if (this.#watched) this.#socket.write(`${JSON.stringify(order)}\n`)
  }

  #hear(report: Report): void {
    if (report.is === 'ready') this.#onReady.resolve()
    else if (report.is === 'started') this.#session = { pid: report.pid, startedTicks: report.startedTicks }
    else if (report.is === 'stopping') this.#onStopping?.(report.reason)
    else if (report.is === 'not-started') this.#end({ kind: 'not-started', why: report.why })
    else this.#end({ kind: 'ended', code: report.code, signal: report.signal, stopped: report.stopped })
  }

  #unwatched(): void {
    if (!this.#watched) return
    this.#watched = false
    this.#onReady.reject(new Error('The watchdog could not be started.'))
    if (this.#onEnding === undefined) return
    if (this.#session === undefined) {
      this.#end({ kind: 'unwatched' })
      return
    }
    this.#plan?.stop(machineClock.now(), 'told')
    signalAll(this.#session, 'SIGTERM')
    signalAll(this.#session, 'SIGCONT')
  }

  /** Fail safe: what the watchdog should have done is done here, later than it would have been there. */
  #secondLook(): void {
    if (this.#plan === undefined || this.#session === undefined) return
    const now = machineClock.now()
    // As long as there is a watchdog, only what it has surely missed is done here: a renewal that it has heard of in
    // time must not look late from here.
    const kills = this.#watched ? this.#plan.isPastLimit(now) : this.#plan.due(now).kind === 'kill'
    if (kills) {
      signalAll(this.#session, 'SIGKILL')
      // It has had its time to say so: it is stuck, or was stopped.
      if (++this.#kills > reportWithinLooks) this.#process.kill('SIGKILL')
    }
    if (!this.#watched && !isAlive(this.#session)) this.#end({ kind: 'unwatched' })
  }

  #end(ending: Ending): void {
    clearInterval(this.#look)
    const onEnding = this.#onEnding
    this.#onEnding = undefined
    onEnding?.(ending)
  }
}
