import {
  type CanaryOutcome,
  type Finding,
  inOrder,
  type Judgement,
  judgeCanary,
  worstOf,
} from 'leasehold/doctor'
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { ClocksApart } from '../../contract/leases/cluster.ts'
import type { DoctorReport, ShownFinding } from '../../contract/leases/doctor.ts'
import { iso } from '../http/instant.ts'
import type { Log } from '../http/log/log.ts'
import type { Canaries, CanaryRun } from './canaries.ts'
import type { SchemaWatch } from './schema-watch.ts'

const passed = (outcome: CanaryOutcome | null): boolean => outcome?.kind === 'passed'
/** null: the canary broke off, and has no outcome at all. */
const provedNothing = (outcome: CanaryOutcome | null): boolean =>
  outcome === null || outcome.kind === 'unknown' || (outcome.kind === 'failed' && !outcome.isUnsafe)

interface DoctorDeps {
  readonly canaries: Canaries
  readonly schema: SchemaWatch
  /** Reads and judges the cluster and the tables. */
  readonly examine: () => Promise<Finding[]>
  /** Reads and judges the nodes' clocks alone. */
  readonly clocks: () => Promise<Judgement>
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
}

/** How long a start waits for canaries that get no answers, in milliseconds. They go on meanwhile. */
const startWaitMs = 5_000
const schemaEveryMs = 5_000
/** After a canary that proved nothing, or failed without harm. */
const againAfterMs = 30_000
/**
 * Some changes are in no schema: after an ALTER to Accord, conditional writes change when a repair ends. Half a canary is
 * eight statements a minute.
 */
const everyMs = 60_000
/** A report is shared by all who ask for it within this time. */
const freshForMs = 2_000

/**
 * Watches whether the cluster is to be believed: canaries at the start, after a change of a table's definition, in part each
 * minute, and on demand; the nodes' clocks each minute; reports on demand.
 */
export class Doctor {
  readonly #deps: DoctorDeps
  #clocksApart: ClocksApart | null = null
  #clocksReadMs = Number.NEGATIVE_INFINITY
  /** When the read of what was noted of the clocks began. */
  #clocksNotedMs = Number.NEGATIVE_INFINITY
  #examined: { atMs: number; findings: Promise<Finding[]> } | undefined

  constructor(deps: DoctorDeps) {
    this.#deps = deps
  }

  /** What every page says of the nodes' clocks, looked at each minute. null: nothing. */
  get clocksApart(): ClocksApart | null {
    return this.#clocksApart
  }

  /** Before anything is served: whether a lease has one owner is known then, unless Cassandra hardly answers. */
  async begin(): Promise<void> {
    const { canaries, schema, timer } = this.#deps
    await this.#guarded(async () => void (await schema.changed()))
    const proven = new AbortController()
    const first = this.#guarded(() => canaries.run(undefined, 'exclusion')).finally(() => proven.abort())
    await Promise.race([first, timer.sleep(startWaitMs, proven.signal)])
  }

  /** Until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    const { canaries, timer } = this.#deps
    await this.#guarded(() => this.#lookAtClocks())
    await this.#guarded(() => canaries.run(this.#trusted()))
    while (!signal.aborted) {
      await timer.sleep(schemaEveryMs, signal)
      if (signal.aborted) return
      await this.#guarded(() => this.#lookAtClocks())
      await this.#guarded(() => this.look())
    }
  }

  /**
   * Runs the canaries of tables that were changed, and again those that proved nothing, or failed without harm, some time ago;
   * of those that passed, the half that is about one owner, each minute. A table that granted a lease twice waits for a person,
   * or for another change, also when the canary after that proved nothing: one canary that passes would unlock it, and a fault
   * that comes and goes lets one pass.
   */
  async look(): Promise<void> {
    const { canaries, schema } = this.#deps
    const changed = await schema.changed()
    const unproven = this.#due(provedNothing, againAfterMs).filter((id) => !changed.includes(id))
    await Promise.all([canaries.runAfterwards(changed), canaries.run(unproven)])
    const due = this.#due(passed, everyMs)
    if (due.length > 0) await canaries.run(due, 'exclusion')
  }

