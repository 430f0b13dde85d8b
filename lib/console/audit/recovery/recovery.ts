/**
 * Intents without an outcome: acts whose process died, or lost Cassandra, between the two entries.
 *
 * 1. One instance at a time looks, elected by our own lease; every half minute, and when a process starts.
 * 2. When an intent is so old that no process can still be carrying it out, the follow-up of its kind of act reads the
 *    rows and finds the outcome. No act is repeated. A break is followed up sooner: its mark proves it, and expires.
 * 3. The server writes that outcome, and that it was found afterwards. The outcome names
 *    the versions of the rows that give rights, as each outcome does (store/row-versions.ts).
 *
 * Guarantees: each intent that a console wrote with this key gets an outcome, once Cassandra answers: one that the rows prove, or
 * `unknown`. Intents that were altered, or made by another client, get none (altered-entries.ts).
 * Does not guarantee: an outcome that the rows no longer show. Whether a kill or the holder itself ended a lease that is
 * free now is `superseded`; whether a password was set is `unknown`, and so is a change of a user whom another account has changed since.
 * Nor can two acts of one person on one user within a minute be distinguished (people-follow-up.ts).
 * Assumes: an act takes less time than `graceMs` minus the largest difference between two instances' clocks.
 */
import { isLeaseholdError, type LeaseProtocol, openForMs, type Tenure } from 'leasehold/lease'
import { noTelemetry, type Telemetry } from 'leasehold/telemetry'
import { type Clock, systemTimer, type Timer, untilDeadlineMs } from 'leasehold/time'
import type { AuditAct, AuditEntry, AuditEvent } from '../../../contract/audit.ts'
import type { Log } from '../../http/log/log.ts'
import { serverActor } from '../actor.ts'
import type { AuditLog } from '../audit-entry.ts'
import { isUnderWay } from '../audited.ts'
import { defaultAppendWithinMs } from '../chain/chain-writer.ts'

const everyMs = 30_000
/** How long after its intent was written an act sends its statement at the latest, in milliseconds: forced-release.ts refuses later. */
export const actWithinMs = 15_000
/**
 * The latest time at which an act is sent, in milliseconds after the time in its intent. `audited` sends its last statement at most
 * `actAfterPermitMs` (30 s) after the request was permitted, which was before the intent. The other 25 s are for a process that stops
 * between its look at the clocks and the send, and for clocks that differ.
 */
export const actOverAfterIntentMs = defaultAppendWithinMs + actWithinMs
/** After this no process carries it out: its statement was answered or given up, and was applied or never will be. */
export const graceMs = actOverAfterIntentMs + openForMs
/** After this a release is followed up for a proof that expires: the mark of a break goes with its quarantine. */
const earlyMs = 5_000
/** An instance with less time than this under its lease starts no follow-up. */
const enoughMs = 20_000
/** When other owners hold the lease for so many rounds, the recovery does not work. */
const heldRounds = 20
const leaseName = 'leasehold/recovery'

/** The outcome of an act, as the recovery found it. */
export interface FollowedUp {
  outcome: string
  after: unknown
  /** Sealed rows that it may have changed, with the versions that they have now: an older one that is put back is refused. */
  rows?: AuditEvent['rows']
}

/**
 * Finds out what became of an act of its kind; null: not known yet. `early`: the process that began it may
 * still be at work; only a proof that expires may be reported then. @throws StoreUnavailableError
 */
export type FollowUp = (intent: AuditEntry, when: { early: boolean }) => Promise<FollowedUp | null>
export type FollowUps = Partial<Record<AuditAct, FollowUp>>

interface RecoveryDeps {
  audit: AuditLog
  followUps: FollowUps
  /** The protocol on the console's own table: its lease lets one instance at a time look. */
  leases: LeaseProtocol
  clock: Clock
  log: Log
  timer?: Timer
  telemetry?: Telemetry
}

export class Recovery {
  readonly #deps: RecoveryDeps
  readonly #timer: Timer
  #held = 0
  /** When the oldest open act is due, by the wall clock. */
  #nextDueMs = Number.POSITIVE_INFINITY

  constructor(deps: RecoveryDeps) {
    this.#deps = deps
    this.#timer = deps.timer ?? systemTimer
    deps.telemetry?.candidate(leaseName)
  }

