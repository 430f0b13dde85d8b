/**
 * A run of the lab as a page shows it: its journal, as far as it has come, and what stands in the stream beside it. While
 * the stream is silent the picture stands still: what happens since then is not known.
 */
import type { LabRun, LabVerdict } from '../../../contract/lab/run.ts'
import type { ApiError } from '../../call/api-error.ts'
import { type EventListener, type EventSource, EventStream, silenceMs } from '../../stream/event-stream.ts'
import { pageClock, pageNow } from '../../time/page-clock.ts'
import { LanesBuilder } from '../lanes/lanes-builder.ts'
import { clockFrom, type RunClock, runNow } from '../window/run-clock.ts'
import type { RunMessage } from './run-answers.ts'

/** What a page shows of a run. A new object for each change. */
export interface ShownRun {
  /** null: it is not read yet. */
  run: LabRun | null
  lanes: LanesBuilder | null
  /** Grows with each addition to `lanes`. */
  revision: number
  verdict: LabVerdict
  /** The run has ended, and no `ended` is in its journal. */
  isCut: boolean
  viewers: number | null
  clock: RunClock | null
  /** No event has come for a while. `sinceMs`: when the last one came; null: none ever did. */
  silence: { sinceMs: number | null } | null
  /** Why it is not read, or not read again. `isFinal`: trying again changes nothing. */
  error: ApiError | null
  isFinal: boolean
}

const nothing: ShownRun = {
  run: null,
  lanes: null,
  revision: 0,
  verdict: [],
  isCut: false,
  viewers: null,
  clock: null,
  silence: null,
  error: null,
  isFinal: false,
}

interface RunFeedParts {
  open: (source: EventSource<RunMessage>, listener: EventListener<RunMessage>) => { close(): void }
  now: () => number
  /** The session may have ended. */
  onSession: () => void
}

export const browserFeedParts = (onSession: () => void): RunFeedParts => ({
  open: (source, listener) => new EventStream(source, listener).open(),
  now: pageNow,
  onSession,
})

export class RunFeed {
  readonly #parts: RunFeedParts
  readonly #path: string
  readonly #listeners = new Set<() => void>()
  #shown: ShownRun = nothing
  #stream: { close(): void } | null = null
  #lastEventMs: number | null = null
  #isOver = false

  constructor(run: string, parts: RunFeedParts) {
    this.#path = `/v1/lab/runs/${run}/stream`
    this.#parts = parts
  }

  readonly shown = (): ShownRun => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads from where it was left. A run that was read to its end is not read again. */
  wake(): void {
    if (this.#stream !== null || this.#isOver) return
    if (this.#shown.isFinal) this.#set({ isFinal: false })
    const sinceMs = this.#lastEventMs
    if (sinceMs !== null && this.#parts.now() - sinceMs >= silenceMs) this.#silent({ sinceMs })
    const next = this.#shown.lanes?.nextSeq ?? 0
    const source: EventSource<RunMessage> = {
      path: `${this.#path}?from=${next}`,
      parser: async () => (await import('./run-answers.ts')).parseRunEvent,
    }
    const stream = this.#parts.open(source, {
      event: (message, { arrivedAtMs }) => this.#take(message, arrivedAtMs),
      silence: (silence) => this.#silent(silence),
      broken: (error, isFinal) => this.#broke(error, isFinal),
    })
    this.#stream = stream
  }

  sleep(): void {
    this.#stream?.close()
    this.#stream = null
  }

  /** Asks again after a refusal. */
  retry(): void {
    this.sleep()
    this.#set({ error: null, isFinal: false })
    this.wake()
  }

  #take(message: RunMessage, arrivedAtMs: number): void {
    // In a suspend the page's clock may have gone further than the run: nothing that was counted before it is kept.
    const hasSlept = this.#lastEventMs !== null && pageClock.wasSuspendedSince(this.#lastEventMs)
    this.#lastEventMs = arrivedAtMs
    if (message.name === 'unknown') return
    if (message.name === 'end') {
      if (message.data.reason === 'session') this.#parts.onSession()
      if (message.data.reason !== 'run') return
      this.#isOver = true
      this.sleep()
      const isCut = this.#shown.lanes?.entries.at(-1)?.kind !== 'ended'
      this.#set({ silence: null, viewers: null, isCut })
      return
    }
    const { run, nowMs } = message.data
    const lanes = this.#shown.lanes ?? new LanesBuilder({ ttlSeconds: run.ttlSeconds })
    if (message.name === 'entries') lanes.add(message.data.entries)
    const isEnded = run.state === 'ended'
    const before = this.#shown.clock
    const running =
      before !== null && before.stoppedAtMs !== null && !isEnded ? { ...before, stoppedAtMs: null } : before
    const clock = clockFrom(hasSlept ? null : running, nowMs, arrivedAtMs)
    const over: Partial<ShownRun> = {
      run: same(this.#shown.run, run),
      lanes,
      revision:
        this.#shown.revision + (message.name === 'entries' && message.data.entries.length > 0 ? 1 : 0),
      clock: isEnded ? { ...clock, stoppedAtMs: Math.max(lanes.lastMs, nowMs) } : clock,
      silence: null,
      error: null,
      isFinal: false,
    }
    if (message.name === 'heartbeat') {
      over.verdict = same(this.#shown.verdict, message.data.verdict)
      over.viewers = message.data.viewers
    }
    this.#set(over)
  }

  /** What was true when the last event came is shown, and no later time. */
  #silent(silence: ShownRun['silence']): void {
    const { clock, lanes } = this.#shown
    const stoppedAtMs =
      clock === null || lanes === null
        ? null
        : Math.max(
            lanes.lastMs,
            runNow({ ...clock, stoppedAtMs: null }, silence?.sinceMs ?? this.#parts.now()),
          )
    this.#set({ silence, clock: clock && { ...clock, stoppedAtMs: silence === null ? null : stoppedAtMs } })
  }

  #broke(error: ApiError, isFinal: boolean): void {
    if (error.code === 'unauthenticated') this.#parts.onSession()
    if (isFinal) this.#stream = null
    this.#set({ error, isFinal })
  }

  #set(over: Partial<ShownRun>): void {
    this.#shown = { ...this.#shown, ...over }
    for (const listener of this.#listeners) listener()
  }
}

/** The object that is there already, where the new one says the same: what reads it is not drawn again. */
const same = <T>(before: T | null, after: T): T =>
  before !== null && JSON.stringify(before) === JSON.stringify(after) ? before : after
