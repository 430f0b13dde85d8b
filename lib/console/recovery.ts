/**
 * Intents without an outcome: acts whose process died, or lost Cassandra, between the two entries.
 *
 * 1. One instance at a time looks, elected by our own lease; every half minute, and when a process starts.
 * 2. An intent that is so old that nobody can be carrying it out any more is followed up, by whoever knows its kind of
 *    act: from what is there now, by reading. Nothing is done again.
 * 3. What was found out is written as its outcome, by the server, and says that it was found afterwards.
 *
 * Guarantees: each intent gets an outcome that is true, once Cassandra answers.
 * Does not guarantee: to tell what cannot be told any more: whether a kill or the holder itself ended a lease that nobody
 * holds now is `superseded`; whether a password was set is `unknown`.
 * Assumes: that instances' clocks differ by less than `graceMs` is longer than an act takes.
 */
import { writeTimeoutMs } from 'leasehold/cassandra'
import { isLeaseholdError, killSettleMs, type LeaseProtocol } from 'leasehold/lease'
import { type Clock, systemTimer, type Timer } from 'leasehold/time'
import type { AuditAct, AuditEntry, AuditEvent } from '../contract/audit.ts'
import { serverActor } from './actor.ts'
import type { AuditLog } from './audit/audit-entry.ts'
import type { Log } from './log.ts'

const everyMs = 30_000
/** After this nobody carries it out any more: the client has given up, and the pursuit is over. */
export const graceMs = writeTimeoutMs + killSettleMs + 10_000
const leaseName = 'leasehold/recovery'

/** What an act has come to. */
export interface FollowedUp {
  outcome: string
  after: unknown
}

/** Finds out what became of an act of its kind; null: that cannot be told yet. @throws StoreUnavailableError */
export type FollowUp = (intent: AuditEntry) => Promise<FollowedUp | null>
export type FollowUps = Partial<Record<AuditAct, FollowUp>>

export interface RecoveryDeps {
  audit: AuditLog
  followUps: FollowUps
  /** Of our own table: where the lease is that lets one instance at a time look. */
  leases: LeaseProtocol
  clock: Clock
  log: Log
  timer?: Timer
}

export class Recovery {
  readonly #deps: RecoveryDeps
  readonly #timer: Timer

  constructor(deps: RecoveryDeps) {
    this.#deps = deps
    this.#timer = deps.timer ?? systemTimer
  }

  /** Looks again and again, until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look().catch((error) => {
        // Cassandra does not answer: what is open then is open for longer.
        if (!isLeaseholdError(error, 'store-unavailable'))
          this.#deps.log.error({ error }, 'recovery of acts without an outcome')
      })
      await this.#timer.sleep(everyMs, signal).catch(() => {})
    }
  }

  /** Once, if no other instance does so now. @returns ids whose outcome was written */
  async look(): Promise<string[]> {
    const { leases, audit } = this.#deps
    const open = await audit.openIntents()
    if (open.length === 0) return []
    const outcome = await leases.acquire(leaseName, { ttlSeconds: 60 })
    if (outcome.kind !== 'acquired') return []
    try {
      // Read again: the instance before may just have written them.
      return await this.#recover(await audit.openIntents())
    } finally {
      await leases.release(outcome.tenure).catch(() => {})
    }
  }

  async #recover(open: readonly AuditEntry[]): Promise<string[]> {
    const { audit, followUps, clock, log } = this.#deps
    const recovered: string[] = []
    for (const intent of open) {
      // The process that carries it out may be alive, and writes its outcome itself.
      if (clock.now().wallMs - Date.parse(intent.at) < graceMs) continue
      const followUp = followUps[intent.act] ?? untold
      const found = await followUp(intent)
      if (found === null) continue
      log.warn({ id: intent.id, act: intent.act, outcome: found.outcome }, 'outcome found out afterwards')
      await audit.append({
        ...eventOf(intent),
        actor: serverActor,
        phase: 'outcome',
        after: { ...(found.after as object | null), foundOut: 'afterwards' },
        outcome: found.outcome,
      })
      recovered.push(intent.id)
    }
    return recovered
  }
}

const untold: FollowUp = async () => ({ outcome: 'unknown', after: null })

/** What was meant to be done, without where its entry stands in the log. */
function eventOf({
  act,
  id,
  on,
  reason,
  before,
}: AuditEntry): Pick<AuditEvent, 'act' | 'id' | 'on' | 'reason' | 'before'> {
  return { act, id, on, reason, before }
}
