import type { JournalEntry } from './journal.ts'

/**
 * The additions to the unfenced counter, by a journal. Cassandra may carry one out whose answer no candidate gets: that of a leader that
 * crashes, or is cut off, behind its write. It counts in the counter, and the candidate notes nothing.
 */
export class UnfencedAdditions {
  readonly #sent = new Set<number>()
  #carriedOut = 0
  #answered = 0

  take(entry: JournalEntry): void {
    if (entry.kind === 'sent' && entry.purpose === 'unfenced-counter') this.#sent.add(entry.statement)
    else if (entry.kind === 'answered' && this.#sent.delete(entry.statement)) {
      if (entry.outcome === 'rows') this.#carriedOut++
    } else if (entry.kind === 'wrote' && entry.counter === 'unfenced') {
      if (entry.outcome === 'written' || entry.outcome === 'lost-update') this.#answered++
    }
  }

  /** Those whose candidate got the answer. */
  get answered(): number {
    return this.#answered
  }

  /** Those that Cassandra carried out, by its own answers. */
  get applied(): number {
    return Math.max(this.#carriedOut, this.#answered)
  }
}
