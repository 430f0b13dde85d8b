/**
 * A time limit that counts only while the page runs. A long task keeps answers that have arrived from being read: without
 * this, each page that renders for two seconds would say that Cassandra has not answered.
 */
interface Patience {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal
  end(): void
}

const stepMs = 200

/** @param limitMs milliseconds */
export function patience(limitMs: number): Patience {
  const controller = new AbortController()
  let leftMs = limitMs
  let timer: ReturnType<typeof setTimeout>
  const step = () => {
    const ms = Math.min(stepMs, leftMs)
    timer = setTimeout(() => {
      leftMs -= ms
      if (leftMs > 0) step()
      else controller.abort(new DOMException('No answer in time.', 'TimeoutError'))
    }, ms)
  }
  step()
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}
