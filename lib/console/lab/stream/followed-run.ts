/**
 * A run of another instance, or one that has ended, read from what was written of it. While it has viewers here, its journal is read on
 * once a second, and a lease tells its instance that it is watched.
 */
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'
import type { LabRun } from '../../../contract/lab/run.ts'
import type { LabStore, StoredRun } from '../journal/lab-store.ts'
import { type RunFacts, runJson } from '../journal/run-facts.ts'
import type { RunSource } from './run-source.ts'

const everyMs = 1_000
/** A journal without an end may be written on: its instance tries for ten minutes after the run’s time. */
const lateMs = labBounds.runMs + 12 * 60_000

interface FollowDeps {
  readonly store: Pick<LabStore, 'entries' | 'run'>
  readonly clock: Clock
  readonly timer: Timer
  /** Whether an instance runs it at this moment. */
  isAlive(run: string): Promise<boolean>
  /** Tells the instance that runs it that it is watched, or is no longer. */
  tellWatched(run: string, isWatched: boolean): void
  failed(error: unknown): void
}

export class FollowedRun implements RunSource {
  readonly #deps: FollowDeps
  readonly #entries: JournalEntry[] = []
  readonly #listeners = new Set<() => void>()
  #stored: StoredRun
  #isComplete = false
  #viewers = 0
  #polling: AbortController | undefined
  #reading: Promise<void> | undefined

  constructor(stored: StoredRun, deps: FollowDeps) {
    this.#stored = stored
    this.#deps = deps
  }

  get facts(): RunFacts {
    return this.#stored.facts
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get nowMs(): number {
    const { facts } = this.#stored
    const lastMs = this.#entries.at(-1)?.atMs ?? 0
    if (this.#isComplete) return lastMs
    return Math.max(lastMs, this.#deps.clock.now().wallMs - facts.startedAtMs)
  }

  json(): LabRun {
    const { facts, ended } = this.#stored
    const step = this.#entries.findLast((entry) => entry.kind === 'caption')?.step ?? ended?.step ?? -1
    const hasStoryEnded = ended !== null || this.#entries.some(({ kind }) => kind === 'story-ended')
    const story =
      facts.scenario === null ? null : ({ state: hasStoryEnded ? 'ended' : 'playing', step } as const)
    return runJson(facts, { endedAtMs: ended?.endedAtMs ?? null, story })
  }

  listen(news: () => void): () => void {
    this.#listeners.add(news)
    return () => void this.#listeners.delete(news)
  }

  watched(viewers: number): void {
    const { tellWatched } = this.#deps
    const was = this.#viewers
    this.#viewers = viewers
    if (viewers > 0 && was === 0 && !this.#isComplete) {
      tellWatched(this.facts.run, true)
      this.#polling = new AbortController()
      void this.#poll(this.#polling.signal)
    }
    if (viewers === 0 && was > 0) {
      this.#polling?.abort()
      this.#polling = undefined
      tellWatched(this.facts.run, false)
    }
  }

  /** Reads what was written since. @throws StoreUnavailableError, StoreRefusedError */
  refresh(): Promise<void> {
    if (this.#isComplete && !this.#mayGoOn) return Promise.resolve()
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #refresh(): Promise<void> {
    const { store, isAlive } = this.#deps
    const { run } = this.facts
    // Before the entries: what was written until it ended is then among them.
    const lives = this.#stored.ended === null && (await isAlive(run))
    const stored = lives ? null : await store.run(run)
    const entries = await store.entries(run, this.#entries.length)
    if (stored !== null) this.#stored = stored
    this.#entries.push(...entries)
    if (!lives) this.#complete()
    if (entries.length > 0 || !lives) for (const news of this.#listeners) news()
  }

  get #mayGoOn(): boolean {
    const isCut = this.#entries.at(-1)?.kind !== 'ended'
    return isCut && this.#deps.clock.now().wallMs < this.facts.startedAtMs + lateMs
  }

  #complete(): void {
    this.#isComplete = true
    if (this.#stored.ended !== null) return
    const endedAtMs = this.facts.startedAtMs + (this.#entries.at(-1)?.atMs ?? 0)
    this.#stored = { ...this.#stored, ended: { endedAtMs, step: null } }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isComplete) {
      await this.refresh().catch((error) => {
        if (!isLeaseholdError(error, 'store-unavailable')) this.#deps.failed(error)
      })
      await this.#deps.timer.sleep(everyMs, signal)
    }
  }
}
