/**
 * From a journal to its lanes, as it comes. Adding costs the same for each entry, however many there are; a picture costs
 * what its window holds. A picture of the past is derived from the entries up to it alone: it is what was shown
 * then, and a replay shows the same.
 */
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { laneAt } from './lane-at.ts'
import type { LanesPicture, Leader } from './lanes.ts'
import { type Belief, overlapsOf } from './overlaps.ts'
import { RunFold } from './run-fold.ts'

export class LanesBuilder {
  readonly #ttlSeconds: number
  readonly #entries: JournalEntry[] = []
  /** When each entry could be seen: not before those that were noted earlier. */
  readonly #timesMs: number[] = []
  readonly #live: RunFold
  #past: { fold: RunFold; next: number; atMs: number } | undefined

  /** @param ttlSeconds of the lease that the candidates acquire */
  constructor({ ttlSeconds }: { ttlSeconds: number }) {
    this.#ttlSeconds = ttlSeconds
    this.#live = new RunFold(ttlSeconds)
  }

  /** The number to ask the server for next. */
  get nextSeq(): number {
    return (this.#entries.at(-1)?.seq ?? -1) + 1
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  /** The time of the last entry. */
  get lastMs(): number {
    return this.#timesMs.at(-1) ?? 0
  }

  /** Entries that came before, in an earlier answer, are passed over. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.seq < this.nextSeq) continue
      this.#timesMs.push(Math.max(this.lastMs, entry.atMs))
      this.#entries.push(entry)
      this.#live.apply(entry)
    }
  }

  /** The present: never before the last entry. `fromMs`: what ended before it is left out. */
  live(nowMs: number, fromMs = Number.NEGATIVE_INFINITY): LanesPicture {
    return picture(this.#live, Math.max(nowMs, this.lastMs), fromMs)
  }

  /** The picture as it was at this time. */
  at(atMs: number, fromMs = Number.NEGATIVE_INFINITY): LanesPicture {
    if (atMs >= this.lastMs) return this.live(atMs, fromMs)
    if (this.#past === undefined || this.#past.atMs > atMs)
      this.#past = { fold: new RunFold(this.#ttlSeconds), next: 0, atMs }
    const past = this.#past
    past.atMs = atMs
    while ((this.#timesMs[past.next] ?? Number.POSITIVE_INFINITY) <= atMs)
      past.fold.apply(this.#entries[past.next++] as JournalEntry)
    return picture(past.fold, atMs, fromMs)
  }
}

function picture(fold: RunFold, atMs: number, fromMs: number): LanesPicture {
  const { beliefs } = fold
  const records = [...fold.lanes.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const held: Belief[] = records.flatMap(({ id, frames }) =>
    frames.map((frame) => {
      const span = beliefs.spanAt(frame, atMs)
      return { id, fromMs: span.fromMs, toMs: span.toMs ?? atMs, goesOn: span.toMs === null }
    }),
  )
  const overlaps = overlapsOf(held)
  const { quarantinedUntilMs } = fold
  return {
    atMs,
    lanes: records.map((record) => laneAt(record, { atMs, fromMs, beliefs })),
    overlaps: overlaps.filter(({ toMs }) => toMs === null || toMs >= fromMs),
    overlapMs: overlaps.reduce((sum, span) => sum + (span.toMs ?? atMs) - span.fromMs, 0),
    leader: leaderOf(fold),
    quarantinedUntilMs: quarantinedUntilMs !== null && quarantinedUntilMs > atMs ? quarantinedUntilMs : null,
    deadlineCheck: beliefs.check,
    counters: fold.counters,
    ended: fold.ended,
  }
}

function leaderOf(fold: RunFold): Leader | null {
  const band = fold.bands.present
  if (band === undefined) return null
  const { lane, fromMs, expiryMs, token, term } = band
  return { id: lane, sinceMs: fromMs, expiryMs, token, term }
}
