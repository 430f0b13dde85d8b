import type cassandra from 'cassandra-driver'
import { systemTimer } from '../../time/index.ts'

/** As it is in the driver, 4.10.0; none of it is public. */
interface ControlConnection {
  _refresh(queryPlan?: unknown): Promise<void>
}

/** After a refresh that broke off, in milliseconds. */
const againAfterMs = 1_000

/**
 * Lets the driver restore its control connection once at a time.
 *
 * Why: its own restorations overlap when connections keep breaking. Each sets its listeners, and each of them begins a
 * restoration of its own at the next break, so that they multiply; one that finds its host taken away by another throws
 * a TypeError which nobody catches, and an unhandled rejection ends the process. (4.10.0, `ControlConnection._refresh`,
 * called by a timer.) A driver of another make is left as it is.
 * @param closing aborts when the client is closed: no pause outlasts that
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
      // Without another one there would be no control connection any more.
      void again()
    } finally {
      running = undefined
    }
  }
  control._refresh = (queryPlan) => {
    // With a query plan it goes on with what is running.
    if (queryPlan !== undefined) return restore.call(control, queryPlan)
    running ??= once()
    return running
  }
}