  /** An answer that says nothing, because a node is silent, ends no alarm. */
  async #lookAtClocks(): Promise<void> {
    const { clock, clocks } = this.#deps
    const nowMs = clock.now().monotonicMs
    if (nowMs - this.#clocksReadMs < everyMs) return
    this.#clocksReadMs = nowMs
    this.#noteClocks(await clocks(), nowMs)
  }

  /** @param atMs when the clocks were read: an answer that took long does not replace a newer one */
  #noteClocks({ verdict, found, whatToDo }: Judgement, atMs: number): void {
    if (verdict === 'unknown' || atMs < this.#clocksNotedMs) return
    this.#clocksNotedMs = atMs
    if (verdict === 'ok') this.#clocksApart = null
    if (verdict !== 'fail') return
    const since = this.#clocksApart?.since ?? iso(this.#deps.clock.now().wallMs)
    this.#clocksApart = { since, found, whatToDo: whatToDo ?? '' }
  }

  /** The tables that the doctor may try by itself: a canary that passes unlocks a table. */
  #trusted(): string[] {
    return this.#deps.canaries.tables.filter(({ trust }) => trust.distrust === null).map(({ id }) => id)
  }

  /** The trusted tables whose last canary ended so, and that long ago. */
  #due(endedSo: (outcome: CanaryOutcome | null) => boolean, afterMs: number): string[] {
    const { canaries, clock } = this.#deps
    return this.#trusted().flatMap((id) => {
      const last = canaries.lastOf(id)
      const isOld = last === null || clock.now().monotonicMs - last.againMonotonicMs >= afterMs
      return isOld && endedSo(last?.outcome ?? null) ? [id] : []
    })
  }

  /** @throws StoreUnavailableError */
  async report(): Promise<DoctorReport> {
    const { canaries, clock } = this.#deps
    const nowMs = clock.now().monotonicMs
    if (this.#examined === undefined || nowMs - this.#examined.atMs >= freshForMs)
      this.#examined = { atMs: nowMs, findings: this.#deps.examine() }
    const { atMs, findings: reading } = this.#examined
    const examined = await reading
    for (const finding of examined) if (finding.check === 'clocks') this.#noteClocks(finding, atMs)
    const at = iso(clock.now().wallMs)
    const findings = inOrder([...canaries.tables.map(({ id }) => this.#ofCanary(id)), ...examined])
    return {
      verdict: worstOf(findings),
      findings: findings.map((finding): ShownFinding => ({ ...finding, at: this.#atOf(finding) ?? at })),
      now: at,
    }
  }

  /** Runs every canary now. @throws StoreUnavailableError */
  async runCanaries(): Promise<DoctorReport> {
    const beganMs = this.#deps.clock.now().monotonicMs
    await this.#deps.canaries.run()
    // All who asked while one canary ran share one examination too.
    if (this.#examined !== undefined && this.#examined.atMs <= beganMs) this.#examined = undefined
    return this.report()
  }

  #ofCanary(id: string): Finding {
    const last = this.#deps.canaries.lastOf(id)
    const outcome = last?.outcome ?? { kind: 'unknown' as const, found: 'it has not come to its end yet.' }
    const { found, ...judgement } = judgeCanary(outcome)
    return { check: 'canary', table: id, ...judgement, found: `${found}${shortSince(last)}` }
  }

  #atOf({ check, table }: Finding): string | null {
    const last = check === 'canary' && table !== null ? this.#deps.canaries.lastOf(table) : null
    return last === null ? null : iso(last.againAtMs)
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    await work().catch((error) => {
      if (!isLeaseholdError(error, 'closed')) this.#deps.log.error({ error }, 'the doctor')
    })
  }
}

/** What a short canary that passed adds to the whole one before it. */
function shortSince(last: CanaryRun | null): string {
  if (last === null || last.againAtMs === last.atMs) return ''
  const minutes = Math.round((last.againAtMs - last.atMs) / 60_000)
  const before = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
  return ` The last canary was a short one, and passed; the whole one ended ${before} before it.`
}
