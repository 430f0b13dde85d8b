/**
 * Which leases were seen to be renewed, for as long as the tab is open: a lease that is at risk in the list is at risk
 * on its own page too.
 */
import type { Lease } from '../../contract/leases/lease.ts'
import { isSameTenure, type Sighting } from '../time/countdown.ts'
import { type Row, rowKey } from './row-board.ts'

const maxLeases = 10_000

export class Renewals {
  /** Each lease as it was last seen, by its key. */
  readonly #seen = new Map<string, Lease>()

  note(rows: readonly Row[]): void {
    for (const { key, lease, renewed, goneAtMs } of rows) {
      if (goneAtMs !== null || !renewed) this.#seen.delete(key)
      // A page that comes back begins with old rows: they must not take the place of what another page saw since.
      else if (!this.#knowsNewer(lease)) {
        if (this.#seen.size >= maxLeases) this.#seen.clear()
        this.#seen.set(key, lease)
      }
    }
  }

  /** Whether a later read of the same owner is kept. */
  #knowsNewer(lease: Lease): boolean {
    const before = this.#seen.get(rowKey(lease))
    return before !== undefined && before.owner === lease.owner && before.read.at > lease.read.at
  }

  /** Whether a renewal of this tenure was seen. false: not, or too long ago to know that the tenure is the same. */
  has(lease: Lease): boolean {
    const before = this.#seen.get(rowKey(lease))
    return before !== undefined && isSameTenure(before, lease)
  }

  /** A reading, with what is known of its renewals. */
  readonly mark = <L extends Lease>(sighting: Sighting<L>): Sighting<L> =>
    this.has(sighting.lease) ? { ...sighting, renewed: true } : sighting
}

export const renewals = new Renewals()
