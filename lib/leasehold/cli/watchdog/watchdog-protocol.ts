/** The messages between `leasehold` and its watchdog: JSON, one a line. */
import type { Limits, StopReason } from './stop-plan.ts'

export type Order =
  | {
      kind: 'start'
      command: readonly string[]
      env: Record<string, string>
      limits: Limits
      graceMs: number
    }
  | { kind: 'extend'; limits: Limits }
  /** SIGTERM at once, SIGKILL after the grace, never later than the limit. */
  | { kind: 'stop' }
  | { kind: 'signal'; signal: NodeJS.Signals }
  /** Ends the watchdog, after a command that still runs: SIGTERM at once, SIGKILL as with `stop`. */
  | { kind: 'exit' }

export type Report =
  | { kind: 'ready' }
  | { kind: 'started'; pid: number; startedTicks: string | null }
  /** The command did not start: ENOENT, EACCES, … */
  | { kind: 'not-started'; why: string }
  | { kind: 'stopping'; reason: StopReason }
  /**
   * The command and its background processes are gone. `stopped`: why the watchdog stopped it; null: it ended itself.
   */
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null; stopped: StopReason | null }

/** Splits the incoming text into messages. */
export function messageReader<T>(onMessage: (message: T) => void): (chunk: string) => void {
  let rest = ''
  return (chunk) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() as string
    for (const part of parts) onMessage(JSON.parse(part) as T)
  }
}
