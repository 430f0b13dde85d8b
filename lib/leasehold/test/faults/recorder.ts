/** Records what the library is asked, what it says, and what a SERIAL read past all proxies shows right after. */
import { isLeaseholdError, type LeaseProtocol } from '../../lease/index.ts'
import type { PassingStatement } from '../../testing/index.ts'
import type {
  Arrival,
  History,
  Numbers,
  Operation,
  Report,
  Sighting,
  TermBegun,
} from '../../testing/laws/history.ts'
import { systemClock } from '../../time/index.ts'
import { arrivalOf } from './faulty-node.ts'

export const nowMs = (): number => systemClock.now().monotonicMs

interface Asked extends Pick<Operation, 'client' | 'kind' | 'name' | 'owner' | 'ttlSeconds' | 'value'> {
  readonly mark: string
}

/** An operation that is recorded by its outcome alone. */
export interface Counted {
  readonly client: string
  readonly kind: 'numbers' | 'campaign' | 'resign'
  readonly name: string
  readonly calledMs: number
  readonly returnedMs: number
  readonly outcome: 'done' | Report['kind']
  /** The error's own. */
  readonly words?: string | undefined
}

/** A read of the observer that was not answered, and the error's words. */
export interface Unread extends Pick<Sighting, 'name' | 'sentMs' | 'answeredMs'> {
  readonly words: string
}

/** One fact of a history, as it becomes known. An arrival comes when it is answered. */
export type Fact =
  | { fact: 'operation'; of: Operation }
  | { fact: 'sighting'; of: Sighting }
  | { fact: 'arrival'; of: Arrival }
  | { fact: 'numbers'; of: Numbers }
  | { fact: 'term'; of: TermBegun }
  | { fact: 'counted'; of: Counted }
  | { fact: 'unread'; of: Unread }

export class Recorder implements History {
  readonly operations: Operation[] = []
  readonly sightings: Sighting[] = []
  readonly arrivals: Arrival[] = []
  readonly numbers: Numbers[] = []
  readonly terms: TermBegun[] = []
  readonly nextFree = new Map<string, bigint>()
  /** Operations that are recorded by their count alone: of sequences and elections. */
  readonly others = { operations: 0, unknown: 0, errors: [] as string[] }
  /** Reads of the observer that Cassandra itself did not answer. */
  unread = 0
  readonly #observer: LeaseProtocol
  /** Where in `arrivals` a statement is. */
  readonly #at = new Map<PassingStatement, number>()
  readonly #written: (fact: Fact) => void
  #marks = 0

  /** @param observer on a session that passes no proxy @param written called with each fact */
  constructor(observer: LeaseProtocol, written: (fact: Fact) => void = () => {}) {
    this.#observer = observer
    this.#written = written
  }

  readonly arrives = (statement: PassingStatement): void => {
    const arrival = arrivalOf(statement, nowMs())
    if (arrival === undefined) return
    this.#at.set(statement, this.arrivals.length)
    this.arrivals.push(arrival)
  }

  readonly answered = (statement: PassingStatement): void => {
    const at = this.#at.get(statement)
    if (at === undefined) return
    this.#at.delete(statement)
    const arrival = { ...(this.arrivals[at] as Arrival), answeredMs: nowMs() }
    this.arrivals[at] = arrival
    this.#written({ fact: 'arrival', of: arrival })
  }

  /** Those that no node has answered. */
  get unanswered(): Arrival[] {
    return [...this.#at.values()].map((at) => this.arrivals[at] as Arrival)
  }

  mark(of: string): string {
    return `${of}${++this.#marks}`
  }

  /** Records one operation, and looks. `owner`: of an acquisition that was made. */
  async ask(asked: Asked, call: () => Promise<{ report: Report; owner?: string }>): Promise<Report> {
    const calledMs = nowMs()
    let { owner } = asked
    let report: Report
    try {
      const told = await call()
      owner = told.owner ?? owner
      report = told.report
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'outcome-unknown')) owner ??= thrown.owner
      report = reportOf(thrown)
    }
    this.tell({ ...asked, owner, calledMs, returnedMs: nowMs(), report })
    await this.look(asked.name)
    return report
  }

  tell(operation: Operation): void {
    this.operations.push(operation)
    this.#written({ fact: 'operation', of: operation })
  }

  give(numbers: Numbers): void {
    this.numbers.push(numbers)
    this.#written({ fact: 'numbers', of: numbers })
  }

  begin(term: TermBegun): void {
    this.terms.push(term)
    this.#written({ fact: 'term', of: term })
  }

  /** Records an operation by its outcome. @returns undefined when it was not known, or could not be had */
  async count<T>(
    asked: Pick<Counted, 'client' | 'kind' | 'name'>,
    call: () => Promise<T>,
  ): Promise<T | undefined> {
    const calledMs = nowMs()
    const counted = (outcome: Counted['outcome'], words?: string) =>
      this.#written({ fact: 'counted', of: { ...asked, calledMs, returnedMs: nowMs(), outcome, words } })
    this.others.operations++
    try {
      const had = await call()
      counted('done')
      return had
    } catch (thrown) {
      const report = reportOf(thrown)
      if (report.kind === 'outcome-unknown') this.others.unknown++
      else if (report.kind === 'error') this.others.errors.push(report.words)
      counted(report.kind, 'words' in report ? report.words : undefined)
      return undefined
    }
  }

  async look(name: string): Promise<void> {
    const sentMs = nowMs()
    try {
      const view = await this.#observer.read(name)
      const { owner = null, value = null, version = null } = view ?? {}
      const of = { name, owner, value, version, sentMs, answeredMs: nowMs() }
      this.sightings.push(of)
      this.#written({ fact: 'sighting', of })
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      this.unread++
      const words = wordsOf(thrown)
      this.#written({ fact: 'unread', of: { name, sentMs, answeredMs: nowMs(), words } })
    }
  }
}

function reportOf(thrown: unknown): Report {
  for (const kind of ['outcome-unknown', 'store-unavailable'] as const)
    if (isLeaseholdError(thrown, kind)) return { kind, words: wordsOf(thrown) }
  if (isLeaseholdError(thrown, 'lease-lost'))
    return { kind: 'lost', why: thrown.reason, owner: thrown.holder }
  if (isLeaseholdError(thrown, 'lease-held')) return { kind: 'held', owner: thrown.holder }
  return { kind: 'error', words: String(thrown) }
}

/** An error's message, and what lies behind it: the driver's error, or the fetch that failed. */
const wordsOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message} ${wordsOf(cause)}` : message
