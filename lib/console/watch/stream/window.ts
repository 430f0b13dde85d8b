/**
 * A part of a view that viewers have on their screens, and what was sent of it so far. Viewers of the same window share it.
 *
 * Each change of what the window shows is one step, with a number. The event that a viewer gets is computed from the window as it is
 * now and the number of the step that the viewer got last, so that one that was away, or too slow, needs no record of
 * events: it gets what is different, once.
 */
import type { Moment } from 'leasehold/time'
import type { ScanFacts, WatchCounts, WatchEvent } from '../../../contract/leases/watch.ts'
import { iso, isoOrNull } from '../../http/instant.ts'
import { eventText } from '../../http/streams/event-text.ts'
import type { LeaseOrder } from '../rows/lease-order.ts'
import type { ReadableView } from '../rows/view.ts'
import type { ReadFacts, WatchedRow } from '../rows/watched-row.ts'

/** New reads of rows that are the same are sent once in this time, together. So are the counts. */
const rereadEveryMs = 1_000
/** Rows that went are remembered for viewers that resume, the last ones. */
const goneMax = 200

interface Sent {
  readonly row: WatchedRow
  readonly read: ReadFacts
  /** The step that sent this. */
  readonly step: number
}

/** What a window needs of its table. */
interface WindowSource {
  readonly view: ReadableView
  goneAtMs(name: string): number | null
  /** A lease as JSON text, as of `now`. */
  rowText(row: WatchedRow, now: Moment): string
}

export type StoreFacts = WatchEvent<'heartbeat'>['store']

export class Window {
  readonly source: WindowSource
  readonly #order: LeaseOrder
  readonly #offset: number
  readonly #limit: number
  #step = 0
  #rows: WatchedRow[] = []
  #sent = new Map<string, Sent>()
  #namesStep = 0
  #counts: WatchCounts = { total: 0, matching: 0, byState: {} }
  #countsText = ''
  #countsStep = 0
  #rereadMs = Number.NEGATIVE_INFINITY
  #gone: { name: string; atMs: number; step: number }[] = []
  /** Of a window of one name: when that was found free last; null: it was not, lately. */
  #freeMs: number | null = null
  #freeStep = 0
  /** Of earlier steps it is not known which rows went. */
  #goneSince = 0

  constructor(source: WindowSource, order: LeaseOrder, offset: number, limit: number) {
    this.source = source
    this.#order = order
    this.#offset = offset
    this.#limit = limit
    this.#rows = this.#present()
    this.#freeMs = this.#free()
  }

  /** The number of the last change. */
  get step(): number {
    return this.#step
  }

  get rows(): readonly WatchedRow[] {
    return this.#rows
  }

  /** Looks at what the window shows now. */
  update(now: Moment): void {
    const rows = this.#present()
    const nowMs = now.monotonicMs
    const sendsRereads = nowMs - this.#rereadMs >= rereadEveryMs
    const namesDiffer =
      rows.length !== this.#rows.length || rows.some(({ name }, i) => name !== this.#rows[i]?.name)
    const counts = this.source.view.counts()
    const countsText = JSON.stringify(counts)
    const countsDiffer = countsText !== this.#countsText && (namesDiffer || sendsRereads)
    const differs = (row: WatchedRow) => {
      const sent = this.#sent.get(row.name)
      return sent === undefined || sent.row !== row || (sendsRereads && sent.read !== row.read)
    }
    const freeMs = this.#free()
    const freeDiffers = freeMs !== this.#freeMs && (namesDiffer || sendsRereads)
    if (!namesDiffer && !countsDiffer && !freeDiffers && !rows.some(differs)) return
    const step = ++this.#step
    if (sendsRereads) this.#rereadMs = nowMs
    if (countsDiffer) {
      this.#counts = counts
      this.#countsText = countsText
      this.#countsStep = step
    }
    if (freeDiffers) {
      this.#freeMs = freeMs
      this.#freeStep = step
    }
    const sent = new Map<string, Sent>()
    for (const row of rows) {
      const before = this.#sent.get(row.name)
      sent.set(row.name, before === undefined || differs(row) ? { row, read: row.read, step } : before)
    }
    if (namesDiffer) {
      this.#namesStep = step
      this.#noteGone(sent, step)
    }
    this.#sent = sent
    this.#rows = rows
  }

  /** The window, whole, as of its last step: what it shows from then on that is not sent yet is the next step's, for all viewers. */
  snapshotText(id: string, now: Moment, scan: ScanFacts, store: StoreFacts): string {
    const rest = {
      counts: this.#counts,
      offset: this.#offset,
      free: this.#isOfName ? isoOrNull(this.#freeMs) : undefined,
      scan,
      store,
      now: iso(now.wallMs),
    }
    return eventText('snapshot', id, `${openText(rest)}"rows":[${this.#rowTexts(now, -1)}]}`)
  }

  /** What changed after a step. null: that is not known any more. */
  changesText(id: string, after: number, now: Moment): string | null {
    if (after < this.#goneSince) return null
    const rest: Partial<WatchEvent<'changes'>> = {
      now: iso(now.wallMs),
      gone: this.#gone
        .filter(({ name, step }) => step > after && !this.#sent.has(name))
        .map(({ name, atMs }) => ({ name, at: iso(atMs) })),
    }
    if (this.#countsStep > after) rest.counts = this.#counts
    if (this.#freeStep > after) rest.free = isoOrNull(this.#freeMs)
    if (this.#namesStep > after) rest.names = this.#rows.map(({ name }) => name)
    return eventText('changes', id, `${openText(rest)}"rows":[${this.#rowTexts(now, after)}]}`)
  }

  #rowTexts(now: Moment, after: number): string {
    return this.#rows
      .filter(({ name }) => (this.#sent.get(name)?.step ?? this.#step) > after)
      .map((row) => this.source.rowText(row, now))
      .join(',')
  }

  #present(): WatchedRow[] {
    return this.source.view.window(this.#order, this.#offset, this.#limit)
  }

  get #isOfName(): boolean {
    return this.source.view.spec.name !== undefined
  }

  #free(): number | null {
    const { name } = this.source.view.spec
    return name === undefined ? null : this.source.goneAtMs(name)
  }

  #noteGone(present: ReadonlyMap<string, Sent>, step: number): void {
    for (const { name } of this.#rows) {
      const atMs = present.has(name) ? null : this.source.goneAtMs(name)
      if (atMs !== null) this.#gone.push({ name, atMs, step })
    }
    const tooMany = this.#gone.length - goneMax
    if (tooMany <= 0) return
    this.#goneSince = this.#gone[tooMany - 1]?.step ?? this.#goneSince
    this.#gone = this.#gone.slice(tooMany)
  }
}

/** An object's text with its end left open, for fields that are text already. */
const openText = (fields: object): string => `${JSON.stringify(fields).slice(0, -1)},`

/** The step after which a reader of this window goes on. null: it got nothing of this window. */
export function stepIn(lastEventId: string | null, id: string): number | null {
  if (!lastEventId?.startsWith(`${id}.`)) return null
  const step = Number(lastEventId.slice(id.length + 1))
  return Number.isSafeInteger(step) && step >= 0 ? step : null
}
