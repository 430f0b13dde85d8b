/**
 * The rows of one table that a filter lets through, in one order. Viewers of the same view share it. Each change of a row
 * moves that row alone; nothing is computed for rows that did not change.
 */
import { canaryPrefix } from 'leasehold/doctor'
import { runOfLease } from '../../../contract/lab/lab-lease.ts'
import type { LeaseStateName } from '../../../contract/leases/lease.ts'
import type { LeaseSort } from '../../../contract/leases/list-order.ts'
import type { ScanFacts, WatchCounts } from '../../../contract/leases/watch.ts'
import { ownNames } from '../../leases/tables.ts'
import { sortedInSteps } from '../building/sorted-in-steps.ts'
import { type LeaseOrder, leaseOrders, type Placed } from './lease-order.ts'
import { SortedList } from './sorted-list.ts'
import type { WatchedRow } from './watched-row.ts'

export interface ViewSpec {
  /** Only the row of exactly this name. Left out: all. */
  readonly name?: string | undefined
  readonly sort: LeaseSort
  readonly prefix: string
  readonly q: string
  readonly owner: string | null
  /** null: all. */
  readonly states: readonly LeaseStateName[] | null
  /** Rows that the reader may see: of a program, those with the prefix that it asked for. */
  readonly within: string
  /** Leaves out the console's own leases, such as that of the recorder. Left out: false. */
  readonly hidesOwn?: boolean | undefined
  /**
   * What is wrong with a lease of the election lab is so on purpose: it is no cause for an alarm. It is shown, and is counted in no
   * state and let through no filter by state. Left out: false.
   */
  readonly calmsLab?: boolean | undefined
}

/** Equal for views that show the same. */
export const viewKey = (spec: ViewSpec): string => {
  const { name, sort, prefix, q, owner, states, within } = spec
  const inOrder = states === null ? null : [...new Set(states)].sort()
  const [hidesOwn, calmsLab] = [spec.hidesOwn === true, spec.calmsLab === true]
  return JSON.stringify([name ?? null, sort, prefix, q, owner, inOrder, within, hidesOwn, calmsLab])
}

/** So many rows are looked at in one step: less than a millisecond, unless their values are long. */
const rowsAtOnce = 64
/** A row that changed costs more than one that is looked at: it may move. */
const changesAtOnce = 32

/** A row before and after a change; null: there is no such row. */
export type RowChange = readonly [before: WatchedRow | null, after: WatchedRow | null]

const showsCanaries = ({ name, prefix }: ViewSpec): boolean => (name ?? prefix).startsWith(canaryPrefix)

/** Whether a view has all rows that another one shows or counts, in the order of that one. */
export const isWithin = (spec: ViewSpec, wider: ViewSpec): boolean =>
  wider.name === undefined &&
  wider.states === null &&
  spec.sort === wider.sort &&
  spec.within === wider.within &&
  (spec.hidesOwn === true) === (wider.hidesOwn === true) &&
  showsCanaries(spec) === showsCanaries(wider) &&
  (wider.owner === null || spec.owner === wider.owner) &&
  spec.prefix.startsWith(wider.prefix) &&
  spec.q.toLowerCase().includes(wider.q.toLowerCase())

/** Whether a view leaves out no row that its sender may see: there are as many of these as orders, and every page of the list begins with one. */
export const isWhole = ({ name, prefix, q, owner, states, within }: ViewSpec): boolean =>
  name === undefined && prefix === '' && q === '' && owner === null && states === null && within === ''

/** What a page of the list and a window of the stream need of a view. */
export type ReadableView = Pick<View, 'spec' | 'matches' | 'counts' | 'window' | 'after'>

export class View {
  readonly spec: ViewSpec
  readonly #q: string
  readonly #showsCanaries: boolean
  #rows: SortedList<WatchedRow>
  readonly #byState = new Map<LeaseStateName, number>()
  #total = 0

  /** @param row the only row of the table that the view may have; others come by `change`, or are built `inSteps` */
  constructor(spec: ViewSpec, row?: WatchedRow) {
    this.spec = spec
    this.#q = spec.q.toLowerCase()
    this.#showsCanaries = showsCanaries(spec)
    this.#rows = new SortedList<WatchedRow>(leaseOrders[spec.sort])
    if (row !== undefined) this.change(null, row)
  }

  /**
   * A new view, in steps: other work goes on between them, and rows change meanwhile.
   *
   * Guarantees: the view has the rows that the table had at the first step, which copies them all, with each change since then made in its
   * order. When the last step ends it is what it would be if it had been made then, at once: no page of it has a row in a
   * place that was right for an earlier state of that row.
   * @param from all rows of the table, or a view that `isWithin` says to have all rows of this one, in its order: then they need not be sorted
   * @param changes the caller adds each change of a row of the table since the first step. All that are there are made before the last one ends
   */
  static *inSteps(
    spec: ViewSpec,
    from: Iterable<WatchedRow> | View,
    changes: readonly RowChange[] = [],
  ): Generator<void, View> {
    const view = new View(spec)
    yield* view.#fill(from)
    // More of them may come between two steps.
    for (let i = 0; i < changes.length; i++) {
      view.change(...(changes[i] as RowChange))
      if (i % changesAtOnce === changesAtOnce - 1) yield
    }
    return view
  }

