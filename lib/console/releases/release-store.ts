/**
 * The rows of forced releases: each plan is one row, which is moved from state to state by conditional writes.
 *
 * Guarantees: of any number of requests, on any number of instances, one moves a plan on from a state; so a plan is used
 * once. A lost answer is settled by the attempt that stands in the row: whoever finds its own has moved it.
 * Does not guarantee: that a move whose outcome could not be found out (`StoreUnavailableError`) did not happen. Then
 * the plan is used up, and nothing was done by it.
 */
import { randomUUID } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import { systemTimer, type Timer } from 'leasehold/time'
import type { ReleaseMode } from '../../contract/release.ts'
import type { Plan } from './plans.ts'
import { plannedRecord, type ReleaseRecord, type Report, recordSchema } from './release-record.ts'
import { releaseStatements } from './release-statements.ts'

export interface ReleaseRequest {
  mode: ReleaseMode
  reason: string
  by: string
  atMs: number
}

export interface Decision {
  by: string
  atMs: number
  reason: string | null
}

/** Moved by this call, or not: then the row as it is. */
export type Move = { moved: true; record: ReleaseRecord } | { moved: false; record: ReleaseRecord | null }

const moveTries = 4
const pauseMs = 250

export class ReleaseStore {
  readonly #session: CassandraSession
  readonly #statements: ReturnType<typeof releaseStatements>
  readonly #timer: Timer

  constructor(session: CassandraSession, timer: Timer = systemTimer) {
    this.#session = session
    this.#statements = releaseStatements(session.keyspace, session.serial)
    this.#timer = timer
  }

  /** @throws StoreUnavailableError, StoreRefusedError */
  async insert(plan: Plan): Promise<void> {
    const attempt = randomUUID()
    const { id, state } = plannedRecord(plan, attempt)
    await this.#move(id, attempt, this.#statements.insert, [id, state, JSON.stringify(plan), attempt])
  }

  /** null: there is none of that id, or not any more. @throws StoreUnavailableError */
  async read(id: string): Promise<ReleaseRecord | null> {
    const { rows } = await this.#session.execute(this.#statements.read, [id])
    // Its columns were written at different times, and expire one after the other.
    const isWhole = rows[0] !== undefined && rows[0].state !== null && rows[0].plan !== null
    return isWhole ? recordSchema.parse(rows[0]) : null
  }

  /** Uses a plan: it is acted on, or waits for a second person. */
  async request(
    { id, lease, madeAtMs }: Plan,
    to: 'acting' | 'awaiting-approval',
    { mode, reason, by, atMs }: ReleaseRequest,
  ): Promise<Move> {
    // The lists beside the plan are keyed by when it was made: whoever tries again writes the same row again.
    const made = new Date(madeAtMs)
    // Before the move: whoever meets the effect of the act finds out whose it was.
    await this.#session.execute(this.#statements.remember, [lease.table, lease.name, made, id])
    const attempt = randomUUID()
    const values = [to, mode, reason, by, new Date(atMs), attempt, id]
    const move = await this.#move(id, attempt, this.#statements.request, values)
    if (move.moved && to === 'awaiting-approval')
      await this.#session.execute(this.#statements.await, [made, id])
    return move
  }

  async decide(
    record: ReleaseRecord,
    to: 'acting' | 'rejected',
    { by, atMs, reason }: Decision,
  ): Promise<Move> {
    const attempt = randomUUID()
    const values = [to, by, new Date(atMs), reason, attempt, record.id]
    const move = await this.#move(record.id, attempt, this.#statements.decide, values)
    // A list for people, which forgets by itself: not worth failing for.
    await this.#session
      .execute(this.#statements.stopAwaiting, [new Date(record.plan.madeAtMs), record.id])
      .catch(() => {})
    return move
  }

  async finish(id: string, report: Report): Promise<Move> {
    const attempt = randomUUID()
    return this.#move(id, attempt, this.#statements.finish, [JSON.stringify(report), attempt, id])
  }

  /** What was done to one lease within the last day, newest first. */
  async recent(table: string, name: string): Promise<string[]> {
    const { rows } = await this.#session.execute(this.#statements.recent, [table, name])
    return rows.map(({ id }) => String(id))
  }

  async awaiting(): Promise<ReleaseRecord[]> {
    const { rows } = await this.#session.execute(this.#statements.awaiting, [])
    const records = await Promise.all(rows.map(({ id }) => this.read(String(id))))
    return records.filter((record) => record !== null)
  }

  /** Sends a move; without an answer, sends it again: its condition does not match twice, and the attempt tells whose it was. */
  async #move(id: string, attempt: string, statement: Statement, params: unknown[]): Promise<Move> {
    let lost: unknown
    for (let tried = 0; tried < moveTries; tried++) {
      try {
        const { rows } = await this.#session.execute(statement, params)
        const moved = rows[0]?.['[applied]'] === true
        // From here on the plan may be used up: no error says that it is not.
        if (moved) lost = new Error('The row could not be read after it was moved.')
        const record = await this.read(id)
        if (moved && record !== null) return { moved, record }
        return record?.attempt === attempt ? { moved: true, record } : { moved: false, record }
      } catch (thrown) {
        const isUnknown = isLeaseholdError(thrown, 'statement-unknown')
        // Nothing was sent, and nothing was before: whoever asked may try again.
        if (!isUnknown && lost === undefined) throw thrown
        lost = thrown
        await this.#timer.sleep(pauseMs)
      }
    }
    throw new StoreUnavailableError(
      'Cassandra did not answer: whether the plan was used up is not known. Nothing was released by it.',
      { cause: lost },
    )
  }
}
