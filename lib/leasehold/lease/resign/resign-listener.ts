/**
 * Listens for requests to resign: reads them beside the renewals of a lease, and hands each one to its callback once.
 *
 * Guarantees: a request to this very tenure is handed over at most once, and only while the lease is held. No renewal
 * waits for it: a read that fails is no news, and the next one finds what it would have. A read that comes too soon after
 * the last one is postponed, not left out: an update of the value moves the next renewal on by a whole interval.
 * Does not guarantee: that a request is read before the next renewal, nor while the requests cannot be read.
 */
import { elapsedMs, type Moment } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import type { Lease } from '../kept/lease.ts'
import { isFor, type ResignRequest } from './resign-requests.ts'

/**
 * Gets a request to resign. What it throws, or rejects with, is emitted as a process warning: the lease goes on.
 */
export type OnResignRequested<Held = Lease> = (request: ResignRequest, held: Held) => unknown

/** Requests are not read more often than this, also for leases whose values are written many times a second. */
const atMostEveryMs = 1_000

export class ResignListener {
  readonly #context: LeaseContext
  readonly #lease: Lease
  readonly #onResignRequested: OnResignRequested
  readonly #onAsked: () => void
  readonly #handedOver = new Set<string>()
  #listening = false
  /** A look was asked for while another one was under way. */
  #missed = false
  #stopped = false
  #cancel: (() => void) | undefined
  #lastRead: Moment | undefined

  /** @param onAsked called before the callback of the holder */
  constructor(
    context: LeaseContext,
    lease: Lease,
    onResignRequested: OnResignRequested,
    onAsked: () => void,
  ) {
    this.#context = context
    this.#lease = lease
    this.#onResignRequested = onResignRequested
    this.#onAsked = onAsked
  }

  /** One look: now, or once the last one is a second old and over. Never rejects. */
  async listen(): Promise<void> {
    const { clock, timer, resignRequests } = this.#context
    if (resignRequests === undefined || this.#stopped) return
    if (this.#listening) {
      this.#missed = true
      return
    }
    const waitMs = this.#lastRead === undefined ? 0 : atMostEveryMs - elapsedMs(this.#lastRead, clock.now())
    this.#cancel?.()
    this.#cancel = undefined
    if (waitMs > 0) {
      this.#cancel = timer.after(Math.ceil(waitMs), () => void this.listen())
      return
    }
    this.#listening = true
    this.#lastRead = clock.now()
    try {
      const { name, owner } = this.#lease
      for (const request of await resignRequests.of(name, owner)) this.#handOver(request)
    } catch {
      // No news. A table that is not there, or may not be read, is no reason to lose a lease.
    } finally {
      this.#listening = false
      if (this.#missed) {
        this.#missed = false
        void this.listen()
      }
    }
  }

  /** Forgets a look that was postponed, so that its timer does not keep a process alive. */
  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #handOver(request: ResignRequest): void {
    if (!isFor(request, this.#lease) || this.#handedOver.has(request.id) || !this.#lease.held) return
    this.#handedOver.add(request.id)
    this.#onAsked()
    void (async () => this.#onResignRequested(request, this.#lease))().catch((thrown: unknown) =>
      process.emitWarning(`onResignRequested of ${JSON.stringify(request.name)} failed: ${textOf(thrown)}`, {
        type: 'LeaseholdWarning',
        detail: (thrown instanceof Error && thrown.stack) || '',
      }),
    )
  }
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    // An object without a prototype, say. An error here would be an unhandled rejection, which ends the process.
    return 'a value without text'
  }
}
