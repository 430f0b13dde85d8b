import type cassandra from 'cassandra-driver'
import { systemTimer } from '../../time/index.ts'

/** Private fields of the driver 4.10.0. */
interface ControlConnection {
  _refresh(queryPlan?: unknown): Promise<void>
}

/** The pause after a failed refresh, in milliseconds. */
const againAfterMs = 1_000

/**
 * Lets the driver restore its control connection once at a time.
 *
 * Why: the driver's restorations overlap when connections keep breaking. Each one adds listeners, and each listener
 * begins a restoration of its own at the next break, so that they multiply. A restoration whose host another one has
 * removed throws a TypeError from a timer, and the unhandled rejection ends the process. (4.10.0,
 * `ControlConnection._refresh`.) A driver without that method stays as it is.
 * @param closing aborts when the client is closed, and ends every pause
 */
export function restoreOnceAtATime(client: cassandra.Client, closing: AbortSignal): void {
  const control = (client as unknown as { controlConnection?: ControlConnection }).controlConnection
  const restore = control?._refresh
  if (control === undefined || typeof restore !== 'function') return
  let running: Promise<void> | undefined
  const again = async (): Promise<void> => {
    await systemTimer.sleep(againAfterMs, closing)
    if (!closing.aborted) await control._refresh()
  }
  const once = async (): Promise<void> => {
    try {
      await restore.call(control)
    } catch {
      // Without another try there would be no control connection any more.
      void again()
    } finally {
      running = undefined
    }
  }
  control._refresh = (queryPlan) => {
    // A call with a query plan continues the restoration that is running.
    if (queryPlan !== undefined) return restore.call(control, queryPlan)
    running ??= once()
    return running
  }
}
