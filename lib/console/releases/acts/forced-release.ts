import { isLeaseholdError, type LeaseView, StoreUnavailableError } from 'leasehold/lease'
import { type BreakStep, forcedSettleMs, type KillStep, Operator } from 'leasehold/operator'
import { type Clock, elapsedMs, type Moment, type Timer } from 'leasehold/time'
import type { Lease } from '../../../contract/leases/lease.ts'
import { quarantineValue } from '../../../contract/leases/quarantine.ts'
import type { ReleaseMode, ReleaseStep } from '../../../contract/releases/release.ts'
import { actWithinMs } from '../../audit/recovery/recovery.ts'
import type { ActWindow } from '../../http/act-window.ts'
import { iso } from '../../http/instant.ts'
import type { Log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { Plan } from '../plans.ts'
import { noReport, type Report } from '../release-record.ts'
import { killOverlapMs, longerOverlapMs } from '../rules/kill-overlap.ts'
import { findOut } from './find-out.ts'

interface ForcedReleaseDeps {
  clock: Clock
  timer: Timer
  log: Log
  /** Opened when the request was permitted. */
  window: ActWindow
}

interface Act {
  plan: Plan
  mode: ReleaseMode
  reason: string
  /** Who requested it: another person may have approved it, and so have sent it. */
  username: string
}

type Ended = Awaited<ReturnType<typeof findOut>> | { kind: 'not-sent'; error: unknown }

/** An act under way: it runs once, and reports its steps so far. */
export class ForcedRelease {
  /** Never rejects: an error is a report, too. */
  readonly done: Promise<Report>
  readonly #table: LeaseTable
  readonly #act: Act
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #log: Log
  readonly #window: ActWindow
  readonly #began: Moment
  readonly #steps: ReleaseStep[] = []
  #report: Report = noReport
  #sent: Moment | null = null

  constructor(table: LeaseTable, act: Act, { clock, timer, log, window }: ForcedReleaseDeps) {
    this.#table = table
    this.#act = act
    this.#clock = clock
    this.#timer = timer
    this.#log = log
    this.#window = window
    this.#began = clock.now()
    if (act.mode === 'kill') this.#set({ overlapMs: this.#overlapMs(act.plan.lease) })
    this.done = this.#run()
  }

  get report(): Report {
    return { ...this.#report, steps: [...this.#steps] }
  }

  async #run(): Promise<Report> {
    const ended = await this.#carryOut().catch((error: unknown): Ended => {
      // Before the step `sent`, any error is the answer. After it, *unavailable* and *refused* still prove that nothing was sent. After any
      // other error, only a read gives the outcome.
      if (
        this.#sent === null ||
        isLeaseholdError(error, 'store-unavailable') ||
        isLeaseholdError(error, 'store-refused')
      )
        return { kind: 'not-sent', error }
      this.#log.error({ id: this.#act.plan.id, error }, 'forced release: unexpected after it was sent')
      return { kind: 'unknown' }
    })
    await this.#conclude(ended.kind === 'unknown' ? await this.#findOut() : ended)
    return this.report
  }

  /**
   * The operation's time is over, and no read was final: Cassandra did not answer, or the holder still had the lease and the
   * statement could yet take effect. Only a later read gives the outcome.
   */
  async #findOut(): Promise<Ended> {
    const { mode, plan } = this.#act
    const { name } = plan.lease
    // Nothing was sent: nothing can take effect any more.
    const when = this.#sent === null ? { sentAtMs: 0 } : { sent: this.#sent }
    const act = { name, owner: plan.lease.owner as string, ...when }
    this.#set({ finalBy: null })
    this.#say('Outcome not certain yet; reading the lease until it is', false)
    for (let pauseMs = 500; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
      try {
        const found = await findOut(this.#table, mode, plan.id, act, this.#clock)
        if (found.kind !== 'unknown') {
          // The old holder is known to have lost the lease by this read, and not by an earlier step: rules/lease-release.ts.
          if (mode === 'kill') this.#say('Lease re-read at SERIAL: the outcome is certain')
          // Only what the holder does from now on is known to come after the request.
          if (found.kind === 'asked') this.#say('Request to resign read: it is written')
          return found
        }
      } catch (thrown) {
        // Another read gives the same answer; an operator has to act.
        if (!isLeaseholdError(thrown, 'store-unavailable')) return { kind: 'unknown' }
      }
      await this.#timer.sleep(pauseMs)
    }
  }

  #carryOut(): Promise<Ended> {
    const { plan, mode, username } = this.#act
    const { leases } = this.#table
    const { name } = plan.lease
    const owner = plan.lease.owner as string
    const onStep = (step: KillStep | BreakStep) => this.#onStep(step)
    switch (mode) {
      case 'kill':
        return new Operator(leases).kill({ name, owner }, onStep)
      case 'break': {
        const hasValue = this.#table.mapping.value !== null
        const note = { was: owner, by: username, at: new Date(this.#clock.now().wallMs) }
        const value = hasValue ? quarantineValue(note) : null
        return new Operator(leases).break({ name, owner }, { id: plan.id, value }, onStep)
      }
      case 'ask':
        return this.#ask(name, owner)
    }
  }

  /** A request is a plain row under the plan's id. When its answer is lost, a read shows whether it was written. */
  async #ask(name: string, owner: string): Promise<Ended> {
    const current = await this.#table.leases.read(name)
    this.#onStep({ step: 're-read', lease: current })
    if (current?.owner !== owner) return { kind: 'holder-changed', owner: current?.owner ?? null, current }
    const { plan, reason, username } = this.#act
    this.#refuseLate()
    this.#sent = this.#clock.now()
    const requestedAtMs = this.#sent.wallMs
    try {
      await this.#table.resignRequests.ask({
        id: plan.id,
        name,
        owner,
        reason,
        requestedBy: username,
        requestedAtMs,
      })
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      this.#say(thrown.message, false)
      return { kind: 'unknown' }
    }
    this.#say('Request to resign written')
    return { kind: 'asked' }
  }

  async #conclude(ended: Ended): Promise<void> {
    if (ended.kind === 'not-sent') {
      this.#log.warn({ id: this.#act.plan.id, error: ended.error }, 'forced release: nothing was sent')
      this.#say(ended.error instanceof Error ? ended.error.message : String(ended.error), false)
    }
    this.#set({ finalBy: null, ...this.#concluded(ended) })
  }

  #concluded(ended: Ended): Partial<Report> & Pick<Report, 'outcome'> {
    switch (ended.kind) {
      case 'holder-changed':
        return { outcome: 'holder-changed', overlapMs: null, ...this.#sight(ended.current) }
      case 'broken': {
        const broken = { outcome: 'broken', safeAt: iso(ended.safeAtMs) } as const
        return ended.view === null ? broken : { ...broken, ...this.#sight(ended.view) }
      }
      case 'not-broken':
      case 'not-asked':
        return { outcome: 'not-released', overlapMs: null }
      case 'not-sent':
        return { outcome: 'not-sent', overlapMs: null }
      case 'released':
        return { outcome: 'released', ...this.#sight(ended.current) }
      default:
        return { outcome: ended.kind }
    }
  }

  /**
   * A process that was stopped after its intent must not act after another one has read the lease and has written that
   * nothing was done, nor on a decision that is too old. @throws StoreUnavailableError, HttpProblem too-late
   */
  #refuseLate(): void {
    const sinceMs = elapsedMs(this.#began, this.#clock.now())
    if (sinceMs > actWithinMs)
      throw new StoreUnavailableError(
        `Nothing was sent: the request was ${Math.round(sinceMs / 1000)} s old.`,
      )
    this.#window.throwIfOver()
  }

  #set(changed: Partial<Report>): void {
    this.#report = { ...this.#report, ...changed }
  }

  /** undefined: it could not be read. */
  #sight(view: LeaseView | null | undefined): Pick<Report, 'current' | 'currentReadAt'> {
    if (view === undefined) return { current: null, currentReadAt: null }
    const now = this.#clock.now()
    return {
      current: view === null ? null : leaseJson(this.#table, view, now),
      currentReadAt: iso(now.wallMs),
    }
  }

  /** The planned holder may have renewed since the plan, for a longer TTL, or without one. */
  #widenOverlap(view: LeaseView | null): void {
    const { mode, plan } = this.#act
    if (mode !== 'kill' || view === null || view.owner !== plan.lease.owner) return
    const seenMs = this.#overlapMs(leaseJson(this.#table, view, this.#clock.now()))
    this.#set({ overlapMs: longerOverlapMs(this.#report.overlapMs, seenMs) })
  }

  #overlapMs(lease: Lease): number | null {
    return killOverlapMs(lease, this.#table.leases.context.store.paxosVariant)
  }

  #say(what: string, ok = true): void {
    this.#steps.push({ what, at: iso(this.#clock.now().wallMs), ok })
  }

  #onStep(step: KillStep | BreakStep): void {
    const now = this.#clock.now()
    const { lease } = this.#act.plan
    switch (step.step) {
      case 're-read':
        this.#widenOverlap(step.lease)
        this.#set({
          ...this.#sight(step.lease),
          renewedSincePlan:
            step.lease?.owner === lease.owner && step.lease?.version?.toString() !== lease.version,
        })
        this.#say('Holder re-read at SERIAL')
        break
      case 'sent':
        this.#refuseLate()
        this.#sent = now
        // A read from before the act does not show the row after it.
        this.#set({ current: null, currentReadAt: null, finalBy: iso(now.wallMs + forcedSettleMs) })
        this.#say(
          'ttlSeconds' in step
            ? `Quarantine of ${step.ttlSeconds} s sent, IF owner = '${lease.owner}'`
            : `Delete sent, IF owner = '${lease.owner}'`,
        )
        break
      case 'answered':
        this.#say('Cassandra answered')
        break
      case 'no-effect': {
        const { writtenAt } = leaseJson(this.#table, step.lease, now)
        // A client may have written the value earlier than the owner: that one is not dated ahead, and the act changed it.
        const isValueKept = step.lease.value === step.before.value
        const kept = isValueKept ? 'row' : 'owner'
        const gone = step.lease.value === null ? 'gone' : 'another one now'
        this.#set(this.#sight(step.lease))
        this.#say(
          `Cassandra answered “applied”, but a SERIAL read shows the ${kept} as it was: a client dated it ahead of the clocks (${writtenAt}), and nothing that is dated before can change it${isValueKept ? '' : `. Its value is ${gone}`}`,
          false,
        )
        break
      }
      case 'answer-lost':
        this.#say(step.error.message, false)
        break
      case 'read-again':
        // Many reads are one step: the last one counts.
        if (this.#steps.at(-1)?.what.startsWith('Lease re-read')) this.#steps.pop()
        this.#widenOverlap(step.lease)
        this.#set(this.#sight(step.lease))
        this.#say(`Lease re-read at SERIAL: ${step.lease === null ? 'free' : `held by ${step.lease.owner}`}`)
    }
  }
}
