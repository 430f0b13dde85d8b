/**
 * A stream of server-sent events. One that ends is opened again, after the event that came last (`Last-Event-ID`). No
 * event for five seconds is silence: what is shown is stale from then on, until one comes. Time and network come in
 * from outside.
 *
 * A stream that may not stay open (`stream-turns.ts`) takes turns: it opens, hears what is new for a moment, and closes again, often
 * enough that there is no silence.
 *
 * It is read by `fetch`, not by `EventSource`: that hides the status and the problem of an answer which is no stream.
 */
import { ApiError, isApiError } from '../call/api-error.ts'
import { lateCode, readPriority, retryAfter } from '../call/call.ts'
import { type PageClock, pageClock } from '../time/page-clock.ts'
import { type SentEvent, sentEvents } from './sent-events.ts'
import { type StreamTurn, streamTurns } from './stream-turns.ts'

/** No event for so long, though the server sends one every two seconds: what is shown may be wrong. */
export const silenceMs = 5000
/** The silence is counted in steps of this: a page that was too busy to read does not count as a silent server. */
const stepMs = 500
const backoffMaxMs = 5000
/** Of a stream that takes turns: how long it listens after its first event, and how long it is closed then, before jitter. */
const turnMs = 500
const betweenTurnsMs = 2000

/** Between two attempts, before jitter. */
export const backoffMs = (attempt: number): number => Math.min(250 * 2 ** attempt, backoffMaxMs)

/** Of one event, by the page's clock: when it came, and when the answer that it is a part of was asked for. */
interface EventTimes {
  arrivedAtMs: number
  askedAtMs: number
}

/** What is read, and by what. `M`: an event, as the contract has it. */
export interface EventSource<M> {
  path: string
  /** The code that reads events comes late: it has the schemas. */
  parser: () => Promise<(name: string, data: string) => M>
}

export interface EventListener<M> {
  event(message: M, times: EventTimes): void
  /** There is silence; null: it is over. `sinceMs`: when the last event came; null: none ever did. */
  silence(silence: { sinceMs: number | null } | null): void
  /** The connection broke, or was refused. It is tried again, unless `final`: then there is silence already, and it stays. */
  broken(error: ApiError, final: boolean): void
}

export interface StreamParts {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  clock: PageClock
  setTimer: (run: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
  /** From 0 to 1. */
  random: () => number
  /** @param changed called when the stream may stay open from now on, or no more */
  join: (changed: () => void) => StreamTurn
}

const browserParts: StreamParts = {
  fetch: (path, init) => fetch(path, init),
  clock: pageClock,
  setTimer: (run, ms) => setTimeout(run, ms),
  clearTimer: (timer) => clearTimeout(timer as number),
  random: Math.random,
  join: (changed) => streamTurns().join(changed),
}

/** Trying again changes nothing about these. An answer that is not the API's own, such as a proxy's 404, may pass. */
const isFinal = ({ code, status }: ApiError): boolean =>
  code !== 'bad-answer' && (status === 400 || status === 403 || status === 404)

export class EventStream<M extends { name: string }> {
  readonly #parts: StreamParts
  readonly #listener: EventListener<M>
  readonly #source: EventSource<M>
  readonly #closed = new AbortController()
  #attempt = 0
  #lastId = ''
  #lastEventMs: number | null = null
  /** Since the last event. */
  #silentMs = 0
  /** Since the last event of this attempt, or its beginning. */
  #attemptSilentMs = 0
  #isSilent = false
  #stepTimer: unknown
  #reading: AbortController | undefined
  #endSuspends: (() => void) | undefined
  #turn: StreamTurn | undefined
  #turnTimer: unknown
  /** Something came by the connection that is open. */
  #hasHeard = false
  /** It was closed because its turn was over. */
  #isTurnOver = false
  /** Ends the wait for the next turn. */
  #wake = () => {}

  constructor(source: EventSource<M>, listener: EventListener<M>, parts: StreamParts = browserParts) {
    this.#source = source
    this.#listener = listener
    this.#parts = parts
  }

  open(): this {
    this.#turn = this.#parts.join(() => this.#turnChanged())
    this.#endSuspends = this.#parts.clock.onSuspend(() => this.#suspended())
    this.#step()
    this.#run()
    return this
  }

