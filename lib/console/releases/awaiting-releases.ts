import type { Clock } from 'leasehold/time'
import type { Release } from '../../contract/releases/release.ts'
import { KeptReadings } from '../store/kept-readings.ts'
import { type Awaiting, isAwaiting, releaseOf } from './release-record.ts'
import type { ReleaseStore } from './release-store.ts'

/**
 * Each operator's page asks every 5 s, and each row costs a read at SERIAL. What another instance changed is seen so much
 * later. No decision depends on the list: an approval reads its row again.
 */
const sharedForMs = 2_000

interface AwaitingReleasesDeps {
  readonly store: Pick<ReleaseStore, 'awaiting'>
  readonly clock: Clock
}

/** The releases that wait for a second person, read once for all who look at this instance. */
export class AwaitingReleases {
  readonly #deps: AwaitingReleasesDeps
  readonly #shared: KeptReadings<Awaiting>

  constructor(deps: AwaitingReleasesDeps) {
    this.#deps = deps
    this.#shared = new KeptReadings({ clock: deps.clock, max: 1 })
  }

  /** Newest first. `more`: older ones may wait, which were not read. @throws StoreUnavailableError, StoreRefusedError */
  async list(): Promise<{ releases: Release[]; more: boolean }> {
    const { store, clock } = this.#deps
    const { records, more } = await this.#shared.read('', sharedForMs, () => store.awaiting())
    const nowMs = clock.now().wallMs
    const waiting = records.filter((record) => isAwaiting(record, nowMs))
    return { releases: waiting.map((record) => releaseOf(record, nowMs)), more }
  }

  /** To be called when this instance changed what waits, or may have: the next request reads again. */
  changed(): void {
    this.#shared.forget('')
  }
}
