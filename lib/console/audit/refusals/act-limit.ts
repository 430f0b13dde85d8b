/**
 * How many acts without a plan one person may do that the audit log has to keep: taking a name of two people, renewing it
 * for less time, releasing what the person does not hold. Each writes two entries of the chain `main`, which is kept for
 * ever, and needs no elevation: without a limit one operator in a loop could fill the log.
 *
 * Guarantees: in ten minutes, on one instance, 600 acts of one person and 2,400 of all people, as with plans
 * (releases/rules/plan-limit.ts). One more is refused before anything is written or done; one entry of the chain `refused`
 * says, when the ten minutes are over, how many were refused of that person.
 * Does not guarantee: that entry, if the process is killed before. The structured log has the first refusal at once.
 */
import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from 'leasehold/time'
import type { AuditAct, AuditEvent } from '../../../contract/audit.ts'
import { tooManyRequests } from '../../http/limits/request-limits.ts'
import { Sampler } from '../../http/limits/sampler.ts'
import type { Log } from '../../http/log/log.ts'
import { actorOf, type Sender } from '../actor.ts'
import type { AuditLog } from '../audit-entry.ts'

/** Of acts without a plan, and of plans: each of the two is counted by itself. */
export const actsShare = { windowMs: 600_000, perKey: 600, total: 2_400 }

interface ActLimitOptions {
  audit: Pick<AuditLog, 'appendUntilWritten'>
  clock: Clock
  timer: Timer
  log: Log
}

interface Refused {
  actor: AuditEvent['actor']
  fromMs: number
  toMs: number
  counts: Map<AuditAct, number>
}

export class ActLimit {
  readonly #options: ActLimitOptions
  readonly #acts: Sampler
  readonly #refused = new Map<string, Refused>()

  constructor(options: ActLimitOptions) {
    this.#options = options
    this.#acts = new Sampler(options.clock, actsShare)
  }

  /** Counts one act. @throws HttpProblem too-many-requests: it must not be done */
  take(act: AuditAct, sender: Sender): void {
    if (this.#acts.admit(sender.session.username) !== null) return
    this.#refuse(act, sender)
    throw tooManyRequests(
      `Too many acts without a plan that the audit log keeps: ${actsShare.perKey} by one person, or ${actsShare.total} by all people, in ten minutes. Nothing was changed. Try again later.`,
      this.#acts.leftMs,
    )
  }

  /** Writes what was refused so far. */
  tell(): void {
    const { audit } = this.#options
    for (const refused of this.#refused.values()) audit.appendUntilWritten(eventOf(refused))
    this.#refused.clear()
  }

  #refuse(act: AuditAct, sender: Sender): void {
    const { clock, timer, log } = this.#options
    const { username } = sender.session
    const { wallMs } = clock.now()
    const isFirst = this.#refused.size === 0
    const before = this.#refused.get(username)
    if (before === undefined) log.warn({ username, act }, 'audit: too many acts of one person; refused')
    const refused = before ?? {
      actor: { ...actorOf(sender), requestId: null },
      fromMs: wallMs,
      toMs: wallMs,
      counts: new Map(),
    }
    refused.toMs = wallMs
    refused.counts.set(act, (refused.counts.get(act) ?? 0) + 1)
    this.#refused.set(username, refused)
    if (isFirst) timer.after(this.#acts.leftMs, () => this.tell())
  }
}

function eventOf({ actor, fromMs, toMs, counts }: Refused): AuditEvent {
  const iso = (ms: number) => new Date(ms).toISOString()
  const counted = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return {
    act: 'flood',
    phase: 'event',
    id: randomUUID(),
    actor,
    on: { kind: 'console' },
    reason: `More than ${actsShare.perKey} acts without a plan in ten minutes`,
    before: null,
    after: { counted, from: iso(fromMs), to: iso(toMs), acts: Object.fromEntries(counts) },
    outcome: 'refused',
  }
}
