/** The messages of a journal between candidates and Cassandra, and the rows that they take in a diagram. */
import type { Entry, JournalEntry, StatementPurpose } from '../../../contract/lab/journal.ts'

export interface Message {
  readonly by: string
  readonly purpose: StatementPurpose
  /** CQL and parameters. */
  readonly said: string
  readonly sentY: number
  /** It was held back until then. null: it was not. */
  letGoY: number | null
  /** null: no answer in the journal. */
  answeredY: number | null
  outcome: Entry<'answered'>['outcome'] | null
  found: string | null
  /** When the candidate got it, or gave up. null: at once. */
  deliveredY: number | null
  delivered: Entry<'delivered'>['as'] | null
}

/** What the election is about; counters, hints and queues would hide it. */
const drawn: readonly StatementPurpose[] = ['acquire', 'renew', 'release', 'break', 'kill', 'bakery']
/** More messages than these are left out: the diagram says how many. */
export const messagesMax = 3_000

const rowHeight = 11
/** A pause is drawn as so much more, whatever its length. */
const gapHeightMax = 26
const gapMsPerPixel = 40
export const topY = 64

/**
 * Each event has a row of its own, so that the order of events can be read where times are a few milliseconds apart; longer
 * pauses take a little more room. A row’s place depends on the rows before it alone.
 */
export class MessageRows {
  readonly messages: Message[] = []
  readonly #byStatement = new Map<number, Message>()
  readonly #rows: { readonly atMs: number; readonly y: number }[] = [{ atMs: 0, y: topY }]
  leftOut = 0

  /** Where the last row stands. */
  get lastY(): number {
    return (this.#rows.at(-1) as { y: number }).y
  }

  add(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'sent':
        this.#sent(entry)
        break
      case 'let-go':
        this.#change(entry.statement, (message) => {
          message.letGoY = this.#row(entry.atMs)
        })
        break
      case 'answered':
        this.#change(entry.statement, (message) => {
          message.answeredY = this.#row(entry.atMs)
          message.outcome = entry.outcome
          message.found = entry.found
        })
        break
      case 'delivered':
        this.#change(entry.statement, (message) => {
          message.deliveredY = this.#row(entry.atMs)
          message.delivered = entry.as
        })
        break
      case 'leads':
      case 'lost':
      case 'fault':
      case 'joined':
      case 'left':
        if (this.leftOut === 0) this.#row(entry.atMs)
    }
  }

  /** Between two rows a time stands in proportion. */
  yOf(atMs: number): number {
    let [low, high] = [0, this.#rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#rows[middle] as { atMs: number }).atMs <= atMs) low = middle + 1
      else high = middle
    }
    const before = this.#rows[Math.max(0, low - 1)] as { atMs: number; y: number }
    const after = this.#rows[low]
    if (after === undefined) return before.y
    return before.y + ((after.y - before.y) * (atMs - before.atMs)) / (after.atMs - before.atMs)
  }

  /** Whole seconds, for the axis: at most one for each 40 pixels. */
  seconds(): { readonly second: number; readonly y: number }[] {
    const found: { second: number; y: number }[] = []
    const lastMs = (this.#rows.at(-1) as { atMs: number }).atMs
    for (let second = 0; second * 1000 <= lastMs; second++) {
      const y = this.yOf(second * 1000)
      if (y - (found.at(-1)?.y ?? Number.NEGATIVE_INFINITY) >= 40) found.push({ second, y })
    }
    return found
  }

  #sent({ statement, by, purpose, cql, params, atMs }: Entry<'sent'>): void {
    if (!drawn.includes(purpose)) return
    if (this.messages.length >= messagesMax) {
      this.leftOut++
      return
    }
    const message: Message = {
      by,
      purpose,
      said: params.length === 0 ? cql : `${cql}\n${params.join(', ')}`,
      sentY: this.#row(atMs),
      letGoY: null,
      answeredY: null,
      outcome: null,
      found: null,
      deliveredY: null,
      delivered: null,
    }
    this.messages.push(message)
    this.#byStatement.set(statement, message)
  }

  #change(statement: number, change: (message: Message) => void): void {
    const message = this.#byStatement.get(statement)
    if (message !== undefined) change(message)
  }

  #row(atMs: number): number {
    const last = this.#rows.at(-1) as { atMs: number; y: number }
    const gap = Math.min(gapHeightMax, Math.max(0, atMs - last.atMs) / gapMsPerPixel)
    const y = Math.round((last.y + rowHeight + gap) * 10) / 10
    this.#rows.push({ atMs: Math.max(last.atMs, atMs), y })
    return y
  }
}
