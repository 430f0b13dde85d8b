/**
 * Forced releases, from the plan to its outcome.
 *
 * 1. A plan is made from a SERIAL read, and kept: its row makes it good for one act, on all instances together.
 * 2. Acting on it uses it up, by a conditional write. Where a second person is needed, it waits for one.
 * 3. to 5. Its intent is written, it is carried out, and its outcome is kept: `acts/release-acts.ts`.
 */

import { BoundedMap } from 'leasehold/lease'
import { type Clock, systemTimer, type Timer } from 'leasehold/time'
import type { AuditEvent } from '../../contract/audit.ts'
import type { LeaseRelease } from '../../contract/releases/lease-release.ts'
import type { Release, ReleaseMode } from '../../contract/releases/release.ts'
import type { PermittedSender, Sender } from '../audit/actor.ts'
import type { AuditLog } from '../audit/audit-entry.ts'
import { audited, followed, written } from '../audit/audited.ts'
import { ActSends, type BeforeSend } from '../http/act-window.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import type { Log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { answerWithinMs, ReleaseActs } from './acts/release-acts.ts'
import { AwaitingReleases } from './awaiting-releases.ts'
import type { Plan } from './plans.ts'
import { entryOf, wishOf } from './release-entry.ts'
import {
  isAwaiting,
  isSettled,
  type ReleaseRecord,
  type Report,
  releaseOf,
  releaseRow,
} from './release-record.ts'
import type { Decision, ReleaseRequest, ReleaseStore } from './release-store.ts'
import { type ApprovalServices, checkSecondPerson } from './rules/approval.ts'
import { leaseReleaseOf, shownReleases } from './rules/lease-release.ts'
import { checkMayRelease } from './rules/offers.ts'
import { PlanLimit } from './rules/plan-limit.ts'
import { notAwaitingProblem, usedProblem } from './used-plan.ts'

/** An earlier act within this time is shown as the reason for a changed holder. */
const explainsWithinMs = 10 * 60_000
/** Final releases that are kept for showing. */
const finalMax = 1_000

interface ReleasesDeps {
  store: ReleaseStore
  audit: AuditLog
  clock: Clock
  log: Log
  timer?: Timer
}

interface Wish {
  mode: ReleaseMode
  reason: string
}

export class Releases {
  readonly #store: ReleaseStore
  readonly #audit: AuditLog
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #acts: ReleaseActs
  /** Final releases, which pages of leases show repeatedly and which no longer change. */
  readonly #final = new BoundedMap<string, LeaseRelease>(finalMax)
  readonly #planLimit: PlanLimit
  readonly #awaiting: AwaitingReleases

  constructor({ store, audit, clock, log, timer = systemTimer }: ReleasesDeps) {
    this.#store = store
    this.#audit = audit
    this.#clock = clock
    this.#timer = timer
    this.#acts = new ReleaseActs({ store, audit, clock, log, timer })
    this.#planLimit = new PlanLimit(clock)
    this.#awaiting = new AwaitingReleases({ store, clock })
  }

  /** Whether this process carries it out at this moment. */
  isRunning(id: string): boolean {
    return this.#acts.isRunning(id)
  }

  /** Outcomes that are known, but neither kept nor written yet, because Cassandra is away. */
  get pending(): readonly AuditEvent[] {
    return this.#acts.pending
  }

