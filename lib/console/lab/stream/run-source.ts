import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { LabRun, LabVerdict } from '../../../contract/lab/run.ts'
import type { RunFacts } from '../journal/run-facts.ts'

/** A run as its viewers see it, wherever it runs or ran. */
export interface RunSource {
  readonly facts: RunFacts
  readonly entries: readonly JournalEntry[]
  /** The present time of the run, in milliseconds since it began; of a run that has ended, its last. */
  readonly nowMs: number
  /** It has ended, and these are all entries that were written: without an `ended`, more may come. */
  readonly isComplete: boolean
  json(): LabRun
  /** Calls back when entries have come, or the run has ended. @returns a function that ends it */
  listen(news: () => void): () => void
  /** The number of streams has changed. */
  watched(viewers: number): void
}

export type VerdictOf = (
  entries: readonly JournalEntry[],
  facts: Pick<RunFacts, 'maxClockSkewMs' | 'ttlSeconds' | 'scenario'>,
) => LabVerdict

const leastMs = 1_000
/** Of the time that passes, a twentieth at most goes into verdicts of one run. */
const share = 20

/** The verdict on a run so far: made again when entries came since, once a second at most. */
export class KeptVerdict {
  readonly #source: RunSource
  readonly #verdictOf: VerdictOf
  readonly #nowMs: () => number
  #verdict: LabVerdict = []
  #entries = -1
  #notBeforeMs = Number.NEGATIVE_INFINITY

  /** @param nowMs a monotonic clock */
  constructor(source: RunSource, verdictOf: VerdictOf, nowMs: () => number) {
    this.#source = source
    this.#verdictOf = verdictOf
    this.#nowMs = nowMs
  }

  now(): LabVerdict {
    const { entries, facts, isComplete } = this.#source
    const beganMs = this.#nowMs()
    if (entries.length === this.#entries || (beganMs < this.#notBeforeMs && !isComplete)) return this.#verdict
    this.#entries = entries.length
    this.#verdict = this.#verdictOf(entries, facts)
    this.#notBeforeMs = beganMs + Math.max(leastMs, share * (this.#nowMs() - beganMs))
    return this.#verdict
  }
}
