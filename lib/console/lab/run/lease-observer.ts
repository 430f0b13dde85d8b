/**
 * Who leads by Cassandra: the lab reads the run’s lease at SERIAL twice a second, and after each conditional write on it that was applied.
 * However many people watch, there is one such reader a run.
 */
import type { LeaseProtocol, LeaseView } from 'leasehold/lease'
import type { Timer } from 'leasehold/time'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { RunJournal } from '../journal/run-journal.ts'

const everyMs = 500
/** A read that is this much older than the last one is no measure of a clock any more. */
const forgetMs = 20_000

interface ObserverDeps {
  readonly name: string
  readonly journal: RunJournal
  readonly timer: Timer
  /** Of the lab: its statements are not in the journal, what they show is. */
  readonly leases: Pick<LeaseProtocol, 'read' | 'context'>
  failed(error: unknown): void
}

const writes: readonly string[] = ['acquire', 'renew', 'release', 'break', 'kill', 'other']

export class LeaseObserver {
  readonly #deps: ObserverDeps
  readonly #conditional = new Set<number>()
  readonly #clock = new ServerClock()
  #reading: Promise<void> | undefined
  #isWanted = false
  #last: LeaseView | null = null

  constructor(deps: ObserverDeps) {
    this.#deps = deps
  }

  /** As last read; null: no row. */
  get last(): LeaseView | null {
    return this.#last
  }

  /** Cassandra’s time, in milliseconds since the epoch, as time of the run. null: not known yet. */
  runTime(serverMs: number): number | null {
    return this.#clock.runTime(serverMs)
  }

  /** Reads until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { journal, timer } = this.#deps
    const forget = journal.listen((entry) => {
      if (this.#isWrite(entry) && !signal.aborted) void this.look()
    })
    while (!signal.aborted) {
      await this.look()
      await timer.sleep(everyMs, signal)
    }
    forget()
  }

  /** One read; a caller that comes during one gets the next one. Never rejects. */
  look(): Promise<void> {
    this.#isWanted = true
    this.#reading ??= this.#readWhileWanted()
    return this.#reading
  }

  async #readWhileWanted(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false
      await this.#read().catch(this.#deps.failed)
    }
    // Here, and not once the promise has settled: a caller between the two would join reads that are over.
    this.#reading = undefined
  }

  async #read(): Promise<void> {
    const { journal, leases, name } = this.#deps
    const sentAtMs = journal.nowMs
    const view = await leases.read(name)
    const atMs = journal.nowMs
    this.#last = view
    if (view !== null) this.#clock.add({ tookMs: atMs - sentAtMs, atMs, serverNowMs: view.read.serverNowMs })
    const owner = view?.owner ?? null
    journal.note({
      kind: 'seen',
      sentAtMs,
      candidate: owner === null ? null : candidateOf(owner),
      owner,
      value: view?.value ?? null,
      version: view?.version == null ? null : String(view.version),
      expiryMs: view?.expiresAtMs == null ? null : this.#clock.runTime(view.expiresAtMs),
    })
  }

  #isWrite(entry: JournalEntry): boolean {
    if (entry.kind === 'sent' && writes.includes(entry.purpose)) this.#conditional.add(entry.statement)
    if (entry.kind !== 'answered') return false
    return this.#conditional.delete(entry.statement) && entry.outcome === 'applied'
  }
}

/** null: no owner of this run’s candidates, such as the mark of a quarantine. */
function candidateOf(owner: string): string | null {
  const [, candidate = null] = /^(c[1-8]|plain):/.exec(owner) ?? []
  return candidate
}

interface Reading {
  readonly tookMs: number
  readonly atMs: number
  readonly serverNowMs: number
}

/**
 * Converts Cassandra’s time into the run’s. The server read its clock somewhere between the send and the answer: half-way, as a rule,
 * and the quicker the read the less it matters. So the quickest one of the last 20 s says how the two clocks differ.
 */
class ServerClock {
  /** Those that are the quickest, or will be once the ones before them are too old: from old to new, each slower than the one before. */
  readonly #quickest: Reading[] = []

  add(reading: Reading): void {
    const quickest = this.#quickest
    while ((quickest.at(-1)?.tookMs ?? Number.NEGATIVE_INFINITY) >= reading.tookMs) quickest.pop()
    quickest.push(reading)
    while (reading.atMs - (quickest[0]?.atMs ?? reading.atMs) > forgetMs) quickest.shift()
  }

  /** @param serverMs since the epoch @returns milliseconds since the run began */
  runTime(serverMs: number): number | null {
    const [best] = this.#quickest
    if (best === undefined) return null
    return serverMs - best.serverNowMs + best.atMs - best.tookMs / 2
  }
}
