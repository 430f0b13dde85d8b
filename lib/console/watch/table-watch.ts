import { canaryPrefix } from 'leasehold/doctor'
import { type Clock, onAbort } from 'leasehold/time'
import type { LeaseStateName } from '../../contract/leases/lease.ts'
import type { ScanFacts } from '../../contract/leases/watch.ts'
import { iso, isoOrNull } from '../http/instant.ts'
import { tooManyRequests } from '../http/limits/request-limits.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { ViewBuilds } from './building/view-builds.ts'
import { pauseMinMs, type ScanEnd } from './reading/scanner.ts'
import { StoreHealthWatch } from './reading/store-health.ts'
import { NameView } from './rows/name-view.ts'
import { Snapshot } from './rows/snapshot.ts'
import {
  isWhole,
  isWithin,
  type ReadableView,
  type RowChange,
  View,
  type ViewSpec,
  viewKey,
} from './rows/view.ts'
import type { WatchedRow } from './rows/watched-row.ts'
import type { StoreFacts } from './stream/window.ts'

/** Views of one table; beyond them only whole ones. Each change of a row is looked at by all of them, some microseconds each. */
const viewsMax = 100
/** A view without viewers is kept for the next page of the list, and for filters: a view of some of its rows is made without sorting. */
const keptMs = 60_000

interface Kept {
  readonly view: View
  usedMs: number
  /** Windows of it that are open, and requests that are about to read it. */
  holders: number
}

/** A view that waits for its turn, or is being built: all requests for it wait for the same one. */
interface Build {
  readonly kept: Promise<Kept>
  waiting: number
}

/** Called for each change of a row; null: there is no such row. It must not throw, and must not take long. */
type RowListener = (before: WatchedRow | null, after: WatchedRow | null) => void

interface TableWatchDeps {
  readonly clock: Clock
  /** Of the whole process. Left out: of this table. */
  readonly builds?: ViewBuilds | undefined
  due(name: string): void
  seen(name: string): void
  /** Lets go of a view on which no viewer looks any longer. @returns false: there is none */
  letGoOne?(): boolean
}

/** One table: its rows, and the views of them. */
export class TableWatch {
  readonly table: LeaseTable
  readonly snapshot: Snapshot
  /** Whether Cassandra answers the reads of this table: its replicas may be down while those of others are not. */
  readonly health: StoreHealthWatch
  readonly #clock: Clock
  readonly #letGoOne: () => boolean
  readonly #views = new Map<string, Kept>()
  readonly #builds: ViewBuilds
  readonly #building = new Map<string, Build>()
  /** Changes since the view that is being built has copied the rows; null: none is. */
  #changes: RowChange[] | null = null
  #scan: ScanEnd | null = null
  readonly #waiting = new Set<() => void>()
  readonly #listeners = new Set<RowListener>()

