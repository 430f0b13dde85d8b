/** What the command line and its watchdog say to each other: JSON, one message a line. */
import type { Limits, StopReason } from './stop-plan.ts'

export type Order =
  | {
      do: 'start'
      command: readonly string[]
      env: Record<string, string>
      limits: Limits
      graceMs: number
    }
  | { do: 'move-on'; limits: Limits }
  /** SIGTERM at once, SIGKILL after the grace, never later than the limit. */
  | { do: 'stop' }
  | { do: 'signal'; signal: NodeJS.Signals }
  | { do: 'leave' }

export type Report =
  | { is: 'ready' }
  | { is: 'started'; pid: number; startedTicks: string | null }
  /** The command could not be started: ENOENT, EACCES, … */
  | { is: 'not-started'; why: string }
  | { is: 'stopping'; reason: StopReason }
  /** The command and everything that it left running are gone. `stopped`: because it was made to. */
  | { is: 'ended'; code: number | null; signal: NodeJS.Signals | null; stopped: StopReason | null }

/** Cuts what arrives into messages. */
export function lines<T>(onMessage: (message: T) => void): (chunk: string) => void {
  let rest = ''
  return (chunk) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() as string
    for (const part of parts) onMessage(JSON.parse(part) as T)
  }
}
