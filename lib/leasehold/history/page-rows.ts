/**
 * The transitions of one page, of rows that were read on both sides of its edges.
 *
 * Guarantees: pages of any limit tell together exactly what one large page tells. A pair of rows about one transition that an
 * edge of a page or of an hour cuts in two is shown once; a beginning on the edge has the end before it.
 * Does not guarantee: this where more than `contextRowsMax` rows stand within the reach of an edge, which would make a page's
 * reads unbounded. Then a transition may be shown twice, or without the end before it. Nor for rows that are written while
 * a client reads from page to page.
 */
import type { EventPlace, EventRange, HistoryPlace, LeaseEvent } from './lease-event.ts'
import { beforeIn, clocksMs, isBeginning, mergedRows, reachOf, withUnseenEnds } from './merge.ts'

/** Rows that are read beyond one edge of a page, at most. */
export const contextRowsMax = 1_000

/** Whether an event stands before a place, so that it is on a page after it. */
const isOlder = ({ atMs, id }: EventPlace, place: EventPlace): boolean =>
  atMs < place.atMs || (atMs === place.atMs && id < place.id)

/** The rows of a page, and those beside it that decide what is shown of them. */
export class PageRows {
  /** Until where everything was read, exclusive. */
  readToMs: number
  readonly #range: EventRange
  readonly #before: HistoryPlace | undefined
  /** Shown by pages before this one, or merged there. */
  readonly #newer: LeaseEvent[] = []
  readonly #rows: LeaseEvent[] = []
  #merged: LeaseEvent[] | undefined

  constructor(range: EventRange, before: HistoryPlace | undefined) {
    this.#range = range
    this.#before = before
    this.readToMs = range.toMs
  }

  /** The rows of the page and beyond it. */
  get count(): number {
    return this.#rows.length
  }

  addNewer(events: readonly LeaseEvent[]): void {
    const before = this.#before
    if (before !== undefined) this.#newer.push(...events.filter((event) => !isOlder(event, before)))
    this.#merged = undefined
  }

  /** @param goesOn whether an older row of the same millisecond as the last one may follow */
  addOlder(events: readonly LeaseEvent[], downToMs: number, goesOn: boolean): void {
    this.#rows.push(...events)
    const last = events.at(-1)
    this.readToMs = goesOn && last !== undefined ? last.atMs + 1 : downToMs
    if (events.length > 0) this.#merged = undefined
  }

  /** Newest first, of all that was read of the page and beyond. */
  shown(): LeaseEvent[] {
    const before = this.#before
    return before === undefined ? this.#all() : this.#all().filter((event) => isOlder(event, before))
  }

  /** Whether older rows that were not read cannot change what a page down to its end, inclusive, tells. */
  isSettled(end: EventPlace): boolean {
    // A row of a page before may say more of one that stands here, and is judged by older ones.
    const judged = [...this.#judged(end), ...this.#newer.filter(isBeginning)]
    return judged.every((event) => this.readToMs <= Math.max(this.#range.fromMs, reachOf(event).fromMs))
  }

  /** Up to when rows of pages before decide what this one, down to its end, tells. */
  reachToMs(end: EventPlace): number {
    return Math.min(this.#range.toMs, Math.max(...this.#judged(end).map((event) => reachOf(event).toMs)))
  }

  /** What the page tells. */
  told(end: EventPlace): LeaseEvent[] {
    const { atMs, id } = this.#before ?? { atMs: this.#range.toMs, id: '' }
    return withUnseenEnds(this.#all(), (event) => isOlder(event, { atMs, id }) && !isOlder(event, end))
  }

  /** Where the next page goes on, and what it has to read of this one again. */
  next(end: EventPlace): HistoryPlace {
    const above = [...this.#rows, ...this.#newer].filter((event) => !isOlder(event, end))
    const reaching = above.filter((event) => isBeginning(event) && reachOf(event).fromMs <= end.atMs)
    const contextMs = Math.max(end.atMs + clocksMs, ...reaching.map((event) => reachOf(event).toMs))
    return { atMs: end.atMs, id: end.id, contextMs: Math.min(this.#range.toMs, contextMs) }
  }

  #all(): LeaseEvent[] {
    this.#merged ??= mergedRows([...this.#newer, ...this.#rows])
    return this.#merged
  }

  /** The rows of the page, and those up to the one that says how the holder before its last beginning ended. */
  #judged(end: EventPlace): LeaseEvent[] {
    const all = this.#all()
    const last = all.findLastIndex((event) => !isOlder(event, end) && isBeginning(event))
    const begun = all[last]
    if (begun?.kind !== 'acquired') return this.#rows.filter((event) => !isOlder(event, end))
    const before = beforeIn(all, last)
    // Not read yet: it may stand at any distance.
    if (before === undefined) return [...this.#rows, { ...begun, notBeforeMs: Number.NEGATIVE_INFINITY }]
    return this.#rows.filter((event) => !isOlder(event, end) || !isOlder(event, before))
  }
}
