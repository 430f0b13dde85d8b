/**
 * A holder's ear for requests to resign: they are read beside its renewals, and each one is told once.
 *
 * Guarantees: a request to this very tenure is told at most once, and only while the lease is held. Nothing of it
 * is in a renewal's way: a read that fails is no news, and the next one finds what it would have.
 * Does not guarantee: that it is heard of before the next renewal, nor while the requests cannot be read.
 */
import { elapsedMs, type Moment } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import type { Lease } from './lease.ts'
import { isFor, type ResignRequest } from './resign-requests.ts'

/**
 * Told of a request to resign. What it throws, or rejects with, is emitted as a process warning: the lease goes on.
 */
export type OnResignRequested<Held = Lease> = (request: ResignRequest, held: Held) => unknown

/** Leases whose values are written many times a second are not asked about as often. */
const atMostEveryMs = 1_000

export class Hearing {
  readonly #context: LeaseContext
  readonly #lease: Lease
  readonly #onResignRequested: OnResignRequested
  readonly #told = new Set<string>()
  #listening = false
  #listened: Moment | undefined

  constructor(context: LeaseContext, lease: Lease, onResignRequested: OnResignRequested) {
    this.#context = context
    this.#lease = lease
    this.#onResignRequested = onResignRequested
  }

  /** One look, unless one is under way. Never rejects. */
  async listen(): Promise<void> {
    const { clock, resignRequests } = this.#context
    if (resignRequests === undefined || this.#listening) return
    if (this.#listened !== undefined && elapsedMs(this.#listened, clock.now()) < atMostEveryMs) return
    this.#listening = true
    this.#listened = clock.now()
    try {
      const { name, owner } = this.#lease
      for (const request of await resignRequests.of(name, owner)) this.#tell(request)
    } catch {
      // No news. A table that is not there, or may not be read, is no reason to lose a lease.
    } finally {
      this.#listening = false
    }
  }

  #tell(request: ResignRequest): void {
    if (!isFor(request, this.#lease) || this.#told.has(request.id) || !this.#lease.held) return
    this.#told.add(request.id)
    void (async () => this.#onResignRequested(request, this.#lease))().catch((thrown: unknown) =>
      process.emitWarning(`onResignRequested of ${JSON.stringify(request.name)} failed: ${textOf(thrown)}`, {
        type: 'LeaseholdWarning',
        ...(thrown instanceof Error && thrown.stack !== undefined && { detail: thrown.stack }),
      }),
    )
  }
}

const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
