/**
 * The rows of forced releases: each plan is one row, which is moved from state to state by conditional writes.
 *
 * Guarantees: of any number of requests, on any number of instances, one moves a plan on from a state; so a plan is used
 * once. A lost answer is settled by the attempt id in the row: the request that finds its own id has moved the row.
 * A row that no console has sealed, or that is older than the audit chain says, is treated as missing.
 * A move counts only if the row that is read after it is this one or a newer one: Cassandra also says "applied" of a write that a
 * timestamp in the future hides.
 * Does not guarantee: that a move of an act whose outcome could not be found out (`StatementUnknownError`) did not happen. Then
 * the plan is used up, and its act was not carried out.
 */
import { randomUUID } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { isLeaseholdError, StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { systemTimer, type Timer } from 'leasehold/time'
import type { ReleaseMode } from '../../contract/releases/release.ts'
import { WithoutEffect } from '../audit/audited.ts'
import { anyTime, type BeforeSend } from '../http/act-window.ts'
import type { ReadRow, SealedRows } from '../store/sealed-rows.ts'
import type { Plan } from './plans.ts'
import {
  type Awaiting,
  emptyRow,
  type ReleaseRecord,
  type Report,
  type Row,
  readRelease,
  type Stored,
  unreportedOverlapMs,
} from './release-record.ts'
import {
  killsIn,
  recentMax,
  releaseStatements,
  rememberedValues,
  sealedColumns,
} from './release-statements.ts'
import { longerOverlapMs, mayHaveDeleted } from './rules/kill-overlap.ts'
import { withoutEffect } from './used-plan.ts'

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
type Move = { moved: true; record: ReleaseRecord } | { moved: false; record: ReleaseRecord | null }

interface ReleaseStoreDeps {
  session: CassandraSession
  rows: SealedRows
  timer?: Timer
  /** Called once an outcome is kept, by the instance that kept it; after a lost answer perhaps twice. It must not throw. */
  finished?: (record: ReleaseRecord) => void
}

interface Sending {
  readonly attempt?: string
  readonly beforeSend?: BeforeSend | undefined
  /** The error when no answer says whether the row was written. */
  readonly unanswered: (cause: unknown) => Error
}

interface SendingOne extends Sending {
  readonly attempt: string
  readonly plan: Plan
  /** Which the row gets. */
  readonly version: number
}

type State = ReleaseRecord['state']

/** Each costs a read at SERIAL. */
const awaitingMax = 100
const moveTries = 4
const pauseMs = 250

export class ReleaseStore {
  readonly #deps: ReleaseStoreDeps
  readonly #statements: ReturnType<typeof releaseStatements>
  readonly #timer: Timer

  constructor(deps: ReleaseStoreDeps) {
    this.#deps = deps
    this.#statements = releaseStatements(deps.session.keyspace, deps.session.serial)
    this.#timer = deps.timer ?? systemTimer
  }

  /** @throws StoreUnavailableError, StoreRefusedError, WithoutEffect */
  async insert(plan: Plan): Promise<void> {
    const attempt = randomUUID()
    const row: Row = { ...emptyRow, id: plan.id, state: 'planned', plan: JSON.stringify(plan), attempt }
    const values = [row.id, row.state, row.plan, attempt, 1, this.#deps.rows.again('releases', 1, row)]
    const unanswered = unavailable('Cassandra did not answer, and no plan was made. Try again.')
    await this.#send(this.#statements.insert, values, { attempt, plan, version: 1, unanswered })
  }

  /**
   * null: there is no row of that id; or no console wrote it; or it is an older version that
   * was put back. @throws StoreUnavailableError
   */
  async read(id: string): Promise<ReleaseRecord | null> {
    return (await this.#read(id))?.record ?? null
  }

  /** Uses a plan: it is acted on, or waits for a second person. @throws StatementUnknownError: it may be used up; WithoutEffect */
  async request(
    plan: Plan,
    to: 'acting' | 'awaiting-approval',
    { mode, reason, by, atMs }: ReleaseRequest,
    beforeSend = anyTime,
  ): Promise<Move> {
    // Before the move, so that a person who meets the effect of the act finds its release.
    for (const remembered of rememberedValues(plan, mode, unreportedOverlapMs({ mode, plan })))
      await this.#list(this.#statements.remember, remembered)
    // Before the move too: a release that waits is listed. A plan that does not wait is left out when the list is read.
    if (to === 'awaiting-approval')
      await this.#list(this.#statements.await, [new Date(plan.madeAtMs), plan.id])
    const changes = { mode, reason, requested_by: by, requested_at: new Date(atMs) }
    const unanswered = unknown(
      to === 'acting'
        ? 'it is unknown whether the plan was used up. It released nothing. Make a new plan.'
        : 'it is unknown whether the release waits for a second person now. It released nothing. Look at the release before you ask again.',
    )
    return this.#move(plan.id, { state: 'planned' }, to, changes, { beforeSend, unanswered })
  }

  /** Whether the row of a list was written does not matter: the plan is unused, and a second try writes the same row. */
  async #list(statement: Statement, values: unknown[]): Promise<void> {
    try {
      await this.#deps.session.execute(statement, values)
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      throw new StoreUnavailableError(
        'Cassandra did not answer, and the release was not begun. Nothing was done; try again.',
        { cause: thrown },
      )
    }
  }

  /** Approves or rejects a release that waits. @throws StatementUnknownError: it may be decided; WithoutEffect */
  async decide(
    record: ReleaseRecord,
    to: 'acting' | 'rejected',
    { by, atMs, reason }: Decision,
    beforeSend = anyTime,
  ): Promise<Move> {
    const changes = { decided_by: by, decided_at: new Date(atMs), decision_reason: reason }
    // Only the request that was read and checked, not another one of the same plan.
    const from = { state: 'awaiting-approval', attempt: record.attempt } as const
    const decided = to === 'acting' ? 'approved' : 'rejected'
    const unanswered = unknown(
      `it is unknown whether the release was ${decided}. It released nothing. Look at the release before you try again.`,
    )
    const move = await this.#move(record.id, from, to, changes, { beforeSend, unanswered })
    // The list is for showing, and its rows expire: an error here does not fail the move.
    await this.#deps.session
      .execute(this.#statements.stopAwaiting, [new Date(record.plan.madeAtMs), record.id])
      .catch(() => {})
    return move
  }

  /**
   * Keeps an outcome. A row that does not take it is as one that is gone: another client changed it.
   * @param attempt one for all calls with this outcome, used for no other: it shows that an earlier call, whose answers were
   * all lost, has moved the row
   */
  async finish(id: string, report: Report, attempt: string = randomUUID()): Promise<Move> {
    const changes = { report: JSON.stringify(report) }
    // Not an act: it is called again with the same outcome, also by a look at the release.
    const unanswered = unavailable('Cassandra did not answer: it is unknown whether the outcome is kept.')
    await this.#rememberOverlap(id, report)
    const moved = this.#move(id, { state: 'acting' }, 'done', changes, { attempt, unanswered })
    const move = await moved.catch((thrown): Move => {
      if (thrown instanceof WithoutEffect) return { moved: false, record: null }
      throw thrown
    })
    if (move.moved) this.#deps.finished?.(move.record)
    return move
  }

  /** The act may have read a longer TTL than the plan: the lease remembers the kill until the holder of before surely stopped. */
  async #rememberOverlap(id: string, { outcome, overlapMs }: Report): Promise<void> {
    if (!mayHaveDeleted(outcome)) return
    const record = await this.read(id)
    if (record === null || record.mode !== 'kill') return
    const plannedMs = unreportedOverlapMs(record)
    const longestMs = longerOverlapMs(overlapMs, plannedMs)
    if (longestMs === plannedMs) return
    for (const values of rememberedValues(record.plan, 'kill', longestMs))
      await this.#deps.session.execute(this.#statements.remember, values)
  }

  /** What was done to one lease within the last day, and kills that may still matter, newest first; 50 of each at most. */
  async recent(table: string, name: string): Promise<string[]> {
    const listed = (list: string) => this.#deps.session.execute(this.#statements.recent, [list, name])
    const { rows } = await listed(table)
    const kills = rows.length < recentMax ? [] : (await listed(killsIn(table))).rows
    return [...new Set([...rows, ...kills].map(({ id }) => String(id)))]
  }

  /** The newest that are listed as waiting, newest first. A row of the list may be left of one that waits no more. */
  async awaiting(): Promise<Awaiting> {
    const { rows } = await this.#deps.session.execute(this.#statements.awaiting, [awaitingMax + 1])
    const newest = rows.slice(0, awaitingMax)
    const records = await Promise.all(newest.map(({ id }) => this.read(String(id))))
    return { records: records.filter((record) => record !== null), more: rows.length > awaitingMax }
  }

  async #read(id: string): Promise<Stored | null> {
    const read = () => this.#readNow(id)
    return this.#deps.rows.counted(await read(), read)
  }

  async #readNow(id: string): Promise<ReadRow<Stored> | null> {
    const { rows } = await this.#deps.session.execute(this.#statements.read, [id])
    const [found] = rows
    // Its columns were written at different times, and expire one after the other.
    if (found === undefined || found.state === null || found.plan === null) return null
    return readRelease(found)
  }

  /** @param from its `attempt`: the change that made the state; left out: any */
  async #move(
    id: string,
    from: { state: State; attempt?: string | null },
    to: State,
    changes: Partial<Row>,
    { attempt = randomUUID(), beforeSend, unanswered }: Sending,
  ): Promise<Move> {
    const before = await this.#read(id)
    if (before === null) return { moved: false, record: null }
    const { state, attempt: madeBy } = before.record
    if (state === to && madeBy === attempt) return { moved: true, record: before.record }
    if (state !== from.state || (from.attempt !== undefined && madeBy !== from.attempt))
      return { moved: false, record: before.record }
    const version = before.record.version + 1
    const row: Row = { ...before.row, ...changes, state: to, attempt }
    const { id: _id, plan: _plan, ...set } = row
    const values = [
      // A column that has no value gets none: null would write a tombstone.
      ...sealedColumns.filter((column) => column in set).map((column) => row[column] ?? undefined),
      ...[version, this.#deps.rows.again('releases', version, row)],
      ...[id, state, before.record.version],
    ]
    const { plan } = before.record
    return this.#send(this.#statements.move, values, { attempt, plan, version, beforeSend, unanswered })
  }

  /** Sends a move; without an answer, sends it again: its condition does not match twice, and the attempt id in the row shows whose move it was. */
  async #send(
    statement: Statement,
    params: unknown[],
    { attempt, plan, version, beforeSend = anyTime, unanswered }: SendingOne,
  ): Promise<Move> {
    let lost: unknown
    for (let tried = 0; tried < moveTries; tried++) {
      try {
        beforeSend()
      } catch (late) {
        // No more is sent; but an earlier try may have moved the row.
        throw lost === undefined ? late : unanswered(late)
      }
      try {
        const { rows } = await this.#deps.session.execute(statement, params)
        const applied = rows[0]?.['[applied]'] === true
        // The plan may be used up now: no later error may say that it is not.
        if (applied) lost = new Error('The row could not be read after it was moved.')
        const record = (await this.#read(plan.id))?.record ?? null
        if (record?.attempt === attempt) return { moved: true, record }
        if (!applied) return { moved: false, record }
        // Another request has moved it on since.
        if (record !== null && record.version > version) return { moved: true, record }
      } catch (thrown) {
        const isUnknown = isLeaseholdError(thrown, 'statement-unknown')
        // Neither this try nor an earlier one was sent: the person may try again.
        if (!isUnknown && lost === undefined) throw thrown
        lost = thrown
        await this.#timer.sleep(pauseMs)
        continue
      }
      throw withoutEffect(plan, version)
    }
    throw unanswered(lost)
  }
}

/** For an act: it may have been done, so its answer must not be that of one that was not. */
const unknown = (says: string) => (cause: unknown) =>
  new StatementUnknownError(`Cassandra did not answer: ${says}`, 'never', { cause })

const unavailable = (says: string) => (cause: unknown) => new StoreUnavailableError(says, { cause })