  close(): void {
    this.#closed.abort()
    this.#reading?.abort()
    this.#turn?.leave()
    this.#endSuspends?.()
    this.#parts.clearTimer(this.#stepTimer)
    this.#parts.clearTimer(this.#turnTimer)
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      let waitMs = 0
      try {
        await this.#read()
      } catch (cause) {
        if (this.#isClosed) return
        if (!this.#isTurnOver) {
          const error = isApiError(cause) ? cause : new ApiError({ code: 'server-unreachable', cause })
          if (error.code === 'bad-answer') this.#lastId = ''
          const final = isFinal(error)
          // What is shown is read no more, and nothing would say so later.
          if (final) this.#beSilent()
          this.#listener.broken(error, final)
          if (final) return this.close()
          waitMs = error.retryAfterMs ?? 0
        }
      }
      if (this.#isTurnOver) {
        await this.#untilNextTurn()
        continue
      }
      const jittered = backoffMs(this.#attempt++) * (0.5 + this.#parts.random() / 2)
      await this.#wait(Math.max(waitMs, jittered))
    }
  }

  async #untilNextTurn(): Promise<void> {
    if (this.#turn?.mayStay !== true) await this.#wait(betweenTurnsMs * (0.75 + this.#parts.random() / 2))
    this.#isTurnOver = false
  }

  /** May stay: it opens at once. May not: its turn is over in a moment, if it has heard something. */
  #turnChanged(): void {
    if (this.#turn?.mayStay === false) {
      if (this.#hasHeard) this.#endTurn()
    } else if (this.#isTurnOver) this.#wake()
  }

  #endTurn(): void {
    this.#turnTimer ??= this.#parts.setTimer(() => {
      this.#turnTimer = undefined
      if (this.#turn?.mayStay !== false || !this.#hasHeard) return
      this.#isTurnOver = true
      this.#reading?.abort()
    }, turnMs)
  }

  #wait(ms: number): Promise<void> {
    const { signal } = this.#closed
    return new Promise((done) => {
      const end = () => {
        this.#parts.clearTimer(timer)
        signal.removeEventListener('abort', end)
        done()
      }
      this.#wake = end
      const timer = this.#parts.setTimer(end, ms)
      signal.addEventListener('abort', end)
    })
  }

  async #read(): Promise<void> {
    const parse = await lateCode(this.#source.parser())
    if (this.#isClosed) return
    // From here on: the code may take longer than a silence, and that says nothing about the server.
    this.#attemptSilentMs = 0
    const reading = new AbortController()
    this.#reading = reading
    this.#hasHeard = false
    this.#isTurnOver = false
    const { clock } = this.#parts
    const askedAtMs = clock.now()
    const headers: Record<string, string> = { accept: 'text/event-stream' }
    if (this.#lastId !== '') headers['last-event-id'] = this.#lastId
    const response = await this.#parts.fetch(this.#source.path, {
      headers,
      cache: 'no-store',
      credentials: 'same-origin',
      priority: readPriority,
      signal: reading.signal,
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (response.status !== 200 || !isStream || response.body === null) throw await refusalOf(response)

    let ended = false
    const take = (event: SentEvent) => {
      const arrivedAtMs = clock.now()
      // It may have waited here, unread, for the whole suspend. All is read again in a moment.
      if (clock.wasSuspendedSince(askedAtMs)) return
      let message: M
      try {
        message = parse(event.name, event.data)
      } catch (cause) {
        throw new ApiError({ code: 'bad-answer', status: 200, cause })
      }
      this.#heard(event.id, arrivedAtMs)
      // The server ends the connection after it.
      if (message.name === 'end') ended = true
      this.#listener.event(message, { arrivedAtMs, askedAtMs })
    }
    const read = sentEvents(take, this.#lastId)
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      while (!ended) {
        const { done, value } = await pieces.read()
        if (done || this.#isClosed) return
        read(value)
      }
    } finally {
      reading.abort()
    }
  }

  #heard(id: string, arrivedAtMs: number): void {
    this.#hasHeard = true
    if (this.#turn?.mayStay === false) this.#endTurn()
    this.#lastId = id
    this.#lastEventMs = arrivedAtMs
    this.#attempt = 0
    this.#silentMs = 0
    this.#attemptSilentMs = 0
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#listener.silence(null)
  }

  /** What is shown is from before it. */
  #suspended(): void {
    this.#beSilent()
    // Not only what has changed since: if a person has set the wall clock forward, the clocks of the other rows are too early.
    this.#lastId = ''
    this.#reading?.abort()
    this.#wake()
  }

  #beSilent(): void {
    if (this.#isSilent) return
    this.#isSilent = true
    this.#listener.silence({ sinceMs: this.#lastEventMs })
  }

  #step(): void {
    this.#stepTimer = this.#parts.setTimer(() => {
      this.#silentMs += stepMs
      this.#attemptSilentMs += stepMs
      // A look: a suspend is noticed although nothing else on the page reads the clock.
      this.#parts.clock.now()
      if (this.#silentMs >= silenceMs) this.#beSilent()
      // A connection that says nothing may be one that only this side still has.
      if (this.#attemptSilentMs >= silenceMs) this.#reading?.abort()
      this.#step()
    }, stepMs)
  }
}

/** What an answer says that is no stream. */
async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response
  const retryAfterMs = retryAfter(response.headers.get('retry-after'))
  const { parseProblem } = await lateCode(import('../call/answers.ts'))
  const said = parseProblem(await response.json().catch(() => undefined))
  return 'problem' in said
    ? new ApiError({ status, code: said.problem.code, problem: said.problem, retryAfterMs })
    : new ApiError({ status, code: 'bad-answer', retryAfterMs, cause: said.cause })
}
