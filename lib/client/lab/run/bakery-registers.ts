import type { Entry, JournalEntry } from '../../../contract/lab/journal.ts'

/** The two registers of a customer, and how their statements read. */
const registers = {
  number: {
    write: /^INSERT INTO \S+ \(name, customer, number\)/,
    clear: /^DELETE FROM \S*bakery_numbers\b/,
    read: /^SELECT customer, number /,
  },
  choosing: {
    write: /^INSERT INTO \S+ \(name, customer, choosing\)/,
    clear: /^DELETE FROM \S*bakery_choosing\b/,
    read: /^SELECT customer, choosing /,
  },
} as const

/** Of a read’s answer the journal keeps so many rows: a full one may lack some. */
const rowsMax = 8

interface Written {
  /** Of this visit: the library makes an id for each. */
  readonly customer: string
  /** When Cassandra had carried out the last write; or when the first one was sent. */
  atMs: number
  /** Reads from then on show it. */
  shownFromMs: number
  ttlMs: number
  isCleared: boolean
}

/**
 * What Cassandra shows of one register of each customer. A row with a TTL ends while its customer is paused, cut off or crashed, and notes
 * nothing: other customers read that it is gone, or its time is over since its last write.
 */
export class BakeryRegister {
  readonly #cql: (typeof registers)[keyof typeof registers]
  readonly #sent = new Map<number, Entry<'sent'>>()
  readonly #written = new Map<string, Written>()
  readonly #gone = new Map<string, 'cleared' | 'expired'>()

  constructor(register: keyof typeof registers) {
    this.#cql = registers[register]
  }

  take(entry: JournalEntry): void {
    if (entry.kind === 'sent') {
      if (entry.purpose === 'bakery') this.#send(entry)
    } else if (entry.kind === 'answered') {
      const sent = this.#sent.get(entry.statement)
      this.#sent.delete(entry.statement)
      if (sent !== undefined) this.#answer(sent, entry)
    }
  }

  /** The id of its last visit, by which equal numbers are ordered; null: it has written nothing. */
  visitOf(candidate: string): string | null {
    return this.#written.get(candidate)?.customer ?? null
  }

  /** Why Cassandra shows it no longer; null: it does, or the customer has not written it. */
  goneAt(candidate: string, nowMs: number): 'cleared' | 'expired' | null {
    const gone = this.#gone.get(candidate)
    if (gone !== undefined) return gone
    const written = this.#written.get(candidate)
    return written !== undefined && nowMs >= written.atMs + written.ttlMs ? endOf(written) : null
  }

  #send(entry: Entry<'sent'>): void {
    const { cql, by, statement, atMs, params } = entry
    const { write, clear, read } = this.#cql
    const isWrite = write.test(cql)
    if (!isWrite && !clear.test(cql) && !read.test(cql)) return
    this.#sent.set(statement, entry)
    const before = this.#written.get(by)
    if (!isWrite) {
      if (clear.test(cql) && before !== undefined) before.isCleared = true
      return
    }
    const ttlMs = Number(params.at(-1)) * 1000
    const customer = params[1] ?? ''
    if (before?.customer === customer) return
    this.#gone.delete(by)
    this.#written.set(by, { customer, atMs, shownFromMs: Number.POSITIVE_INFINITY, ttlMs, isCleared: false })
  }

  #answer({ cql, by, params }: Entry<'sent'>, { outcome, found, atMs, tookMs }: Entry<'answered'>): void {
    const { write, clear, read } = this.#cql
    const written = this.#written.get(by)
    if (read.test(cql)) {
      if (outcome === 'rows') this.#look(found ?? '', atMs - tookMs)
    } else if (written === undefined || outcome === 'unavailable' || outcome === 'refused') return
    else if (write.test(cql) && written.customer === params[1]) {
      written.atMs = atMs
      if (outcome === 'rows') written.shownFromMs = atMs
      this.#gone.delete(by)
    } else if (clear.test(cql) && outcome === 'rows') this.#gone.set(by, 'cleared')
  }

  /** @param sentMs a write that was carried out before it is in the answer */
  #look(found: string, sentMs: number): void {
    const rows = found.split('; ')
    if (rows.length >= rowsMax) return
    for (const [candidate, written] of this.#written)
      if (
        sentMs > written.shownFromMs &&
        !rows.some((row) => row.startsWith(`customer = ${written.customer},`))
      )
        this.#gone.set(candidate, this.#gone.get(candidate) ?? endOf(written))
  }
}

/** Of the end of a visit. */
export const clearsNumber = ({ purpose, cql }: Entry<'sent'>): boolean =>
  purpose === 'bakery' && registers.number.clear.test(cql)

const endOf = ({ isCleared }: Written): 'cleared' | 'expired' => (isCleared ? 'cleared' : 'expired')