  /** Keeps a plan, and writes its audit entry. @throws HttpProblem too-many-requests, audit-unavailable; StoreUnavailableError */
  async keep(plan: Plan, sender: Sender): Promise<void> {
    this.#planLimit.take(sender.session.username)
    await this.#store.insert(plan)
    await written(this.#audit, {
      ...entryOf(plan, sender),
      act: 'release-plan',
      phase: 'event',
      outcome: 'ok',
    })
  }

  /** The release of a plan. null: no plan of that id is known. */
  async find(id: string): Promise<Release | null> {
    const record = await this.#store.read(id)
    return record === null ? null : this.#tell(record)
  }

  /** The releases that wait for a second person, newest first. `more`: older ones may wait as well. */
  awaiting(): Promise<{ releases: Release[]; more: boolean }> {
    return this.#awaiting.list()
  }

  /** The last forced releases of a lease within a day, and those that still matter, newest first. One read by key, while none is under way. */
  async onLease(table: string, name: string): Promise<LeaseRelease[]> {
    const ids = await this.#store.recent(table, name)
    const found = await Promise.all(ids.map(async (id) => this.#final.get(id) ?? this.#onLease(id)))
    const known = found.filter((release) => release !== undefined)
    return shownReleases(known, this.#clock.now().wallMs)
  }

  async #onLease(id: string): Promise<LeaseRelease | undefined> {
    const record = await this.#store.read(id)
    if (record === null) return undefined
    const brief = leaseReleaseOf(this.#tell(record))
    // Not by the outcome alone: a release that has lapsed by this instance's clock may still be approved by another one's, and of an act
    // that has ended here another instance may keep a different outcome.
    if (brief !== undefined && isSettled(record)) this.#final.set(id, brief)
    return brief
  }

  /** The release of the same lease just before; undefined: there was none. */
  async latestOn(table: string, name: string, except?: string): Promise<Release | undefined> {
    const nowMs = this.#clock.now().wallMs
    for (const id of await this.#store.recent(table, name)) {
      const record = id === except ? null : await this.#store.read(id)
      if (record === null || record.requestedAtMs === null || record.mode === 'ask') continue
      if (record.state !== 'acting' && record.state !== 'done') continue
      if (nowMs - record.requestedAtMs > explainsWithinMs) return undefined
      const release = this.#tell(record)
      if (['pending', 'released', 'broken', 'superseded', 'unknown'].includes(release.outcome)) return release
    }
    return undefined
  }

  /**
   * Acts on a plan that was checked: uses it up, and carries it out or lets it wait for a second person.
   * @throws HttpProblem plan-used, no-effect, audit-unavailable, too-late; StoreUnavailableError: nothing was sent; StatementUnknownError: the
   * plan may be used up
   */
  async act(
    table: LeaseTable,
    record: ReleaseRecord,
    wish: Wish,
    sender: PermittedSender,
    { secondPerson }: { secondPerson: boolean },
  ): Promise<Release> {
    const { plan } = record
    if (record.state !== 'planned') throw usedProblem(this.#tell(record))
    const by = sender.session.username
    const request = { ...wish, by, atMs: this.#clock.now().wallMs }
    if (!secondPerson) {
      const { beforeSend } = new ActSends(sender.window)
      return this.#acts.carryOut(table, await this.#use(plan, 'acting', request, beforeSend), sender)
    }
    // The outcome names no version of the row: the intent of the release does, before the act.
    const after = { mode: wish.mode, requestedAt: iso(request.atMs) }
    const act = {
      ...entryOf(plan, sender),
      act: 'release-request' as const,
      reason: wish.reason,
      wanted: after,
    }
    const waiting = await audited(this.#audit, sender.window, act, async ({ beforeSend }) => ({
      after,
      result: await this.#use(plan, 'awaiting-approval', request, beforeSend),
    }))
    return this.#tell(waiting)
  }

  /**
   * A second person approves, which carries it out. The person who asked cannot.
   * @throws HttpProblem not-awaiting, no-effect, forbidden, elevation-needed, audit-unavailable, too-late
   */
  async approve(
    record: ReleaseRecord,
    table: LeaseTable,
    sender: PermittedSender,
    services: ApprovalServices,
  ): Promise<Release> {
    const { session } = sender
    const nowMs = this.#clock.now().wallMs
    if (!isAwaiting(record, nowMs)) throw notAwaitingProblem(this.#tell(record))
    if (record.requestedBy === session.username)
      throw new HttpProblem('forbidden', 'You requested this release. Another person has to approve it.')
    checkMayRelease(record.mode as ReleaseMode, session, services, nowMs, record.plan.lease)
    await checkSecondPerson(record, session.username, services, nowMs)
    const wish = wishOf(record)
    const after = { ...wish.after, decidedAt: iso(nowMs) }
    const act = {
      ...entryOf(record.plan, sender),
      act: 'approval' as const,
      reason: wish.reason,
      wanted: after,
    }
    const decision = { by: session.username, atMs: nowMs, reason: null }
    const decided = await audited(this.#audit, sender.window, act, async ({ beforeSend }) => ({
      after,
      result: await this.#decide(record, 'acting', decision, beforeSend),
    }))
    return this.#acts.carryOut(table, decided, sender)
  }

  /** A second person rejects it, or the person who asked withdraws it. @throws HttpProblem not-awaiting, no-effect, audit-unavailable, too-late */
  async reject(record: ReleaseRecord, reason: string, sender: PermittedSender): Promise<Release> {
    const atMs = this.#clock.now().wallMs
    if (!isAwaiting(record, atMs)) throw notAwaitingProblem(this.#tell(record))
    const { after } = wishOf(record)
    const act = {
      ...entryOf(record.plan, sender),
      act: 'rejection' as const,
      reason,
      wanted: after,
    }
    const decision = { by: sender.session.username, atMs, reason }
    const decided = await audited(this.#audit, sender.window, act, async ({ beforeSend }) => {
      const result = await this.#decide(record, 'rejected', decision, beforeSend)
      // Only now is the row's version known to be written: from this entry on no older version counts.
      const rows = [releaseRow(result.plan, result.version)]
      return { after, result, rows, entryWithin: this.#timer.sleep(answerWithinMs) }
    })
    return this.#tell(decided)
  }

  async read(id: string): Promise<ReleaseRecord | null> {
    return this.#store.read(id)
  }

  /** Read after the audit chain was followed to its end, so that an older row that was put back is refused. @throws HttpProblem audit-unavailable */
  async readToAct(id: string): Promise<ReleaseRecord | null> {
    await followed(this.#audit)
    return this.#store.read(id)
  }

  /** For the recovery: keeps the outcome that it found. @returns the outcome that counts: another instance may have been first */
  async settle(id: string, report: Report): Promise<Report> {
    const { record } = await this.#store.finish(id, report)
    return record?.report ?? report
  }

  /** Uses a plan up. @throws HttpProblem plan-used, no-effect */
  async #use(
    plan: Plan,
    to: 'acting' | 'awaiting-approval',
    request: ReleaseRequest,
    beforeSend: BeforeSend,
  ): Promise<ReleaseRecord> {
    const move = await this.#store
      .request(plan, to, request, beforeSend)
      .finally(() => this.#awaiting.changed())
    if (move.moved) return move.record
    throw usedProblem(move.record === null ? null : this.#tell(move.record))
  }

  /** Moves the row after the entry: the entry has what a person wanted, the row what was decided. */
  async #decide(
    record: ReleaseRecord,
    to: 'acting' | 'rejected',
    decision: Decision,
    beforeSend: BeforeSend,
  ): Promise<ReleaseRecord> {
    const move = await this.#store
      .decide(record, to, decision, beforeSend)
      .finally(() => this.#awaiting.changed())
    if (move.moved) return move.record
    throw notAwaitingProblem(this.#tell(move.record ?? record))
  }

  #tell(record: ReleaseRecord): Release {
    return releaseOf(record, this.#clock.now().wallMs, this.#acts.reportOf(record.id))
  }
}
