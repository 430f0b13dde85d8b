/**
 * A story: it does something to the run, waits until that has happened, and shows its sentence. Then the next step.
 *
 * Guarantees: a caption is noted after what it speaks of, and what happens between two steps is not missed: each step looks at the
 * entries from the end of the step before on. A sentence stands for two seconds at least.
 */
import type { Timer } from 'leasehold/time'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { LabRun } from '../../../contract/lab/run.ts'
import type { RunJournal } from '../journal/run-journal.ts'

export interface StoryStep {
  /** What to wait for before `act`, from now on; left out: nothing. `act` runs before anything else can happen. */
  readonly when?: (entry: JournalEntry) => boolean
  readonly act?: () => void
  /** Whether the sentence may be shown; looks at each entry after `act`. Left out: at once. */
  readonly until?: (entry: JournalEntry) => boolean
  /** From where on `until` looks, if not from the end of the step before: it may have happened on the way to that. */
  readonly looksBackTo?: 'start' | 'last act'
}

const standsMs = 2_000

type StoryState = NonNullable<LabRun['story']>

export class Story {
  readonly #steps: readonly StoryStep[]
  readonly #journal: RunJournal
  readonly #timer: Timer
  #state: StoryState['state'] = 'playing'
  /** The step whose sentence stands. −1: none yet. */
  #shown = -1
  /** The step that is under way: it waits for `when`, or for `until`. */
  #waitsFor: 'when' | 'until' | 'next' = 'next'
  /** The number of the first entry that counts for the step that is under way. */
  #from = 0
  #lastAct = 0
  #stands: (() => void) | undefined
  #forget: (() => void) | undefined

  constructor(steps: readonly StoryStep[], journal: RunJournal, timer: Timer) {
    this.#steps = steps
    this.#journal = journal
    this.#timer = timer
  }

  get state(): StoryState {
    return { state: this.#state, step: this.#shown }
  }

  begin(): void {
    this.#forget = this.#journal.listen((entry) => this.#look(entry))
    this.#next()
  }

  pause(): void {
    if (this.#state !== 'playing') return
    this.#state = 'paused'
    this.#stopStanding()
  }

  play(): void {
    if (this.#state !== 'paused') return
    this.#state = 'playing'
    if (this.#waitsFor === 'next') this.#next()
  }

  /** Goes on to the next sentence, and pauses there. */
  step(): void {
    if (this.#state === 'ended') return
    this.#state = 'paused'
    this.#stopStanding()
    if (this.#waitsFor === 'next') this.#next()
  }

  end(): void {
    this.#stopStanding()
    this.#forget?.()
    this.#forget = undefined
    this.#state = 'ended'
  }

  #next(): void {
    const step = this.#steps[this.#shown + 1]
    if (step === undefined) {
      this.end()
      this.#journal.note({ kind: 'story-ended' })
      return
    }
    this.#waitsFor = 'when'
    if (step.when === undefined) this.#act(step)
    // What came while the sentence stood is over: the act belongs right behind what it waits for.
    else this.#from = this.#journal.entries.length
  }

  #act(step: StoryStep): void {
    this.#waitsFor = 'until'
    if (step.looksBackTo !== undefined) this.#from = step.looksBackTo === 'start' ? 0 : this.#lastAct
    if (step.act !== undefined) {
      this.#from = this.#journal.entries.length
      this.#lastAct = this.#from
    }
    step.act?.()
    if (step.until === undefined) this.#show(this.#journal.entries.length)
    else this.#lookBack()
  }

  /** Entries that came while the sentence before stood. */
  #lookBack(): void {
    const { entries } = this.#journal
    const step = this.#shown
    for (let at = this.#from; at < entries.length && this.#shown === step; at++)
      this.#look(entries[at] as JournalEntry)
  }

  #look(entry: JournalEntry): void {
    if (this.#waitsFor === 'next' || entry.seq < this.#from) return
    const step = this.#steps[this.#shown + 1] as StoryStep
    this.#from = entry.seq + 1
    if (this.#waitsFor === 'when') {
      if (step.when?.(entry) === true) this.#act(step)
    } else if (step.until?.(entry) === true) this.#show(entry.seq + 1)
  }

  #show(from: number): void {
    this.#from = from
    this.#shown++
    this.#waitsFor = 'next'
    this.#journal.note({ kind: 'caption', step: this.#shown })
    if (this.#state !== 'playing') return
    this.#stands = this.#timer.after(standsMs, () => {
      this.#stands = undefined
      this.#next()
    })
  }

  #stopStanding(): void {
    this.#stands?.()
    this.#stands = undefined
  }
}
