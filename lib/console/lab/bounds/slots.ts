/**
 * How many runs there are at a time, in the whole cluster, by leases of our own: four slots, and one lease a user. A lease’s value is the
 * run’s id, so that every instance knows which runs are alive; those of an instance that died expire.
 */
import { type Lease, type LeaseProtocol, Leases } from 'leasehold/lease'
import { minKeptTtlSeconds } from 'leasehold/time'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'

const ttlSeconds = 15
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
  readonly #watches = new Map<string, Promise<Lease | null>>()

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

  /** Tells the instance that runs it that it has viewers here, until it has none. Best effort. */
  tellWatched(run: string, isWatched: boolean): void {
    const before = this.#watches.get(run)
    if (isWatched && before === undefined) {
      const name = watchLease(run)
      const taking = this.#leases.tryAcquire(name).then(
        (outcome) => (outcome.kind === 'acquired' ? outcome.lease : null),
        () => null,
      )
      this.#watches.set(run, taking)
    } else if (!isWatched && before !== undefined) {
      this.#watches.delete(run)
      void before.then((lease) => lease?.release()).catch(() => {})
    }
  }

  /** Whether another instance has viewers of it. @throws StoreUnavailableError */
  async isWatchedElsewhere(run: string): Promise<boolean> {
    return (await this.#leases.read(watchLease(run)))?.owner != null
  }

  async close(): Promise<void> {
    await this.#leases.close({ waitMs: 1_000 })
  }
}

const placeOf = (leases: readonly Lease[]): Place => ({
  signal: AbortSignal.any(leases.map(({ signal }) => signal)),
  release: async () => {
    await Promise.all(leases.map((lease) => lease.release().catch(() => {})))
  },
})
