/**
 * Writes the journal of a run to Cassandra, twice a second, in rows of many entries.
 *
 * A row that was not acknowledged is written again with the same entries until it is: a late write changes nothing.
 */
import { isLeaseholdError } from 'leasehold/lease'
import type { Timer } from 'leasehold/time'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { entriesPerRow, type LabStore } from './lab-store.ts'

const everyMs = 500
/** At the end of a run, while Cassandra does not answer: ten minutes. */
const lastTries = 300
const lastEveryMs = 2_000

interface WriterDeps {
  readonly run: string
  readonly entries: readonly JournalEntry[]
  readonly store: Pick<LabStore, 'writeEntries'>
  readonly timer: Timer
}

export class JournalWriter {
  readonly #deps: WriterDeps
  #written = 0
  /** Sent, and not acknowledged. */
  #row: readonly JournalEntry[] | undefined

  constructor(deps: WriterDeps) {
    this.#deps = deps
  }

  /** Writes until the signal aborts, and then the rest. @throws what no retry mends; StoreUnavailableError at the end */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#deps.timer.sleep(everyMs, signal)
      await this.#write().catch(retried)
    }
    for (let tried = 1; tried < lastTries; tried++) {
      try {
        return await this.#write()
      } catch (thrown) {
        retried(thrown)
        await this.#deps.timer.sleep(lastEveryMs)
      }
    }
    await this.#write()
  }

  async #write(): Promise<void> {
    const { run, entries, store } = this.#deps
    while (this.#row !== undefined || this.#written < entries.length) {
      this.#row ??= entries.slice(this.#written, this.#written + entriesPerRow)
      await store.writeEntries(run, this.#row)
      this.#written += this.#row.length
      this.#row = undefined
    }
  }
}

function retried(thrown: unknown): void {
  if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
}
