import type { Entry, EntryKind, JournalEntry, LabFault } from '../../../contract/lab/journal.ts'
import type { StoryStep } from './story.ts'

/** What a story may do to its run. */
export interface Stage {
  /** The run’s TTL, in milliseconds. */
  readonly ttlMs: number
  nowMs(): number
  /** A new candidate, or customer. @returns its id */
  join(): string
  fault(candidate: string, fault: LabFault, on: boolean, ms?: number): void
  resign(candidate: string): void
  release(mode: Entry<'act'>['mode']): void
  deadlineCheck(on: boolean): void
  /** From now on candidates wait in the order of coming. */
  waitInOrder(): void
  /** What the plain client does next. */
  plain(does: 'hold' | 'set-all' | 'release'): void
}

export interface Scenario {
  /** How many candidates join at the beginning. */
  readonly candidates: number
  readonly ttlSeconds: number
  readonly fair: boolean
  /** Customers of the bakery instead of candidates. */
  readonly isBakery?: boolean
  /** It asks, breaks or kills: not where forced releases are switched off. */
  readonly forcesReleases?: boolean
  /** In the order of `scenarioSteps`. Called once a run: what steps remember belongs to the run. */
  steps(stage: Stage): StoryStep[]
}

/** A step that waits for an entry of one kind. */
export const seen =
  <K extends EntryKind>(kind: K, fits: (entry: Entry<K>) => boolean = () => true) =>
  (entry: JournalEntry): boolean =>
    entry.kind === kind && fits(entry as Entry<K>)

/** Follows who leads, for the steps of a story. */
export class Leaders {
  /** The candidate that began to lead last. */
  now = ''
  /** The one before it. */
  before = ''

  /** Whether another candidate than the last leader leads. */
  readonly leads = seen('leads', ({ candidate }) => candidate !== this.now && this.#note(candidate))

  #note(candidate: string): boolean {
    this.before = this.now
    this.now = candidate
    return true
  }
}

/** Whether the row that a candidate left behind has expired, by the reads since. */
export function rowExpires(candidate: () => string): (entry: JournalEntry) => boolean {
  let expiryMs: number | null = null
  return (entry) => {
    if (entry.kind === 'seen') {
      if (entry.candidate !== candidate()) return expiryMs !== null
      expiryMs = entry.expiryMs
    }
    return expiryMs !== null && entry.atMs >= expiryMs
  }
}

/** Numbers of statements that fit, from `sent` to `answered`. */
export class Statements {
  readonly #numbers = new Set<number>()

  /** An answer to a statement of these, with this outcome. */
  answered(
    fits: (sent: Entry<'sent'>) => boolean,
    outcome: Entry<'answered'>['outcome'],
  ): (entry: JournalEntry) => boolean {
    return (entry) => {
      if (entry.kind === 'sent' && fits(entry)) this.#numbers.add(entry.statement)
      return entry.kind === 'answered' && this.#numbers.has(entry.statement) && entry.outcome === outcome
    }
  }
}