  constructor(table: LeaseTable, deps: TableWatchDeps) {
    const { clock, builds = new ViewBuilds(clock), due, seen, letGoOne = () => false } = deps
    this.table = table
    this.#clock = clock
    this.health = new StoreHealthWatch(clock)
    this.#builds = builds
    this.#letGoOne = letGoOne
    const hasOwner = table.mapping.owner !== null
    this.snapshot = new Snapshot(
      { hasOwner, clock },
      { changed: (...rows) => this.#changed(...rows), due, seen },
    )
  }

  get scanFacts(): ScanFacts {
    const scan = this.#scan
    if (scan === null) return { endedAt: null, rows: 0, tookMs: 0, pauseMs: pauseMinMs }
    const { endedAtMs, rows, tookMs, pauseMs } = scan
    const tenths = (ms: number) => Math.round(ms * 10) / 10
    return { endedAt: iso(endedAtMs), rows, tookMs: tenths(tookMs), pauseMs: tenths(pauseMs) }
  }

  get storeFacts(): StoreFacts {
    const { health } = this.health
    if (health.kind === 'good') return health
    const { sinceMs, asOfMs, isRefused } = health
    return { kind: 'lost', since: iso(sinceMs), asOf: isoOrNull(asOfMs), refused: isRefused }
  }

  /** null: no scan has ended yet. */
  get lastScan(): ScanEnd | null {
    return this.#scan
  }

  /** @returns a function that ends it */
  listen(listener: RowListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** How long ago the last scan ended, in milliseconds; null: none has. */
  get scanAgeMs(): number | null {
    return this.#scan === null ? null : this.#clock.now().wallMs - this.#scan.endedAtMs
  }

  /** How many rows are in each state, those of canaries left out. */
  counts(): Map<LeaseStateName, number> {
    const counts = new Map<LeaseStateName, number>()
    for (const { name, state } of this.snapshot.rows.values())
      if (!name.startsWith(canaryPrefix)) counts.set(state, (counts.get(state) ?? 0) + 1)
    return counts
  }

  scanned(scan: ScanEnd): void {
    this.#scan = scan
    for (const ready of this.#waiting) ready()
    this.#waiting.clear()
  }

  /** Once a scan has come to its end, or the signal aborts. @returns whether one has */
  async ready(signal: AbortSignal): Promise<boolean> {
    if (this.#scan === null)
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve)
        onAbort(signal, () => {
          this.#waiting.delete(resolve)
          resolve()
        })
      })
    return this.#scan !== null
  }

  /**
   * @param sender whose views wait for their turn if this one is new: building/view-builds.ts
   * @throws HttpProblem too-many-requests: as many other views are looked at, or wait to be built for this sender
   */
  async view(spec: ViewSpec, sender: string): Promise<ReadableView> {
    const { view, letGo } = await this.hold(spec, sender)
    letGo()
    return view
  }

  /** Keeps a view up to date until it is let go. @throws as `view` */
  async hold(spec: ViewSpec, sender: string): Promise<{ view: ReadableView; letGo(): void }> {
    const ofName = this.#ofName(spec)
    if (ofName !== null) return { view: ofName, letGo: () => {} }
    const kept = await this.#held(spec, sender)
    return {
      view: kept.view,
      letGo: () => {
        kept.holders--
        kept.usedMs = this.#clock.now().monotonicMs
      },
    }
  }

  /** Forgets views that are not looked at. */
  prune(): void {
    const nowMs = this.#clock.now().monotonicMs
    for (const [key, { holders, usedMs }] of this.#views)
      if (holders === 0 && nowMs - usedMs > keptMs) this.#views.delete(key)
  }

  #ofName(spec: ViewSpec): NameView | null {
    const { name } = spec
    return name === undefined ? null : new NameView(spec, () => this.snapshot.rows.get(name))
  }

  /** It has one holder more, so that no other view takes its place before this request goes on. */
  async #held(spec: ViewSpec, sender: string): Promise<Kept> {
    const key = viewKey(spec)
    const known = this.#views.get(key)
    if (known !== undefined) {
      known.holders++
      this.#use(key, known)
      return known
    }
    const underWay = this.#building.get(key)
    if (underWay !== undefined) {
      underWay.waiting++
      return underWay.kept
    }
    const kept = this.#builds.run(sender, this.#build(key, spec))
    this.#building.set(key, { kept, waiting: 1 })
    return kept
  }

  /** Begins when it is this view's turn. Rows do not change during a step. */
  *#build(key: string, spec: ViewSpec): Generator<void, Kept> {
    try {
      if (this.#views.size >= viewsMax && !isWhole(spec)) this.#forgetOne()
      const wider = this.#wider(spec)
      if (wider !== undefined) this.#use(viewKey(wider.view.spec), wider)
      const changes: RowChange[] = []
      this.#changes = changes
      const view = yield* View.inSteps(spec, wider?.view ?? this.snapshot.rows.values(), changes)
      const { waiting } = this.#building.get(key) as Build
      const kept = { view, usedMs: this.#clock.now().monotonicMs, holders: waiting }
      this.#views.set(key, kept)
      return kept
    } finally {
      this.#changes = null
      this.#building.delete(key)
    }
  }

  #use(key: string, kept: Kept): void {
    kept.usedMs = this.#clock.now().monotonicMs
    // At the end of the map, whose order is that of use.
    this.#views.delete(key)
    this.#views.set(key, kept)
  }

  /** Of the views that have all rows of a new one, that with the fewest. */
  #wider(spec: ViewSpec): Kept | undefined {
    const size = ({ view }: Kept) => view.counts().matching
    return [...this.#views.values()]
      .filter(({ view }) => isWithin(spec, view.spec))
      .reduce<Kept | undefined>((best, each) => (best && size(best) <= size(each) ? best : each), undefined)
  }

  #forgetOne(): void {
    do {
      for (const [key, { holders }] of this.#views) {
        if (holders > 0) continue
        this.#views.delete(key)
        return
      }
    } while (this.#letGoOne())
    throw tooManyRequests(
      `${viewsMax} different filters of the table ${this.table.id} are watched, and no more may at the same time. The list without a filter can be.`,
      2_000,
    )
  }

  #changed(before: WatchedRow | null, after: WatchedRow | null): void {
    for (const { view } of this.#views.values()) view.change(before, after)
    this.#changes?.push([before, after])
    for (const listener of this.#listeners) listener(before, after)
  }
}
