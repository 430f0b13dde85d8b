/**
 * Carries out a forced release whose plan was used up. The steps go on from those of `releases.ts`:
 *
 * 3. The intent is written into the audit log. No audit, no act.
 * 4. The act, bound to the planned holder (`ForcedRelease`).
 * 5. The outcome is kept beside the plan, by a conditional write. The instance that kept it then writes it into the audit log.
 *    Both are retried until they are done.
 *
 * A process that dies between 3 and 5 leaves an intent without an outcome; the recovery finds the outcome: `follow-up.ts`.
 *
 * Does not guarantee: one entry of the outcome. A process that kept it, and loses Cassandra before it wrote the entry, writes it
 * after the recovery did. The first entry counts.
 */
import type { Clock, Timer } from 'leasehold/time'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { Release, ReleaseMode } from '../../../contract/releases/release.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { written } from '../../audit/audited.ts'
import type { Log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { entryOf, wishOf } from '../release-entry.ts'
import { noReport, type ReleaseRecord, type Report, releaseOf, releaseRow } from '../release-record.ts'
import type { ReleaseStore } from '../release-store.ts'
import { ForcedRelease } from './forced-release.ts'
import { type Kept, keepOutcome } from './keep-outcome.ts'

/** How long an answer waits for Cassandra before it says "not answered yet", in milliseconds. */
export const answerWithinMs = 2_000

const notSent: Report = { ...noReport, outcome: 'not-sent' }

interface ReleaseActsDeps {
  store: ReleaseStore
  audit: AuditLog
  clock: Clock
  timer: Timer
  log: Log
}

export class ReleaseActs {
  readonly #deps: ReleaseActsDeps
  readonly #running = new Map<string, ForcedRelease>()
  readonly #concluding = new Map<string, AuditEvent>()

  constructor(deps: ReleaseActsDeps) {
    this.#deps = deps
  }

  /** Whether this process carries the release out at this moment. */
  isRunning(id: string): boolean {
    return this.#running.has(id)
  }

  /** What is known of a release that this process carries out; undefined: it carries out none of that id. */
  reportOf(id: string): Report | undefined {
    return this.#running.get(id)?.report
  }

  /** Outcomes that are known, but neither kept nor written yet, because Cassandra is away. */
  get pending(): readonly AuditEvent[] {
    return [...this.#concluding.values()]
  }

  /**
   * Steps 3, 4 and 5. Answers after `answerWithinMs` at the latest; the act goes on.
   * @throws HttpProblem audit-unavailable, too-late: nothing was sent
   */
  async carryOut(table: LeaseTable, record: ReleaseRecord, sender: PermittedSender): Promise<Release> {
    const { audit, clock, timer, log } = this.#deps
    const { id, plan } = record
    const mode = record.mode as ReleaseMode
    const entry = { ...entryOf(plan, sender), act: 'release' as const, ...wishOf(record) }
    try {
      await written(audit, {
        ...entry,
        phase: 'intent',
        outcome: null,
        rows: [releaseRow(plan, record.version)],
      })
    } catch (thrown) {
      void this.#end(id, notSent)
      throw thrown
    }
    try {
      sender.window.throwIfOver()
    } catch (thrown) {
      const { outcome } = notSent
      const after = { mode, outcome, problem: 'too-late' }
      void this.#conclude(id, notSent, { ...entry, phase: 'outcome', after, outcome })
      throw thrown
    }
    // The reason is the requester's, and so is the name beside it. Who approved it stands in the release and in the audit log.
    const username = record.requestedBy ?? sender.session.username
    const act = { plan, mode, reason: record.reason as string, username }
    const deps = { clock, timer, log, window: sender.window }
    const running = new ForcedRelease(table, act, deps)
    this.#running.set(id, running)
    const ended = running.done.then((report) => {
      const { outcome, renewedSincePlan, safeAt, current } = report
      const after = { mode, outcome, renewedSincePlan, safeAt, holder: current?.owner ?? null }
      void this.#conclude(id, report, { ...entry, phase: 'outcome', after, outcome })
    })
    await Promise.race([ended, timer.sleep(answerWithinMs)])
    return releaseOf(record, clock.now().wallMs, running.report)
  }

  /**
   * After an outage another instance may have found an outcome before this one. The instance that moved the row writes
   * the audit entry, and the other one writes none. Where another client deleted the row, this process still writes the
   * outcome that it knows, unless the recovery has written one.
   */
  async #conclude(id: string, report: Report, event: AuditEvent): Promise<void> {
    this.#concluding.set(id, event)
    const kept = await this.#end(id, report)
    const isOurs = kept === 'this' || (kept === 'gone' && (await this.#isOpen(id)))
    this.#concluding.delete(id)
    if (isOurs) void this.#deps.audit.appendUntilWritten(event)
    else this.#deps.log.warn({ id }, 'forced release: its outcome was found out by another instance before')
    this.#running.delete(id)
  }

  /** Whether the audit log has no outcome of it. Where that cannot be read, the one that is known here is written. */
  #isOpen(id: string): Promise<boolean> {
    return this.#deps.audit.openIntents().then(
      (open) => open.some((intent) => intent.id === id),
      () => true,
    )
  }

  #end(id: string, report: Report): Promise<Kept> {
    return keepOutcome(this.#deps, id, report)
  }
}
