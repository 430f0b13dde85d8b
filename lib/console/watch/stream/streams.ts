/**
 * The streams of `GET /v1/watch`. All viewers of one window get one text, made once; a viewer whose connection is full gets
 * nothing until it has read on, and then what is different since: no text waits for it here.
 */
import { randomBytes } from 'node:crypto'
import type { Clock, Moment } from 'leasehold/time'
import type { ScanFacts, WatchEvent } from '../../../contract/leases/watch.ts'
import type { AnswerStream, StreamSink } from '../../http/adapters/api-request.ts'
import { iso } from '../../http/instant.ts'
import { eventText } from '../../http/streams/event-text.ts'
import type { StreamTurns } from '../../http/streams/stream-turns.ts'
import { viewerStream } from '../../http/streams/viewer-stream.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { LeaseOrder } from '../rows/lease-order.ts'
import { type ReadableView, scanFactsFor, type ViewSpec, viewKey } from '../rows/view.ts'
import type { WatchedRow } from '../rows/watched-row.ts'
import { type StoreFacts, stepIn, Window } from './window.ts'

const beatMs = 2_000
/** A window without viewers waits for one that comes back. */
const windowKeptMs = 30_000
/** Windows without viewers cost as much as others: a reader that opens one after the other leaves no more behind. */
const keptMax = 50

/** What the streams need of a table. */
interface StreamedTable {
  readonly table: LeaseTable
  readonly snapshot: { goneAtMs(name: string): number | null; foundGoneMs(name: string): number | null }
  readonly scanFacts: ScanFacts
  readonly storeFacts: StoreFacts
  hold(spec: ViewSpec, sender: string): Promise<Held>
}
type Held = { view: ReadableView; letGo(): void }

interface Asked {
  readonly sender: string
  /** Of the event after which the reader goes on; null: it begins. */
  readonly lastEventId: string | null
  /** Aborted with an HttpProblem when the sender may not watch any longer. */
  readonly signal: AbortSignal
}

export interface WindowSpec extends ViewSpec {
  readonly order: LeaseOrder
  readonly offset: number
  readonly limit: number
}

interface StreamsDeps {
  readonly clock: Clock
  readonly turns: StreamTurns
  readonly closing: AbortSignal
}

interface OpenWindow {
  readonly id: string
  readonly window: Window
  readonly key: string
  readonly table: StreamedTable
  readonly viewers: Set<Viewer>
  /** Streams that were asked for, and whose connections are about to be written to. */
  opening: number
  letGo(): void
  leftMs: number
}

interface Viewer {
  readonly of: OpenWindow
  readonly sender: string
  readonly sink: StreamSink
  /** The step of the window that it got last. */
  step: number
  /** Its connection takes more. */
  isReady: boolean
}

export class WatchStreams {
  readonly #deps: StreamsDeps
  readonly #instance = randomBytes(6).toString('hex')
  readonly #windows = new Map<string, OpenWindow>()
  /** Those without viewers, the one first that has waited longest. */
  readonly #kept = new Set<OpenWindow>()
  /** Of one moment: they say how much time is left. */
  readonly #texts = new Map<WatchedRow, string>()
  #opened = 0
  readonly #viewers = new Set<Viewer>()
  #beatAtMs = 0
  /** The tables whose last heartbeat said `store: lost`. */
  #lost = ''

  constructor(deps: StreamsDeps) {
    this.#deps = deps
  }

  /** Names that viewers look at, and which have no row. `foundMs`: when a SERIAL read found none, last, by the monotonic clock. */
  *absent(): Iterable<{ table: string; name: string; foundMs: number | null }> {
    for (const { table, window, viewers } of this.#windows.values()) {
      const { name } = window.source.view.spec
      if (name === undefined || viewers.size === 0 || window.rows.length > 0) continue
      yield { table: table.table.id, name, foundMs: table.snapshot.foundGoneMs(name) }
    }
  }

  /** How many streams are open. */
  get viewers(): number {
    return this.#viewers.size
  }