  *#fill(from: Iterable<WatchedRow> | View): Generator<void, void> {
    const areSorted = from instanceof View
    const rows = areSorted ? from.#rows.all() : [...from]
    // The wider view has counted rows that its filter does not let through, too.
    if (areSorted) this.#total = from.#total
    yield
    const matching: WatchedRow[] = []
    for (let i = 0; i < rows.length; i++) {
      if (i % rowsAtOnce === rowsAtOnce - 1) yield
      const row = rows[i] as WatchedRow
      if (!this.#belongs(row.name)) continue
      if (!areSorted) this.#total++
      if (!this.#passes(row)) continue
      this.#count(row, 1)
      if (this.#hasState(row)) matching.push(row)
    }
    const compare = leaseOrders[this.spec.sort]
    const sorted = areSorted ? matching : yield* sortedInSteps(matching, compare)
    this.#rows = new SortedList(compare, sorted, { areSorted: true })
  }

  change(before: WatchedRow | null, after: WatchedRow | null): void {
    const { name } = (after ?? before) as WatchedRow
    if (!this.#belongs(name)) return
    if (before === null) this.#total++
    else if (after === null) this.#total--
    const passed = before !== null && this.#passes(before)
    const passes = after !== null && (sameText(before, after) ? passed : this.#passes(after))
    if (passed) this.#count(before, -1)
    if (passes) this.#count(after, 1)
    const was = passed && this.#hasState(before)
    const is = passes && this.#hasState(after)
    if (was && is) this.#rows.replace(before, after)
    else if (was) this.#rows.remove(before)
    else if (is) this.#rows.insert(after)
  }

  /** @returns whether this row is one of the view's */
  matches(row: WatchedRow): boolean {
    return this.#belongs(row.name) && this.#passes(row) && this.#hasState(row)
  }

  counts(): WatchCounts {
    const byState = Object.fromEntries([...this.#byState].filter(([, count]) => count > 0))
    return { total: this.#total, matching: this.#rows.length, byState }
  }

  /** The rows number `offset` and on. */
  window(order: LeaseOrder, offset: number, limit: number): WatchedRow[] {
    if (order === 'asc') return this.#rows.slice(offset, offset + limit)
    const end = this.#rows.length - offset
    return this.#rows.slice(Math.max(0, end - limit), Math.max(0, end)).reverse()
  }

  /** How many rows come before this place, or are at it, in this order. */
  after(order: LeaseOrder, place: Placed): number {
    const { length } = this.#rows
    // The list compares what any order looks at, and nothing else of a row.
    const rank = this.#rows.rankOf(place as WatchedRow)
    const [at] = this.#rows.slice(rank, rank + 1)
    const isThere = at !== undefined && leaseOrders[this.spec.sort](at, place) === 0
    return order === 'asc' ? rank + (isThere ? 1 : 0) : length - rank
  }

  /**
   * Leases of the console itself, and a canary's rows, which come and go each minute, are no program's: they are shown to
   * those who ask for them.
   */
  #belongs(name: string): boolean {
    if (this.spec.name !== undefined && name !== this.spec.name) return false
    if (!name.startsWith(this.spec.within)) return false
    if (name.startsWith(canaryPrefix)) return this.#showsCanaries
    return !(this.spec.hidesOwn && name.startsWith(ownNames))
  }

  #passes({ name, owner, value }: WatchedRow): boolean {
    const { spec } = this
    if (!name.startsWith(spec.prefix)) return false
    if (spec.owner !== null && owner !== spec.owner) return false
    if (this.#q === '') return true
    return [name, owner, value].some((text) => text?.toLowerCase().includes(this.#q))
  }

  #hasState(row: WatchedRow): boolean {
    const { states } = this.spec
    return states === null || (states.includes(row.state) && !this.#isMeantSo(row))
  }

  #isMeantSo({ name, state }: WatchedRow): boolean {
    return this.spec.calmsLab === true && state !== 'held' && runOfLease(name) !== null
  }

  #count(row: WatchedRow, by: number): void {
    if (this.#isMeantSo(row)) return
    const { state } = row
    this.#byState.set(state, (this.#byState.get(state) ?? 0) + by)
  }
}

/** A renewal changes nothing that a filter looks at but the state. */
const sameText = (before: WatchedRow | null, after: WatchedRow): boolean =>
  before !== null && before.owner === after.owner && before.value === after.value

/** What a reader may know of a scan: a program that knows some names is not to learn how many others there are. */
export const scanFactsFor = (view: ReadableView, facts: ScanFacts): ScanFacts =>
  view.spec.within === '' ? facts : { ...facts, rows: view.counts().total }
