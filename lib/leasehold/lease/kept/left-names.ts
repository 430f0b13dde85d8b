/**
 * The names that this process gave up a moment ago, and those that it was asked to give up.
 *
 * A process that comes back at once is faster than every waiter: it knows of the release before they can. So it looks at
 * the queue before it tries again (`waiting/wait.ts`); and after a request to resign it stands back, until another owner has
 * come in, or for one TTL.
 */
import { elapsedMs, type Moment } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import { hintEveryMs } from '../waiting/until-free.ts'

/** Longer than a waiter needs to notice a release, in milliseconds. */
const momentMs = 1_000
/** A loop whose work takes no time asks for waiters ten times a second, and not at each turn. */
const askEveryMs = 100
const rememberedNames = 1_000

export class LeftNames {
  readonly #context: LeaseContext
  readonly #left = new Map<string, { at: Moment; askedAt: Moment | undefined }>()
  readonly #asked = new Map<string, { at: Moment; forMs: number; owner: string }>()

  constructor(context: LeaseContext) {
    this.#context = context
  }

  /** A lease was released. */
  left(name: string): void {
    const at = this.#context.clock.now()
    const asked = this.#asked.get(name)
    if (asked !== undefined) asked.at = at
    remember(this.#left, name, { at, askedAt: this.#left.get(name)?.askedAt })
  }

  /** Its holder was asked to resign. */
  asked({ name, owner, ttlSeconds }: { name: string; owner: string; ttlSeconds: number }): void {
    remember(this.#asked, name, { at: this.#context.clock.now(), forMs: ttlSeconds * 1_000, owner })
  }

  /** Whether to look for waiters before the next try. Asked again within a tenth of a second: no. */
  justNow(name: string): boolean {
    const now = this.#context.clock.now()
    const left = this.#left.get(name)
    if (left === undefined || elapsedMs(left.at, now) > momentMs) return false
    if (left.askedAt !== undefined && elapsedMs(left.askedAt, now) < askEveryMs) return false
    left.askedAt = now
    return true
  }

  /**
   * After a request to resign: waits until another owner holds the lease, or one TTL is over.
   * @returns for how long it waited; undefined: the caller does not wait for that long
   */
  async standBack(name: string, waitMs: number, left: AbortSignal): Promise<number | undefined> {
    const asked = this.#asked.get(name)
    if (asked === undefined) return 0
    const { clock, timer, store } = this.#context
    const started = clock.now()
    const overMs = () => asked.forMs - elapsedMs(asked.at, clock.now())
    while (overMs() > 0 && this.#asked.get(name) === asked) {
      const owner = await store.hint(name).then(
        (hint) => hint?.owner ?? null,
        () => null,
      )
      if (owner !== null && owner !== asked.owner) break
      const leftMs = waitMs - elapsedMs(started, clock.now())
      if (leftMs <= 0 || left.aborted) return undefined
      await timer.sleep(Math.max(1, Math.min(overMs(), leftMs, hintEveryMs)), left)
      if (left.aborted) return undefined
    }
    this.#asked.delete(name)
    return elapsedMs(started, clock.now())
  }
}

function remember<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > rememberedNames) map.delete(map.keys().next().value as string)
}
