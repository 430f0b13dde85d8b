/** The statements of a journal, each with its answer. */
import type { Entry, JournalEntry } from '../../../contract/lab/journal.ts'
import { ownerOf } from '../../../contract/lab/owner-ids.ts'

export interface SentStatement {
  readonly number: number
  readonly by: Entry<'sent'>['by']
  readonly purpose: Entry<'sent'>['purpose']
  /** The owner id that it speaks of. null: none of this run’s. */
  readonly owner: string | null
  /** When it went to Cassandra. */
  readonly sentMs: number
  /** Infinity: no answer is in the journal. */
  readonly answeredMs: number
  /** null: no answer. */
  readonly outcome: Entry<'answered'>['outcome'] | null
  readonly found: string | null
}

/** In the order of their sending. A statement that was held back counts from when it was let go. */
export function sentStatements(entries: readonly JournalEntry[]): SentStatement[] {
  type Filled = { -readonly [K in keyof SentStatement]: SentStatement[K] }
  const all = new Map<number, Filled>()
  for (const entry of entries)
    if (entry.kind === 'sent')
      all.set(entry.statement, {
        number: entry.statement,
        by: entry.by,
        purpose: entry.purpose,
        owner: ownerOf(entry),
        sentMs: entry.atMs,
        answeredMs: Number.POSITIVE_INFINITY,
        outcome: null,
        found: null,
      })
    else if (entry.kind === 'let-go') change(all.get(entry.statement), { sentMs: entry.atMs })
    else if (entry.kind === 'answered') {
      const { outcome, found } = entry
      change(all.get(entry.statement), { answeredMs: entry.atMs, outcome, found })
    }
  return [...all.values()]
}

const change = <T extends object>(statement: T | undefined, to: Partial<T>): void => {
  if (statement !== undefined) Object.assign(statement, to)
}

/** Surely not carried out. */
export const isRefused = ({ outcome }: SentStatement): boolean =>
  outcome === 'not-applied' || outcome === 'unavailable' || outcome === 'refused'

export const ofKind = <K extends JournalEntry['kind']>(
  entries: readonly JournalEntry[],
  kind: K,
): Entry<K>[] => entries.filter((entry): entry is Entry<K> => entry.kind === kind)

/** Rounded down, as the head of the page has it: “1.3 s”; below a tenth of a second “43 ms”. */
export const secondsText = (ms: number): string =>
  ms > 0 && ms < 100 ? `${Math.max(1, Math.round(ms))} ms` : `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
