/**
 * Which streams of this browser stay open, over all its windows. A browser has six connections to one server over HTTP/1.1: with
 * a stream on each, no page loads any more, no release is sent, and all windows say that the server does not answer.
 *
 * Four streams stay open: those of the windows that had the focus last. The others take turns (`event-stream.ts`): they open,
 * hear what is new, and close again. Each window says to all others how many streams it has; from that each finds the same order.
 *
 * Does not guarantee: a bound at each moment. A window that has just opened knows the others a moment later, which is why four
 * stay and not six.
 */

/** Streams that stay open. The other two connections are for pages, requests and the streams that take turns. */
export const streamsMost = 4
const beatMs = 3_000
/** A window that said nothing for so long is gone: a hidden one has no streams, and its timers may stand still. */
const goneAfterMs = 10_000

interface Claim {
  window: string
  /** When it had the focus last, by the wall clock, which all windows of a browser share. */
  focusedAtMs: number
  /** How many streams it wants to keep open. */
  streams: number
}

/** A stream's place among all. */
export interface StreamTurn {
  readonly mayStay: boolean
  leave(): void
}

interface StreamTurnsParts {
  window: string
  /** Tells all other windows. */
  post: (claim: Claim) => void
  /** Hears them. */
  listen: (hear: (data: unknown) => void) => void
  /** By the wall clock. */
  nowMs: () => number
  setTimer: (run: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
}

export class StreamTurns {
  readonly #parts: StreamTurnsParts
  /** By the window. */
  readonly #others = new Map<string, Claim & { heardAtMs: number }>()
  /** Of this window, in the order in which they were opened; each with what it wants to know. */
  readonly #streams = new Map<object, () => void>()
  #focusedAtMs: number
  #timer: unknown

  constructor(parts: StreamTurnsParts) {
    this.#parts = parts
    this.#focusedAtMs = parts.nowMs()
    parts.listen((data) => this.#hear(data))
  }

  /** A stream is opened. @param changed called when it may stay open from now on, or no more */
  join(changed: () => void): StreamTurn {
    const stream = {}
    this.#streams.set(stream, changed)
    this.#changed()
    const mayStay = () => this.#mayStay(stream)
    return {
      get mayStay() {
        return mayStay()
      },
      leave: () => {
        if (this.#streams.delete(stream)) this.#changed()
      },
    }
  }

  /** The reader is in this window. */
  focused(): void {
    this.#focusedAtMs = this.#parts.nowMs()
    if (this.#streams.size > 0) this.#changed()
  }

  /** This window is about to go. */
  gone(): void {
    this.#post(0)
  }

  #mayStay(stream: object): boolean {
    const place = [...this.#streams.keys()].indexOf(stream)
    let before = place
    for (const other of this.#others.values()) if (this.#isBefore(other)) before += other.streams
    return before < streamsMost
  }

  #isBefore({ focusedAtMs, window }: Claim): boolean {
    if (focusedAtMs !== this.#focusedAtMs) return focusedAtMs > this.#focusedAtMs
    return window < this.#parts.window
  }

  #changed(): void {
    this.#post(this.#streams.size)
    this.#tell()
    this.#parts.clearTimer(this.#timer)
    if (this.#streams.size > 0) this.#beat()
  }

  #beat(): void {
    this.#timer = this.#parts.setTimer(() => {
      const nowMs = this.#parts.nowMs()
      for (const [window, { heardAtMs }] of this.#others)
        if (Math.abs(nowMs - heardAtMs) > goneAfterMs) this.#others.delete(window)
      this.#changed()
    }, beatMs)
  }

  #hear(data: unknown): void {
    const claim = claimOf(data)
    if (claim === null) return
    const isNew = !this.#others.has(claim.window)
    if (claim.streams === 0) this.#others.delete(claim.window)
    else this.#others.set(claim.window, { ...claim, heardAtMs: this.#parts.nowMs() })
    // It does not know this window yet.
    if (isNew && claim.streams > 0 && this.#streams.size > 0) this.#post(this.#streams.size)
    this.#tell()
  }

  #tell(): void {
    for (const changed of [...this.#streams.values()]) changed()
  }

  #post(streams: number): void {
    this.#parts.post({ window: this.#parts.window, focusedAtMs: this.#focusedAtMs, streams })
  }
}

/** Another version of the page may say something else. */
function claimOf(data: unknown): Claim | null {
  const { window, focusedAtMs, streams } = (data ?? {}) as Partial<Claim>
  const isClaim =
    typeof window === 'string' &&
    Number.isFinite(focusedAtMs) &&
    Number.isInteger(streams) &&
    Number(streams) >= 0
  return isClaim ? ({ window, focusedAtMs, streams } as Claim) : null
}

let ofThisWindow: StreamTurns | undefined

/** Those of the window that this runs in. */
export function streamTurns(): StreamTurns {
  ofThisWindow ??= turnsOfWindow()
  return ofThisWindow
}

function turnsOfWindow(): StreamTurns {
  // Without it a window knows itself alone.
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('leasehold.streams')
  const turns = new StreamTurns({
    window: `${Date.now()} ${Math.random()}`,
    post: (claim) => channel?.postMessage(claim),
    listen: (hear) => channel?.addEventListener('message', ({ data }) => hear(data)),
    nowMs: Date.now,
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as number),
  })
  addEventListener('focus', () => turns.focused())
  addEventListener('pagehide', () => turns.gone())
  return turns
}
