/**
 * Intents without an outcome: forced releases whose process died, or lost Cassandra, between the two entries.
 *
 * 1. One instance at a time looks, elected by our own lease; every half minute, and when a process starts.
 * 2. An outcome that is kept beside the plan is the outcome: only its entry is missing.
 * 3. Else Cassandra is read at SERIAL. A mark of ours proves a break; a holder that is another one than planned was
 *    superseded. While the planned holder is still there, the act may yet take effect: it is asked again until that
 *    cannot be any more.
 *
 * Guarantees: each intent gets an outcome that is true, once Cassandra answers; nothing is sent again.
 * Does not guarantee: to tell whether a kill, or the holder itself, ended a lease that nobody holds any more: that is
 * `superseded`, and can be known by nobody.
 * Assumes: that instances' clocks differ by less than `graceMs` is longer than an act takes.
 */
import { writeTimeoutMs } from 'leasehold/cassandra'
import { isLeaseholdError, killSettleMs, type LeaseProtocol } from 'leasehold/lease'
import { type Clock, systemTimer, type Timer } from 'leasehold/time'
import type { AuditEntry, AuditEvent } from '../../contract/audit.ts'
import type { ReleaseMode } from '../../contract/release.ts'
import { serverActor } from '../actor.ts'
import type { AuditLog } from '../audit/audit-entry.ts'
import type { TableContext } from '../context.ts'
import { iso, leaseJson } from '../lease-json.ts'
import type { Log } from '../log.ts'
import { findOut } from './find-out.ts'
import { noReport, type Report } from './release-record.ts'
import type { Releases } from './releases.ts'

const everyMs = 30_000
/** After this nobody carries it out any more: the client has given up, and the pursuit is over. */
export const graceMs = writeTimeoutMs + killSettleMs + 10_000
const leaseName = 'leasehold/recovery'

export interface RecoveryDeps {
  releases: Releases
  audit: AuditLog
  tables: ReadonlyMap<string, TableContext>
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
          this.#deps.log.error({ error }, 'recovery of forced releases')
      })
      await this.#timer.sleep(everyMs, signal).catch(() => {})
    }
  }

  /** Once, if no other instance does so now. @returns ids whose outcome was written */
  async look(): Promise<string[]> {
    const { leases } = this.#deps
    const outcome = await leases.acquire(leaseName, { ttlSeconds: 60 })
    if (outcome.kind !== 'acquired') return []
    try {
      return await this.#recover()
    } finally {
      await leases.release(outcome.tenure).catch(() => {})
    }
  }

  async #recover(): Promise<string[]> {
    const { audit, releases, log } = this.#deps
    const recovered: string[] = []
    for (const intent of await audit.openIntents()) {
      if (intent.act !== 'release' || releases.isRunning(intent.id)) continue
      const report = await this.#reportOf(intent)
      if (report === null) continue
      log.warn({ id: intent.id, outcome: report.outcome }, 'forced release: outcome found out afterwards')
      recovered.push(intent.id)
    }
    return recovered
  }

  /** null: it is not known yet. */
  async #reportOf(intent: AuditEntry): Promise<Report | null> {
    const { releases, audit, clock } = this.#deps
    // The process that carries it out may be alive, and writes its outcome itself.
    if (clock.now().wallMs - Date.parse(intent.at) < graceMs) return null
    const record = await releases.read(intent.id)
    // Without a plan: a person's DELETE of somebody else's lease, which is a kill.
    const mode = record?.mode ?? 'kill'
    const isKept = record?.state === 'done' && record.report !== null
    const report = isKept ? record.report : await this.#look(intent, mode)
    if (report === null) return null
    if (record !== null) await releases.keepReport(record.id, report)
    await audit.append({
      ...eventOf(intent),
      actor: serverActor,
      phase: 'outcome',
      after: { mode, outcome: report.outcome, safeAt: report.safeAt, foundOut: 'afterwards' },
      outcome: report.outcome,
    })
    return report
  }

  async #look({ id, on, at }: AuditEntry, mode: ReleaseMode): Promise<Report | null> {
    const { tables, clock, log } = this.#deps
    const table = on.kind === 'lease' ? tables.get(on.table) : undefined
    if (table === undefined || on.kind !== 'lease' || on.owner === null) {
      log.error({ id, on }, 'a forced release cannot be followed up: its table is not configured')
      return { ...noReport, outcome: 'unknown' }
    }
    const { name, owner } = on
    const sentAtMs = Date.parse(at) + writeTimeoutMs
    const report = (outcome: Report['outcome'], more: Partial<Report> = {}): Report => ({
      ...noReport,
      ...more,
      outcome,
      steps: [
        {
          what: 'The server ended in between; found out by a SERIAL read',
          at: iso(clock.now().wallMs),
          ok: true,
        },
      ],
    })
    const seen = await table.leases.read(name)
    const now = clock.now()
    const sight = {
      current: seen === null ? null : leaseJson(table, seen, now),
      currentReadAt: iso(now.wallMs),
    }
    const found = await findOut(table, mode, id, { name, owner, sentAtMs }, clock)
    switch (found.kind) {
      case 'unknown':
        return null
      case 'broken':
        return report('broken', { ...sight, safeAt: iso(found.safeAtMs) })
      case 'not-broken':
      case 'not-asked':
        return report('not-released', sight)
      default:
        return report(found.kind, sight)
    }
  }
}

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
