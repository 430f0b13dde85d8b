/**
 * How many runs there are at a time, in the whole cluster, by leases of our own: four slots, and one lease a user. A lease’s value is the
 * run’s id, so that every instance knows which runs are alive; those of an instance that died expire.
 */
import { isLeaseholdError, type Lease, type LeaseProtocol, Leases } from 'leasehold/lease'
import { minKeptTtlSeconds, onAbort } from 'leasehold/time'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'

const ttlSeconds = 15
/** Between a failure to take the lease of viewers and the next try. */
const watchAgainMs = 2_000
const slotNames = Array.from({ length: labBounds.runsAtATime }, (_, i) => `leasehold/lab/slot-${i + 1}`)
const userLease = (username: string) => `leasehold/lab/user/${username}`
const watchLease = (run: string) => `leasehold/lab/watch/${run}`

/** The place of a run, until it is released or lost. */
export interface Place {
  /** Aborts when the place is lost: the run must end. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

/** `user`: this user has a run. `full`: all slots are taken. */
export type PlaceRefusal = 'user' | 'full'

export class Slots {
  readonly #leases: Leases
  readonly #watches = new Map<string, AbortController>()

  /** @param own the protocol on the console’s own table */
  constructor(own: LeaseProtocol) {
    const { context } = own
    const leastSeconds = minKeptTtlSeconds(context.maxClockSkewMs, context.store.paxosVariant)
    this.#leases = new Leases({ ...context, defaultTtlSeconds: Math.max(ttlSeconds, leastSeconds) })
  }

  /** @throws StoreUnavailableError, OutcomeUnknownError, StoreRefusedError */
  async take(run: string, username: string): Promise<Place | PlaceRefusal> {
    const ofUser = await this.#leases.tryAcquire(userLease(username), { value: run })
    if (ofUser.kind === 'held') return 'user'
    try {
      for (const name of slotNames) {
        const slot = await this.#leases.tryAcquire(name, { value: run })
        if (slot.kind === 'acquired') return placeOf([ofUser.lease, slot.lease])
      }
    } catch (thrown) {
      void ofUser.lease.release().catch(() => {})
      throw thrown
    }
    await ofUser.lease.release().catch(() => {})
    return 'full'
  }

  /** Whether this user has a run at this moment. @throws StoreUnavailableError */
  async isTakenBy(username: string): Promise<boolean> {
    return (await this.#leases.read(userLease(username)))?.owner != null
  }

  /** The ids of the runs that instances run at this moment. @throws StoreUnavailableError */
  async alive(): Promise<Set<string>> {
    const slots = await Promise.all(slotNames.map((name) => this.#leases.read(name)))
    return new Set(slots.flatMap((slot) => (slot?.owner == null ? [] : (slot.value ?? []))))
  }

  /**
   * Tells the instance that runs it that it has viewers here, until it has none. Of several instances with viewers one has the lease;
   * the others wait for it, so that the run is watched until the last of them has none.
   */
  tellWatched(run: string, isWatched: boolean): void {
    const watching = this.#watches.get(run)
    if (isWatched && watching === undefined) {
      const over = new AbortController()
      this.#watches.set(run, over)
      void this.#watch(watchLease(run), over.signal)
    } else if (!isWatched && watching !== undefined) {
      this.#watches.delete(run)
      watching.abort()
    }
  }

  /** Holds the lease of viewers until the signal aborts, and takes it again after a failure or a loss. Never rejects. */
  async #watch(name: string, signal: AbortSignal): Promise<void> {
    const { timer } = this.#leases.protocol.context
    while (!signal.aborted) {
      try {
        const lease = await this.#leases.acquire(name, { signal })
        await untilAborted(AbortSignal.any([signal, lease.signal]))
        await lease.release()
      } catch (thrown) {
        if (isLeaseholdError(thrown, 'closed')) return
      }
      await timer.sleep(watchAgainMs, signal)
    }
  }

  /** Whether another instance has viewers of it. @throws StoreUnavailableError */
  async isWatchedElsewhere(run: string): Promise<boolean> {
    return (await this.#leases.read(watchLease(run)))?.owner != null
  }

  async close(): Promise<void> {
    for (const watching of this.#watches.values()) watching.abort()
    this.#watches.clear()
    await this.#leases.close({ waitMs: 1_000 })
  }
}

const placeOf = (leases: readonly Lease[]): Place => ({
  signal: AbortSignal.any(leases.map(({ signal }) => signal)),
  release: async () => {
    await Promise.all(leases.map((lease) => lease.release().catch(() => {})))
  },
})

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => void onAbort(signal, resolve))
