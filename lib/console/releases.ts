import { writeTimeoutMs } from 'leasehold/cassandra'
import { isLeaseholdError, type KillStep, killSettleMs, type LeaseView } from 'leasehold/lease'
import { type Clock, systemTimer } from 'leasehold/time'
import type { Lease } from '../contract/lease.ts'
import type { Release, ReleaseMode, ReleaseStep } from '../contract/release.ts'
import type { TableContext } from './context.ts'
import { iso, leaseJson } from './lease-json.ts'
import type { Log } from './log.ts'
import type { Plan } from './plans.ts'

/** How long an answer waits for Cassandra before it says "not answered yet", in milliseconds. */
const answerWithinMs = 2_000
const keptForMs = 15 * 60_000
const keptAtMost = 1_000

export type ReleaseResult =
  | { kind: 'release'; release: Release }
  /** Refused: somebody else, or nobody, held it. Nothing was released. */
  | { kind: 'holder-changed'; planned: Lease; owner: string | null; current: Lease | null | undefined }

interface Act {
  plan: Plan
  mode: ReleaseMode
  reason: string
  username: string
}

/** Forced releases of this process: those under way, and those that ended within the last quarter of an hour. */
export class Releases {
  readonly #clock: Clock
  readonly #log: Log
  readonly #running = new Map<string, RunningRelease>()

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /**
   * Carries out a plan, once in this process: a second request with the same plan gets the first one's result.
   * Answers when the outcome is known, or after two seconds with `pending`; the pursuit goes on.
   * @throws StoreUnavailableError when the holder could not be re-read: nothing was sent
   */
  async carryOut(table: TableContext, act: Act): Promise<ReleaseResult> {
    const { id } = act.plan
    let running = this.#running.get(id)
    if (running === undefined) {
      this.#forget()
      running = new RunningRelease(table, act, this.#clock, this.#log)
      this.#running.set(id, running)
      const { done } = running
      done.catch(() => {
        // Nothing was sent: the plan may be tried again.
        if (!this.#running.get(id)?.wasSent) this.#running.delete(id)
      })
    }
    const first = await Promise.race([running.done, systemTimer.sleep(answerWithinMs)])
    return first ?? { kind: 'release', release: running.report() }
  }

  /** What became of one; undefined: not known here. */
  find(id: string): ReleaseResult | undefined {
    const running = this.#running.get(id)
    return running === undefined
      ? undefined
      : (running.ended ?? { kind: 'release', release: running.report() })
  }

  #forget(): void {
    const nowMs = this.#clock.now().monotonicMs
    for (const [id, running] of this.#running)
      if (
        running.ended !== undefined &&
        (nowMs - running.startedMs > keptForMs || this.#running.size >= keptAtMost)
      )
        this.#running.delete(id)
  }
}

class RunningRelease {
  readonly done: Promise<ReleaseResult>
  readonly startedMs: number
  ended: ReleaseResult | undefined
  wasSent = false
  readonly #table: TableContext
  readonly #act: Act
  readonly #clock: Clock
  readonly #log: Log
  readonly #steps: ReleaseStep[] = []
  #outcome: Release['outcome'] = 'pending'
  #renewed = false
  #current: LeaseView | null = null
  #currentReadAt: string | null = null
  #finalBy: string | null = null

  constructor(table: TableContext, act: Act, clock: Clock, log: Log) {
    this.#table = table
    this.#act = act
    this.#clock = clock
    this.#log = log
    this.startedMs = clock.now().monotonicMs
    const { plan, mode, reason, username } = act
    const facts = {
      act: 'release',
      id: plan.id,
      username,
      mode,
      reason,
      table: table.id,
      lease: plan.lease.name,
      owner: plan.lease.owner,
    }
    log.info({ ...facts, phase: 'intent' }, 'forced release: intent')
    this.done = this.#run()
    this.done.then(
      (result) => {
        this.ended = result
        const outcome = result.kind === 'release' ? result.release.outcome : result.kind
        log.info({ ...facts, phase: 'outcome', outcome }, `forced release: ${outcome}`)
      },
      (error) =>
        log.warn(
          { ...facts, phase: 'outcome', outcome: this.wasSent ? 'unknown' : 'not-sent', error },
          'forced release failed',
        ),
    )
  }

  report(): Release {
    const now = this.#clock.now()
    return {
      id: this.#act.plan.id,
      outcome: this.#outcome,
      mode: this.#act.mode,
      planned: this.#act.plan.lease,
      renewedSincePlan: this.#renewed,
      current: this.#current === null ? null : leaseJson(this.#table, this.#current, now),
      currentReadAt: this.#currentReadAt,
      steps: [...this.#steps],
      finalBy: this.#finalBy,
      now: iso(now.wallMs),
    }
  }

  async #run(): Promise<ReleaseResult> {
    const { lease } = this.#act.plan
    const owner = lease.owner as string
    const { leases } = this.#table
    const outcome = await leases
      .kill({ name: lease.name, owner }, (step) => this.#onStep(step))
      .catch((error: unknown): { kind: 'unknown' } => {
        // What is thrown before the delete was sent is the answer. After that, nothing but its outcome is.
        if (
          !this.wasSent ||
          isLeaseholdError(error, 'store-unavailable') ||
          isLeaseholdError(error, 'store-refused')
        )
          throw error
        this.#log.error(
          { id: this.#act.plan.id, error },
          'forced release: unexpected after the delete was sent',
        )
        return { kind: 'unknown' }
      })
    if (outcome.kind === 'holder-changed')
      return {
        kind: 'holder-changed',
        planned: lease,
        owner: outcome.owner,
        current: outcome.current && leaseJson(this.#table, outcome.current, this.#clock.now()),
      }
    this.#outcome = outcome.kind
    this.#finalBy = null
    if (outcome.kind === 'released') {
      // Who is next? Good to know, and not worth failing for.
      await this.#table.leases.read(lease.name).then(
        (view) => this.#saw(view),
        () => {},
      )
    }
    return { kind: 'release', release: this.report() }
  }

  #saw(view: LeaseView | null): void {
    this.#current = view
    this.#currentReadAt = iso(this.#clock.now().wallMs)
  }

  #onStep(step: KillStep): void {
    const nowMs = this.#clock.now().wallMs
    const say = (what: string, ok = true) => this.#steps.push({ what, at: iso(nowMs), ok })
    const { lease } = this.#act.plan
    switch (step.step) {
      case 're-read':
        this.#saw(step.lease)
        this.#renewed = step.lease?.owner === lease.owner && step.lease?.version?.toString() !== lease.version
        say('Holder read again at SERIAL')
        break
      case 'sent':
        this.wasSent = true
        // What was read before the act says nothing of what is there after it.
        this.#current = null
        this.#currentReadAt = null
        say(`Delete sent, IF owner = '${lease.owner}'`)
        // At the latest: the client waits for the answer, and then reads until the pursuit is over.
        this.#finalBy = iso(nowMs + writeTimeoutMs + killSettleMs)
        break
      case 'answered':
        say('Cassandra answered')
        break
      case 'answer-lost':
        say(step.error.message, false)
        this.#finalBy = iso(nowMs + killSettleMs)
        break
      case 'read-again':
        // Many reads, one line: the last one counts.
        if (this.#steps.at(-1)?.what.startsWith('Read again')) this.#steps.pop()
        this.#saw(step.lease)
        say(
          `Read again at SERIAL: ${step.lease === null ? 'nobody holds it' : `held by ${step.lease.owner}`}`,
        )
    }
  }
}
