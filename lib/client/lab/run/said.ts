/** Each statement of a run, with what came of it. */
import type { Entry, JournalEntry, StatementPurpose } from '../../../contract/lab/journal.ts'

/** `waiting`: no answer yet. `held`: held back on its way. `stale`: written over the additions of a later leader. */
type SaidOutcome = Entry<'answered'>['outcome'] | 'waiting' | 'held' | 'stale'

export interface Said {
  readonly statement: number
  readonly atMs: number
  readonly by: string
  readonly purpose: StatementPurpose
  /** With its parameters filled in. */
  readonly cql: string
  readonly outcome: SaidOutcome
  /** The row in the answer. */
  readonly found: string | null
  readonly tookMs: number | null
  /** What the sender got instead of the answer. */
  readonly delivered: Entry<'delivered'>['as'] | null
}

/** Conditional writes on the lease: what can be held back. */
const onLease: readonly StatementPurpose[] = ['acquire', 'renew', 'release']

/** Takes the journal as it grows; each statement costs once. */
export class SaidBuilder {
  readonly #all: Said[] = []
  readonly #places = new Map<number, number>()
  #next = 0
  /** Candidates whose next write on the lease is held back. */
  readonly #holding = new Set<string>()
  readonly #cut = new Set<string>()
  #greatestToken = -1n

  /** In the order of sending. */
  get all(): readonly Said[] {
    return this.#all
  }

  /** @param entries the whole journal so far: what was read of it before is passed over */
  read(entries: readonly JournalEntry[]): void {
    for (; this.#next < entries.length; this.#next += 1) this.#apply(entries[this.#next] as JournalEntry)
  }

  #apply(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'sent':
        this.#places.set(entry.statement, this.#all.length)
        this.#all.push({
          statement: entry.statement,
          atMs: entry.atMs,
          by: entry.by,
          purpose: entry.purpose,
          cql: filled(entry.cql, entry.params),
          outcome: this.#holds(entry) ? 'held' : 'waiting',
          found: null,
          tookMs: null,
          delivered: null,
        })
        break
      case 'joined':
        // A new process, which no fault of the one before concerns.
        this.#holding.delete(entry.candidate)
        this.#cut.delete(entry.candidate)
        break
      case 'fault': {
        const of = { 'hold-next': this.#holding, cut: this.#cut }[entry.fault as string]
        if (entry.on) of?.add(entry.candidate)
        else of?.delete(entry.candidate)
        break
      }
      case 'let-go':
        this.#change(entry.statement, { outcome: 'waiting' })
        break
      case 'answered':
        this.#change(entry.statement, { outcome: entry.outcome, found: entry.found, tookMs: entry.tookMs })
        break
      case 'delivered':
        this.#change(entry.statement, { delivered: entry.as })
        break
      case 'wrote':
        // A write of the later leader may meet that of the earlier one: it is not the one that does the harm.
        if (entry.outcome === 'lost-update' && BigInt(entry.token) < this.#greatestToken)
          this.#stale(entry.candidate)
        break
      case 'leads':
        if (BigInt(entry.token) > this.#greatestToken) this.#greatestToken = BigInt(entry.token)
        break
    }
  }

  /** What is cut off is lost on its way: it is not held. */
  #holds({ by, purpose }: Entry<'sent'>): boolean {
    return onLease.includes(purpose) && !this.#cut.has(by) && this.#holding.delete(by)
  }

  #change(statement: number, over: Partial<Said>): void {
    const place = this.#places.get(statement)
    if (place !== undefined) this.#all[place] = { ...(this.#all[place] as Said), ...over }
  }

  /** The journal says it of the candidate: its last write of the unfenced counter did it. */
  #stale(candidate: string): void {
    const said = this.#all.findLast(
      ({ by, purpose, cql }) => by === candidate && purpose === 'unfenced-counter' && !/^select/i.test(cql),
    )
    if (said !== undefined) this.#change(said.statement, { outcome: 'stale' })
  }
}

/** For reading, not for running: each `?` becomes its parameter. */
function filled(cql: string, params: readonly string[]): string {
  let next = 0
  // One keyspace, and names that need no quotes: both would only hide what matters.
  const plain = cql
    .replace(/"?\w+"?\.(?="?\w)/g, '')
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
  return plain.replace(/\?/g, (mark) => {
    const param = params[next++]
    return param === undefined ? mark : /^-?\d+$/.test(param) || param === 'null' ? param : `'${param}'`
  })
}
