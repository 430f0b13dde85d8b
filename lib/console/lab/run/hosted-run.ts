/**
 * A run that this instance runs, with all that bounds it: its time, its viewers, its place among the runs of the cluster, and the writing
 * of its journal. Its place is given up when all of it is written, so that other instances know until then that it is alive.
 */
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'
import type { LabAct, LabRun as LabRunJson } from '../../../contract/lab/run.ts'
import type { Log } from '../../http/log/log.ts'
import type { Place } from '../bounds/slots.ts'
import { JournalWriter } from '../journal/journal-writer.ts'
import type { LabStore } from '../journal/lab-store.ts'
import type { RunFacts } from '../journal/run-facts.ts'
import type { RunSource } from '../stream/run-source.ts'
import type { ActRefusal, EndReason, LabRun } from './lab-run.ts'

interface HostDeps {
  readonly place: Place
  readonly store: Pick<LabStore, 'writeRun' | 'writeEntries'>
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
  isWatchedElsewhere(): Promise<boolean>
  /** Why the table of its lease is not written, as a sentence. null: it is trusted. */
  distrust(): string | null
  /** It has ended, and is written. `isFinished` false: rows of it may be left, and its end is not written. */
  gone(isFinished: boolean): void
}

const lookEveryMs = 2_000
/** A run keeps its place for so long at least, so that a day has 35,000 runs at most: the arithmetic of lab_runs. */
const placeMs = 10_000

export class HostedRun implements RunSource {
  readonly #run: LabRun
  readonly #deps: HostDeps
  readonly #over = new AbortController()
  #writing: Promise<void> = Promise.resolve()
  #written: Promise<boolean> = Promise.resolve(false)
  #viewers = 0
  /** When it was made, on the monotonic clock. */
  readonly #madeMs: number
  /** Since when it has no viewers, on the monotonic clock. */
  #unwatchedMs: number
  #ended: Promise<void> | undefined
  #waitsForViewer = false

  constructor(run: LabRun, deps: HostDeps) {
    this.#run = run
    this.#deps = deps
    this.#madeMs = deps.clock.now().monotonicMs
    this.#unwatchedMs = this.#madeMs
  }

  get facts(): RunFacts {
    return this.#run.facts
  }

  get entries(): readonly JournalEntry[] {
    return this.#run.journal.entries
  }

  get isComplete(): boolean {
    return this.#run.hasEnded
  }

  get nowMs(): number {
    return this.isComplete ? (this.entries.at(-1)?.atMs ?? 0) : this.#run.journal.nowMs
  }

  json(): LabRunJson {
    return this.#run.json()
  }

  listen(news: () => void): () => void {
    return this.#run.journal.listen(news)
  }

  watched(viewers: number): void {
    this.#viewers = viewers
    this.looked()
    if (!this.#waitsForViewer || viewers === 0) return
    this.#waitsForViewer = false
    this.#run.act({ act: 'story', do: 'play' }, this.facts.startedBy)
  }

  /** A person looks at it. */
  looked(): void {
    this.#unwatchedMs = this.#deps.clock.now().monotonicMs
  }

  /** @param waitsForViewer the story begins with its first viewer; without one it ends when its time is over */
  begin(candidates: number, { waitsForViewer = false } = {}): void {
    const { store, timer, log } = this.#deps
    const { run } = this.facts
    const writer = new JournalWriter({ run, entries: this.entries, store, timer })
    this.#writing = writer
      .run(this.#over.signal)
      .catch((error) =>
        log.error({ run, error }, 'the journal of a run of the lab was not written to its end'),
      )
    this.#run.begin(candidates)
    this.#waitsForViewer = waitsForViewer
    if (waitsForViewer) this.#run.act({ act: 'story', do: 'pause' }, this.facts.startedBy)
    void this.#bound()
  }

  act(act: LabAct, by: string): ActRefusal {
    return this.#run.act(act, by)
  }

  /** Resolves when nothing of it is left but its journal, which is written. */
  end(why: EndReason, detail: string | null = null): Promise<void> {
    this.#ended ??= this.#end(why, detail)
    return this.#ended
  }

  async #end(why: EndReason, detail: string | null): Promise<void> {
    await this.#run.end(why, detail)
    this.#over.abort()
    this.#written = this.#write()
    void this.#written.then((isFinished) => this.#giveUpPlace(isFinished))
  }

  /** Resolves when the journal of a run that has ended is written, or cannot be. @returns whether nothing is left to do */
  written(): Promise<boolean> {
    return this.#written
  }

  async #write(): Promise<boolean> {
    const { store, log } = this.#deps
    await this.#writing
    const { facts } = this
    // Without its end a run counts as one whose instance died: what is left of it is looked for again.
    if (!(await this.#run.removed())) {
      log.warn({ run: facts.run }, 'rows of a run of the lab were not removed')
      return false
    }
    const endedAtMs = Date.parse(this.json().endsAt)
    const ended = { endedAtMs, step: this.json().story?.step ?? null }
    try {
      await store.writeRun({ facts, ended })
      return true
    } catch (error) {
      log.warn({ run: facts.run, error }, 'the end of a run of the lab was not written')
      return false
    }
  }

  async #giveUpPlace(isFinished: boolean): Promise<void> {
    const { place, clock, timer, gone } = this.#deps
    await timer.sleep(Math.max(0, this.#madeMs + placeMs - clock.now().monotonicMs))
    await place.release()
    gone(isFinished)
  }

  async #bound(): Promise<void> {
    const { place, clock, timer, distrust } = this.#deps
    const beganMs = clock.now().monotonicMs
    while (this.#ended === undefined) {
      await timer.sleep(lookEveryMs, AbortSignal.any([place.signal, this.#over.signal]))
      if (this.#ended !== undefined) return
      const nowMs = clock.now().monotonicMs
      if (place.signal.aborted) return this.end('failure', lostWords(place.signal.reason))
      const untrusted = distrust()
      if (untrusted !== null) return this.end('failure', untrusted)
      if (nowMs - beganMs >= labBounds.runMs) return this.end('time')
      if (this.#viewers > 0 || this.#waitsForViewer) this.looked()
      else if (nowMs - this.#unwatchedMs >= labBounds.unwatchedMs) await this.#unwatched()
    }
  }

  async #unwatched(): Promise<void> {
    // Without an answer it is not ended: the next look asks again, and its time ends it.
    const isWatched = await this.#deps.isWatchedElsewhere().catch(() => true)
    if (isWatched) this.looked()
    else await this.end('unwatched')
  }
}

/** Why the run cannot go on without its place: another run may have it. In an outage the reason says that renewals failed. */
function lostWords(reason: unknown): string {
  const why = isLeaseholdError(reason, 'lease-lost') ? reason.message : 'The lease is lost.'
  return `A run needs the lease of one of the places for runs. ${why}`
}
