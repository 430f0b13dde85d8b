/**
 * The streams of one run. All viewers that are up to date get one text, made once; a viewer whose connection is full gets nothing until
 * it has read on, and then what came since: no text waits for it here.
 */
import type { Clock, Timer } from 'leasehold/time'
import type { LabEventName, LabVerdict, labEvents } from '../../../contract/lab/run.ts'
import type { AnswerStream, StreamSink } from '../../http/adapters/api-request.ts'
import { eventText } from '../../http/streams/event-text.ts'
import type { StreamTurns } from '../../http/streams/stream-turns.ts'
import { viewerStream } from '../../http/streams/viewer-stream.ts'
import { KeptVerdict, type RunSource, type VerdictOf } from './run-source.ts'

/** What comes within it is one event. */
const togetherMs = 50
const beatMs = 2_000
/** Of one event, so that a journal that is long goes out in parts. */
const entriesMax = 1_000

interface HubDeps {
  readonly clock: Clock
  readonly timer: Timer
  readonly closing: AbortSignal
  readonly turns: StreamTurns
  readonly verdictOf: VerdictOf
}

interface Viewer {
  readonly sink: StreamSink
  /** The number of the entry that it gets next. */
  next: number
  isReady: boolean
}

export class RunHub {
  readonly source: RunSource
  readonly #deps: HubDeps
  readonly #verdict: KeptVerdict
  readonly #viewers = new Set<Viewer>()
  /** Streams that were asked for and have not ended: each has a viewer from its turn on. */
  #streams = 0
  #forget: (() => void) | undefined
  #sending: (() => void) | undefined
  #beating: (() => void) | undefined

  constructor(source: RunSource, deps: HubDeps) {
    this.source = source
    this.#deps = deps
    this.#verdict = new KeptVerdict(source, deps.verdictOf, () => deps.clock.now().monotonicMs)
  }

  /** Also those whose stream has not had its turn: they come to this hub, and no other may take its place. */
  get viewers(): number {
    return this.#streams
  }

  verdict(): LabVerdict {
    return this.#verdict.now()
  }

  /** @param from the number of the first entry that the viewer needs @param sender who asks */
  stream(from: number, sender: string, signal: AbortSignal): AnswerStream {
    let viewer: Viewer | undefined
    this.#streams++
    return viewerStream(
      {
        begin: (sink) => {
          viewer = { sink, next: Math.min(from, this.source.entries.length), isReady: true }
          this.#viewers.add(viewer)
          this.#watched()
          viewer.isReady = sink.write(this.#beat())
          this.#send(viewer, new Map(), true)
        },
        drained: () => {
          if (viewer === undefined) return
          viewer.isReady = true
          this.#send(viewer, new Map())
        },
        closed: () => {
          this.#streams--
          if (viewer !== undefined && this.#viewers.delete(viewer)) this.#watched()
        },
      },
      { sender, signal, closing: this.#deps.closing, turns: this.#deps.turns },
    )
  }

  #watched(): void {
    const { timer } = this.#deps
    this.source.watched(this.#viewers.size)
    if (this.#viewers.size === 0) {
      for (const stop of [this.#forget, this.#sending, this.#beating]) stop?.()
      this.#forget = undefined
      this.#sending = undefined
      this.#beating = undefined
      return
    }
    this.#forget ??= this.source.listen(() => {
      this.#sending ??= timer.after(togetherMs, () => {
        this.#sending = undefined
        const texts = new Map<string, string>()
        for (const viewer of [...this.#viewers]) this.#send(viewer, texts)
      })
    })
    this.#beating ??= timer.after(beatMs, () => this.#beatAll())
  }

  /** Sends a heartbeat, before its time: the run has changed in what no entry says. */
  beat(): void {
    if (this.#viewers.size === 0) return
    this.#beating?.()
    this.#beatAll()
  }

  #beatAll(): void {
    const text = this.#beat()
    for (const viewer of this.#viewers) if (viewer.isReady) viewer.isReady = viewer.sink.write(text)
    this.#beating = this.#deps.timer.after(beatMs, () => this.#beatAll())
  }

  #beat(): string {
    const { nowMs } = this.source
    return textOf('heartbeat', null, {
      run: this.source.json(),
      verdict: this.verdict(),
      viewers: this.#viewers.size,
      nowMs,
    })
  }

  /** What the viewer did not get yet, as far as its connection takes it. @param texts those made for others just now */
  #send(viewer: Viewer, texts: Map<string, string>, isFirst = false): void {
    const { entries, isComplete } = this.source
    for (
      let isEmpty = isFirst;
      viewer.isReady && (viewer.next < entries.length || isEmpty);
      isEmpty = false
    ) {
      const to = Math.min(entries.length, viewer.next + entriesMax)
      const key = `${viewer.next}-${to}`
      const text = texts.get(key) ?? this.#entries(viewer.next, to)
      texts.set(key, text)
      viewer.next = to
      viewer.isReady = viewer.sink.write(text)
    }
    if (!isComplete || !viewer.isReady || viewer.next < this.source.entries.length) return
    // With the last verdict.
    viewer.sink.write(this.#beat())
    viewer.sink.write(textOf('end', null, { reason: 'run' }))
    viewer.sink.end()
  }

  #entries(from: number, to: number): string {
    const { entries, nowMs } = this.source
    return textOf('entries', String(to), { entries: entries.slice(from, to), run: this.source.json(), nowMs })
  }
}

type LabEvents = typeof labEvents
const textOf = <K extends LabEventName>(
  event: K,
  id: string | null,
  data: LabEvents[K]['_zod']['output'],
): string => eventText(event, id, JSON.stringify(data))
