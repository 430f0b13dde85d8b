import type { Io } from './io.ts'

/** Signals that end a command which waits or watches. */
const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Aborted, with what `reason` makes of it, when somebody asks the process to end. */
export function untilInterrupted(
  io: Io,
  reason: (signal: NodeJS.Signals) => unknown,
): { signal: AbortSignal; stopListening: () => void } {
  const interrupted = new AbortController()
  const stops = ends.map((signal) => io.onSignal(signal, () => interrupted.abort(reason(signal))))
  return {
    signal: interrupted.signal,
    stopListening: () => {
      for (const stop of stops) stop()
    },
  }
}
