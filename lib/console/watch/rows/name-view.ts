/**
 * The view of one name. It is looked up in the snapshot when it is read, so that no change of another row costs it
 * anything, and as many names as there are viewers may be watched.
 */
import type { WatchCounts } from '../../../contract/leases/watch.ts'
import type { LeaseOrder, Placed } from './lease-order.ts'
import { type ReadableView, View, type ViewSpec } from './view.ts'
import type { WatchedRow } from './watched-row.ts'

export class NameView implements ReadableView {
  readonly spec: ViewSpec
  readonly #row: () => WatchedRow | undefined

  /** @param row the row of the name that `spec` has, as it is now */
  constructor(spec: ViewSpec, row: () => WatchedRow | undefined) {
    this.spec = spec
    this.#row = row
  }

  matches(row: WatchedRow): boolean {
    return this.#now().matches(row)
  }

  counts(): WatchCounts {
    return this.#now().counts()
  }

  window(order: LeaseOrder, offset: number, limit: number): WatchedRow[] {
    return this.#now().window(order, offset, limit)
  }

  after(order: LeaseOrder, place: Placed): number {
    return this.#now().after(order, place)
  }

  #now(): View {
    return new View(this.spec, this.#row())
  }
}
