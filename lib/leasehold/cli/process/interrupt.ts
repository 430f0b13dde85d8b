import { onAbort } from '../../time/index.ts'
import type { Io } from './io.ts'

/** Signals that end a command which waits or watches. SIGPIPE: what it prints cannot be written any more. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE'] as const

/** Aborts when a signal asks the process to end; `reason` makes the reason of the abort. */
export function untilInterrupted(
  io: Io,
  reason: (signal: NodeJS.Signals) => unknown,
): { signal: AbortSignal; stopListening: () => void } {
  const interrupted = new AbortController()
  const stops = endingSignals.map((signal) => io.onSignal(signal, () => interrupted.abort(reason(signal))))
  return {
    signal: interrupted.signal,
    stopListening: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Waits for `work`. When the signal aborts first, throws its reason and ignores the result of `work`. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal?.reason))
    work.then(resolve, reject).finally(forget)
  })
}
