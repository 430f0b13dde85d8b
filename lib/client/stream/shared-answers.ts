/**
 * When the windows of this browser heard Leasehold's server last, and when it said last that Cassandra does not answer. A browser has six
 * connections to one server over HTTP/1.1. While Cassandra is silent, streams and requests that wait for it hold all six. The time of
 * another request is then over before the browser has sent it, which says nothing of the server. So the windows tell each other what
 * they hear, and `connection.ts` blames neither the server while a window hears it, nor Cassandra unless the server said so.
 *
 * Guarantees: only the diagnosis is shared. What another window heard ends no loss, makes no row fresher and unlocks no release. A message
 * holds a time and whether Cassandra is silent, and nothing of the user: windows with different users, or none, share the same.
 * Does not guarantee: anything where the browser has no `BroadcastChannel`, or for windows at different addresses of the console: each of
 * those knows itself alone. Where a balancer sends windows to different servers, one that answers hides the silence of another: its window
 * says "No answer". A hidden window asks nothing, so it has little to tell.
 */
import { pageNow } from '../time/page-clock.ts'

/** By the page's clock; -Infinity: never. */
export interface ServerHeard {
  /** When any window heard the server last. */
  readonly answeredAtMs: number
  /** When the server said last that Cassandra does not answer. */
  readonly cassandraSilentAtMs: number
}

/** As the windows tell each other. `atMs`: by the wall clock, which all windows of a browser share. */
interface SharedAnswer {
  atMs: number
  isCassandraSilent: boolean
}

interface SharedAnswersParts {
  /** Tells all other windows. */
  post: (answer: SharedAnswer) => void
  nowMs: () => number
  wallNowMs: () => number
}

/** A window tells the others no more often. */
const shareEveryMs = 250

export class SharedAnswers {
  readonly #parts: SharedAnswersParts
  #heard: ServerHeard = {
    answeredAtMs: Number.NEGATIVE_INFINITY,
    cassandraSilentAtMs: Number.NEGATIVE_INFINITY,
  }
  /** The same when this window last posted. */
  #shared = this.#heard

  constructor(parts: SharedAnswersParts) {
    this.#parts = parts
  }

  readonly heard = (): ServerHeard => this.#heard

  /** The server has answered this window. @param isCassandraSilent it said that Cassandra does not answer */
  note(isCassandraSilent: boolean): void {
    this.#take(this.#parts.nowMs(), isCassandraSilent)
    const { answeredAtMs, cassandraSilentAtMs } = this.#shared
    const sharedAtMs = isCassandraSilent ? cassandraSilentAtMs : answeredAtMs
    if (this.#parts.nowMs() - sharedAtMs < shareEveryMs) return
    this.#shared = this.#heard
    this.#parts.post({ atMs: this.#parts.wallNowMs(), isCassandraSilent })
  }

  /** Another window says something; one with another version of the page may say something else. */
  hear(data: unknown): void {
    const { atMs, isCassandraSilent } = (data ?? {}) as Partial<SharedAnswer>
    if (typeof atMs !== 'number' || !Number.isFinite(atMs)) return
    // It may have waited for this window to run again.
    const ageMs = Math.max(0, this.#parts.wallNowMs() - atMs)
    this.#take(this.#parts.nowMs() - ageMs, isCassandraSilent === true)
  }

  #take(atMs: number, isCassandraSilent: boolean): void {
    const { answeredAtMs, cassandraSilentAtMs } = this.#heard
    this.#heard = {
      answeredAtMs: Math.max(answeredAtMs, atMs),
      cassandraSilentAtMs: isCassandraSilent ? Math.max(cassandraSilentAtMs, atMs) : cassandraSilentAtMs,
    }
  }
}

let channel: BroadcastChannel | null = null

/** What this window heard. */
export const sharedAnswers = new SharedAnswers({
  post: (answer) => channel?.postMessage(answer),
  nowMs: pageNow,
  wallNowMs: () => Date.now(),
})

/** From now on this window tells the others and hears them. @returns ends it */
export function shareAnswers(): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const opened = new BroadcastChannel('leasehold.answers')
  opened.addEventListener('message', ({ data }) => sharedAnswers.hear(data))
  channel = opened
  return () => {
    opened.close()
    channel = null
  }
}