  /** The rows on the viewers' screens. */
  *viewed(): Iterable<{ table: string; row: WatchedRow }> {
    for (const { table, window, viewers } of this.#windows.values())
      if (viewers.size > 0) for (const row of window.rows) yield { table: table.table.id, row }
  }

  /** @throws HttpProblem too-many-requests */
  async stream(
    table: StreamedTable,
    spec: WindowSpec,
    { sender, lastEventId, signal }: Asked,
  ): Promise<AnswerStream> {
    const key = windowKey(table, spec)
    const of = this.#windows.get(key) ?? this.#open(key, table, spec, await table.hold(spec, sender))
    this.#kept.delete(of)
    of.opening++
    let isOpening = true
    const opened = () => {
      if (isOpening) of.opening--
      isOpening = false
    }
    let viewer: Viewer | undefined
    return viewerStream(
      {
        begin: (sink) => {
          viewer = { of, sender, sink, step: 0, isReady: true }
          opened()
          of.viewers.add(viewer)
          this.#viewers.add(viewer)
          this.#begin(viewer, lastEventId)
        },
        drained: () => {
          if (viewer === undefined) return
          viewer.isReady = true
          this.#texts.clear()
          this.#send(viewer, this.#deps.clock.now())
        },
        closed: () => {
          opened()
          if (viewer !== undefined && of.viewers.delete(viewer)) this.#viewers.delete(viewer)
          if (of.viewers.size > 0 || of.opening > 0 || this.#windows.get(of.key) !== of) return
          of.leftMs = this.#deps.clock.now().monotonicMs
          this.#kept.add(of)
          const [first] = this.#kept
          if (this.#kept.size > keptMax && first !== undefined) this.#forget(first)
        },
      },
      { sender, signal, closing: this.#deps.closing, turns: this.#deps.turns },
    )
  }

  /** Gives up a window without viewers, for a view that is asked for now. @returns false: there is none */
  forgetOne(table: string): boolean {
    const first = [...this.#kept].find((of) => of.table.table.id === table)
    if (first !== undefined) this.#forget(first)
    return first !== undefined
  }

  #forget(of: OpenWindow): void {
    this.#kept.delete(of)
    this.#windows.delete(of.key)
    of.letGo()
  }

  /** To be called ten times a second. */
  tick(): void {
    const now = this.#deps.clock.now()
    this.#texts.clear()
    for (const of of this.#windows.values()) {
      const { window, viewers } = of
      if (this.#kept.has(of) && now.monotonicMs - of.leftMs > windowKeptMs) {
        this.#forget(of)
        continue
      }
      window.update(now)
      let text: string | undefined
      for (const viewer of viewers) {
        // The text of the last step alone fits nearly all of them.
        const isNext = viewer.isReady && viewer.step === window.step - 1
        if (isNext) text ??= this.#changes(of, window.step - 1, now)
        this.#send(viewer, now, isNext ? text : undefined)
      }
    }
    const lost = this.#lostTables()
    if (now.monotonicMs - this.#beatAtMs < beatMs && lost === this.#lost) return
    this.#beatAtMs = now.monotonicMs
    this.#lost = lost
    this.#beat(now)
  }

  #lostTables(): string {
    const windows = [...this.#windows.values()].filter(({ table }) => table.storeFacts.kind === 'lost')
    return [...new Set(windows.map(({ table }) => table.table.id))].sort().join()
  }

  #beat(now: Moment): void {
    const texts = new Map<StreamedTable | ReadableView, string>()
    const watching = new Set([...this.#viewers].map(({ sender }) => sender)).size
    for (const { table, window, viewers } of this.#windows.values()) {
      const { view } = window.source
      const sameFor = view.spec.within === '' ? table : view
      for (const viewer of viewers) {
        if (!viewer.isReady) continue
        let text = texts.get(sameFor)
        if (text === undefined) {
          const beat: WatchEvent<'heartbeat'> = {
            scan: scanFactsFor(view, table.scanFacts),
            store: table.storeFacts,
            viewers: watching,
            now: iso(now.wallMs),
          }
          text = eventText('heartbeat', null, JSON.stringify(beat))
          texts.set(sameFor, text)
        }
        viewer.isReady = viewer.sink.write(text)
      }
    }
  }

  #begin(viewer: Viewer, lastEventId: string | null): void {
    const now = this.#deps.clock.now()
    this.#texts.clear()
    const { of } = viewer
    of.window.update(now)
    const { step } = of.window
    const after = stepIn(lastEventId, of.id)
    const known =
      after === null || after > step ? null : of.window.changesText(`${of.id}.${step}`, after, now)
    viewer.isReady = viewer.sink.write(known ?? this.#snapshot(of, now))
    viewer.step = step
  }

  /** What the viewer did not get yet, if its connection takes it. */
  #send(viewer: Viewer, now: Moment, text?: string): void {
    const { of, step, isReady } = viewer
    if (!isReady || step === of.window.step) return
    viewer.step = of.window.step
    viewer.isReady = viewer.sink.write(text ?? this.#changes(of, step, now))
  }

  #changes(of: OpenWindow, after: number, now: Moment): string {
    return of.window.changesText(`${of.id}.${of.window.step}`, after, now) ?? this.#snapshot(of, now)
  }

  #snapshot({ id, window, table }: OpenWindow, now: Moment): string {
    const scan = scanFactsFor(window.source.view, table.scanFacts)
    return window.snapshotText(`${id}.${window.step}`, now, scan, table.storeFacts)
  }

  #open(key: string, table: StreamedTable, spec: WindowSpec, { view, letGo }: Held): OpenWindow {
    // Another viewer may have opened it while this one's view was built.
    const known = this.#windows.get(key)
    if (known !== undefined) letGo()
    if (known !== undefined) return known
    const { order, offset, limit } = spec
    const source = {
      view,
      goneAtMs: (name: string) => table.snapshot.goneAtMs(name),
      rowText: (row: WatchedRow, now: Moment) => this.#rowText(table.table, row, now),
    }
    const of: OpenWindow = {
      id: `${this.#instance}-${++this.#opened}`,
      key,
      window: new Window(source, order, offset, limit),
      table,
      viewers: new Set(),
      opening: 0,
      letGo,
      leftMs: this.#deps.clock.now().monotonicMs,
    }
    this.#windows.set(key, of)
    return of
  }

  /** Made once for all windows of a tick. */
  #rowText(table: LeaseTable, row: WatchedRow, now: Moment): string {
    let text = this.#texts.get(row)
    if (text === undefined) {
      const { heldSinceMs, renewed, handOvers, state } = row
      const lease = leaseJson(table, row, now)
      const heldSince = heldSinceMs === null ? null : iso(heldSinceMs)
      text = JSON.stringify({ ...lease, state, heldSince, renewed, handOvers })
      this.#texts.set(row, text)
    }
    return text
  }
}

const windowKey = ({ table }: StreamedTable, spec: WindowSpec): string =>
  JSON.stringify([table.id, viewKey(spec), spec.order, spec.offset, spec.limit])
