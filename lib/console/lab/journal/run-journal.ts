/**
 * The journal of one run, in memory: appended to as things happen, bounded, and read by number.
 *
 * Guarantees: numbers are 0, 1, 2 …, and times never fall. A listener gets each entry in its order, before `note` returns to a caller
 * that is no listener itself. When the bound is reached the journal says `full`, and after that `ended` alone.
 */
import type { Clock } from 'leasehold/time'
import type { JournalEntry } from '../../../contract/lab/journal.ts'

type Without<T> = T extends unknown ? Omit<T, 'seq' | 'atMs'> : never
/** An entry before it has its number and its time. */
type NewEntry = Without<JournalEntry>
type Listener = (entry: JournalEntry) => void

/**
 * Fifteen minutes of eight candidates and a TTL of 6 s: some 16 entries a second by the counters, 5 by renewals, and 3 by the lab’s
 * reads, 22,000 in all. An entry has some 250 bytes as JSON: 10 MB.
 */
const journalMax = 40_000

export class RunJournal {
  readonly #clock: Clock
  readonly #startedMs: number
  readonly #max: number
  readonly #entries: JournalEntry[] = []
  readonly #listeners = new Set<Listener>()
  readonly #untold: JournalEntry[] = []
  #isTelling = false
  #statements = 0

  constructor(clock: Clock, max = journalMax) {
    this.#clock = clock
    this.#startedMs = clock.now().monotonicMs
    this.#max = max
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  /** The time of the run, in milliseconds since it began. */
  get nowMs(): number {
    return this.#clock.now().monotonicMs - this.#startedMs
  }

  get isFull(): boolean {
    return this.#entries.length >= this.#max
  }

  nextStatement(): number {
    return this.#statements++
  }

  note(entry: NewEntry): void {
    if (this.isFull && entry.kind !== 'ended') return
    if (this.#entries.length === this.#max - 1 && entry.kind !== 'ended') this.#append({ kind: 'full' })
    else this.#append(entry)
    this.#tell()
  }

  /** @returns a function that ends the listening */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #append(entry: NewEntry): void {
    const numbered = { seq: this.#entries.length, atMs: this.nowMs, ...entry } as JournalEntry
    this.#entries.push(numbered)
    this.#untold.push(numbered)
  }

  /** A listener may note: its entries follow when all have got what came before. */
  #tell(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    try {
      for (let entry = this.#untold.shift(); entry !== undefined; entry = this.#untold.shift())
        for (const listener of [...this.#listeners]) listener(entry)
    } finally {
      this.#isTelling = false
    }
  }
}
