/**
 * The names that this process gave up a moment ago, and those that it was asked to give up.
 *
 * A process that comes back at once is faster than every waiter: it knows of the release before they can. So it looks at
 * the queue before it tries again (`waiting/wait.ts`); and after a request to resign it stands back, until another owner has
 * come in, or for one TTL.
 */
import { elapsedMs, type Moment } from '../../time/index.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { LeaseContext } from '../context.ts'
import type { Lease } from '../kept/lease.ts'
import { hintEveryMs } from '../reading/watch.ts'

/** Longer than a waiter needs to notice a release, in milliseconds. */
const momentMs = 1_000
/** A loop whose work takes no time asks for waiters ten times a second, and not at each turn. */
const askEveryMs = 100
const rememberedNames = 1_000

/** A lease whose holder was asked to resign. */
interface Asked {
  readonly lease: Lease
  /** When this process read the request. */
  readonly at: Moment
  /** When it was given up, or found lost. */
  leftAt: Moment | undefined
}

export class LeftNames {
  readonly #context: LeaseContext
  readonly #left = new BoundedMap<string, { at: Moment; askedAt: Moment | undefined }>(rememberedNames)
  readonly #asked = new BoundedMap<string, Asked>(rememberedNames)

  constructor(context: LeaseContext) {
    this.#context = context
  }

  /** A lease was released. */
  left(name: string): void {
    const at = this.#context.clock.now()
    const asked = this.#asked.get(name)
    if (asked !== undefined) asked.leftAt ??= at
    this.#left.set(name, { at, askedAt: this.#left.get(name)?.askedAt })
  }

  /** Its holder was asked to resign. */
  asked(lease: Lease): void {
    this.#asked.set(lease.name, { lease, at: this.#context.clock.now(), leftAt: undefined })
  }

  /** Whether to look for waiters before the next try: for a moment after the name was given up, and then at most ten times a second. Counts the look. */
  takeLook(name: string): boolean {
    const now = this.#context.clock.now()
    const left = this.#left.get(name)
    if (left === undefined || elapsedMs(left.at, now) > momentMs) return false
    if (left.askedAt !== undefined && elapsedMs(left.askedAt, now) < askEveryMs) return false
    left.askedAt = now
    return true
  }

  /** A read after `since` showed this owner. If the request had come by then, another owner than the one that was asked has come in. */
  sawHolder(name: string, owner: string, since: Moment): void {
    const asked = this.#asked.get(name)
    if (asked === undefined || asked.lease.owner === owner) return
    if (since.monotonicMs >= asked.at.monotonicMs) this.#asked.delete(name)
  }

  /** Whether `standBack` would wait, unless another owner holds the lease already. */
  mustStandBack(name: string): boolean {
    const asked = this.#asked.get(name)
    return asked !== undefined && this.#untilOverMs(asked) > 0
  }

  /**
   * After a request to resign: waits until another owner holds the lease, or one TTL has passed since it was given up.
   * @returns false: the caller waits no longer than `waitMs`, or has left
   */
  async standBack(name: string, waitMs: number, left: AbortSignal): Promise<boolean> {
    const asked = this.#asked.get(name)
    if (asked === undefined) return true
    const { clock, timer, store } = this.#context
    const started = clock.now()
    const { lease } = asked
    const overMs = () => this.#untilOverMs(asked)
    while (overMs() > 0 && this.#asked.get(name) === asked) {
      const owner = await store.hint(name).then(
        (hint) => hint?.owner ?? null,
        () => null,
      )
      if (owner !== null && owner !== lease.owner) break
      const leftMs = waitMs - elapsedMs(started, clock.now())
      if (leftMs <= 0) return false
      await timer.sleep(Math.max(1, Math.min(overMs(), leftMs, hintEveryMs)), left)
      if (left.aborted) return false
    }
    if (this.#asked.get(name) === asked) this.#asked.delete(name)
    return true
  }

  #untilOverMs(asked: Asked): number {
    const { clock } = this.#context
    const forMs = asked.lease.ttlSeconds * 1_000
    // While its holder winds up, the time does not run.
    if (asked.leftAt === undefined && asked.lease.held) return forMs
    asked.leftAt ??= clock.now()
    return forMs - elapsedMs(asked.leftAt, clock.now())
  }
}
