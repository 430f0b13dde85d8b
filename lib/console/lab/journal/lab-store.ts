/** Runs and their journals in Cassandra: what a permalink shows after the run has ended, or from another instance. */
import type { Executor } from 'leasehold/cassandra'
import { StoreRefusedError } from 'leasehold/lease'
import { z } from 'zod'
import { type JournalEntry, journalEntrySchema } from '../../../contract/lab/journal.ts'
import { nextTurn } from '../../http/turns/next-turn.ts'
import { type LabStatements, labStatements } from './lab-statements.ts'
import { dayOf, lastDays, type RunFacts, runFactsSchema } from './run-facts.ts'

/** How a run has ended. */
const runEndSchema = z.object({
  endedAtMs: z.number(),
  /** The step of its story; null: it had none. */
  step: z.number().nullable(),
})
export type RunEnd = z.infer<typeof runEndSchema>

export interface StoredRun {
  readonly facts: RunFacts
  /** null: it runs, or its instance died. */
  readonly ended: RunEnd | null
}

/** Of one row, at most: 500 entries of 250 bytes are 125 kB. */
export const entriesPerRow = 500
const rowsPerRead = 40
const runsPerRead = 500

/** next: the id after which the day goes on; undefined: it does not. */
interface RunsPage {
  readonly runs: StoredRun[]
  readonly next: string | undefined
}

export class LabStore {
  readonly #session: Executor
  readonly #statements: LabStatements

  constructor(session: Executor) {
    this.#session = session
    this.#statements = labStatements(session.keyspace, session.serial)
  }

  /** Written again with the same text, it is the same row. @throws StoreUnavailableError */
  async writeRun({ facts, ended }: StoredRun): Promise<void> {
    const { startedAtMs } = facts
    // The end is written over the beginning, however late that one lands, and whatever the clock said at the end.
    const atMs = ended === null ? startedAtMs : Math.max(ended.endedAtMs, startedAtMs + 1)
    const texts = [JSON.stringify(facts), ended === null ? null : JSON.stringify(ended)]
    const atMicros = BigInt(Math.floor(atMs)) * 1_000n
    await this.#session.execute(this.#statements.writeRun, [dayOf(facts.run), facts.run, ...texts, atMicros])
  }

  /** Of each day 500 at most, in no order. @throws StoreUnavailableError */
  async runs(nowMs: number): Promise<StoredRun[]> {
    const days = await Promise.all(lastDays(nowMs).map((day) => this.#runsOfDay(day, '')))
    return days.flatMap(({ runs }) => runs)
  }

  /** All whose end is not written. @throws StoreUnavailableError */
  async unended(nowMs: number): Promise<StoredRun[]> {
    const found: StoredRun[] = []
    for (const day of lastDays(nowMs))
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { runs, next }: RunsPage = await this.#runsOfDay(day, after)
        found.push(...runs.filter(({ ended }) => ended === null))
        after = next
      }
    return found
  }

  /** In the order of their ids. One row that another client wrote does not hide the runs beside it. */
  async #runsOfDay(day: number, after: string): Promise<RunsPage> {
    const params = [day, after, runsPerRead]
    const { rows } = await this.#session.execute(this.#statements.runsOfDay, params)
    const runs = rows.flatMap((row) => {
      try {
        return storedRun(row)
      } catch {
        return []
      }
    })
    return { runs, next: rows.length < runsPerRead ? undefined : String(rows.at(-1)?.run) }
  }

  /** null: there is none, or its seven days are over. @throws StoreUnavailableError */
  async run(run: string): Promise<StoredRun | null> {
    const { rows } = await this.#session.execute(this.#statements.run, [dayOf(run), run])
    return rows[0] === undefined ? null : storedRun(rows[0])
  }

  /** @param entries with consecutive numbers, `entriesPerRow` at most @throws StoreUnavailableError: write the same again */
  async writeEntries(run: string, entries: readonly JournalEntry[]): Promise<void> {
    const text = JSON.stringify(entries)
    await this.#session.execute(this.#statements.writeEntries, [run, entries[0]?.seq ?? 0, text])
  }

  /** The entries from this number on that are stored, up to a gap. @throws StoreUnavailableError */
  async entries(run: string, from: number): Promise<JournalEntry[]> {
    const all: JournalEntry[] = []
    // A row that begins before it may have it.
    let first = Math.max(0, from - entriesPerRow + 1)
    for (;;) {
      const { rows } = await this.#session.execute(this.#statements.entriesFrom, [run, first, rowsPerRead])
      for (const row of rows) {
        for (const entry of entriesIn(row)) if (entry.seq === from + all.length) all.push(entry)
        // The rows of one read are up to 5 MB of JSON: renewals of leases must not wait for all of them.
        await nextTurn()
      }
      if (rows.length < rowsPerRead) return all
      first = Number(rows.at(-1)?.first) + 1
    }
  }
}

const entriesSchema = z.array(journalEntrySchema)

const storedRun = ({ facts, ended }: Record<string, unknown>): StoredRun => ({
  facts: parsed(runFactsSchema, facts),
  ended: ended === null ? null : parsed(runEndSchema, ended),
})

const entriesIn = ({ body }: Record<string, unknown>): JournalEntry[] => parsed(entriesSchema, body)

function parsed<T>(schema: z.ZodType<T>, cell: unknown): T {
  try {
    return schema.parse(JSON.parse(String(cell)))
  } catch (cause) {
    throw new StoreRefusedError('The tables of the lab have a row that no console wrote.', { cause })
  }
}
