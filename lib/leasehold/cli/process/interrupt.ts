import { onAbort } from '../../time/index.ts'
import type { Io } from './io.ts'

/** Signals that end a command which waits or watches. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Aborts, with what `reason` makes of it, when a signal asks the process to end. */
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

/** Waits for `work`, but not past the signal: then its reason is thrown, and what comes of `work` is dropped. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal?.reason))
    work.then(resolve, reject).finally(forget)
  })
}