  /** Looks repeatedly, until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look().catch((error) => {
        // Cassandra does not answer: open acts stay open for longer.
        if (!isLeaseholdError(error, 'store-unavailable'))
          this.#deps.log.error({ error }, 'recovery of acts without an outcome')
      })
      await this.#timer.sleep(this.#untilNextMs(), signal)
    }
  }

  /** Half a minute, or until the next open act is due, if that comes before. */
  #untilNextMs(): number {
    const dueInMs = this.#nextDueMs - this.#deps.clock.now().wallMs
    return dueInMs > 0 && dueInMs < everyMs ? dueInMs : everyMs
  }

  /** Once, if no other instance does so now. @returns ids whose outcome was written */
  async look(): Promise<string[]> {
    const { leases, audit, log } = this.#deps
    const open = await audit.openIntents()
    const nowMs = this.#deps.clock.now().wallMs
    const times = open.flatMap(({ at }) => [Date.parse(at) + earlyMs, Date.parse(at) + graceMs])
    this.#nextDueMs = Math.min(...times.filter((atMs) => atMs > nowMs))
    if (this.#due(open).length === 0) return []
    const outcome = await leases.tryAcquire(leaseName, { ttlSeconds: 60 })
    if (outcome.kind !== 'acquired') {
      this.#held += 1
      if (this.#held % heldRounds === 0)
        log.error({ owner: outcome.owner, lease: leaseName }, 'acts without an outcome wait for this lease')
      return []
    }
    this.#held = 0
    const { telemetry = noTelemetry, clock } = this.#deps
    const { deadline } = outcome.tenure
    let isOver = false
    telemetry.elected({
      group: leaseName,
      get held() {
        return !isOver && untilDeadlineMs(deadline, clock.now()) > 0
      },
    })
    try {
      return await this.#recover(outcome.tenure)
    } finally {
      isOver = true
      await leases.release(outcome.tenure).catch(() => {})
    }
  }

  /** One by one, each time from what is open by then: another instance, or a living act, may have written meanwhile. */
  async #recover(tenure: Tenure): Promise<string[]> {
    const { audit, followUps, clock, log } = this.#deps
    const recovered: string[] = []
    const looked = new Set<string>()
    while (untilDeadlineMs(tenure.deadline, clock.now()) > enoughMs) {
      const intent = this.#due(await audit.openIntents()).find(({ id }) => !looked.has(id))
      if (intent === undefined) break
      looked.add(intent.id)
      try {
        const early = !isOver(intent, clock.now().wallMs)
        const found = await (followUps[intent.act] ?? unknownOutcome)(intent, { early })
        if (found === null) continue
        log.warn({ id: intent.id, act: intent.act, outcome: found.outcome }, 'outcome found out afterwards')
        await audit.append({
          ...eventOf(intent),
          actor: serverActor,
          phase: 'outcome',
          after: { ...(found.after as object | null), foundOut: 'afterwards' },
          outcome: found.outcome,
          rows: found.rows,
        })
        recovered.push(intent.id)
      } catch (error) {
        // This act cannot be settled now; the others may be.
        log.error({ id: intent.id, act: intent.act, error }, 'an act could not be followed up')
      }
    }
    return recovered
  }

  /** Intents that no process carries out any more, and releases that may have left a proof. */
  #due(open: readonly AuditEntry[]): AuditEntry[] {
    const nowMs = this.#deps.clock.now().wallMs
    return open.filter((intent) => {
      const mayProve = intent.act === 'release' && nowMs - Date.parse(intent.at) >= earlyMs
      return (mayProve || isOver(intent, nowMs)) && !isUnderWay(intent.id)
    })
  }
}

const isOver = ({ at }: AuditEntry, nowMs: number): boolean => nowMs - Date.parse(at) >= graceMs

const unknownOutcome: FollowUp = async () => ({ outcome: 'unknown', after: null })

/** The intended act, without the place of its entry in the log. */
function eventOf({
  act,
  id,
  on,
  reason,
  before,
}: AuditEntry): Pick<AuditEvent, 'act' | 'id' | 'on' | 'reason' | 'before'> {
  return { act, id, on, reason, before }
}
