/**
 * How many acts without a plan one person or one token may do that the audit log has to keep. People: taking a name of two
 * people, renewing it for less time, releasing what another holds. Programs: releasing a name of two people or in a table
 * without an owner column, and renewing such a name for less time. Each writes two entries of the chain `main`, which is
 * kept for ever, and needs no elevation: without a limit one sender in a loop could fill the log.
 *
 * Guarantees: on one instance, 600 acts of one person and 2,400 of all people in ten minutes, as with plans
 * (releases/rules/plan-limit.ts); 600 acts of one token and 2,400 of all tokens in a minute. One more is refused before
 * anything is written or done; one entry of the chain `refused` says, when that time is over, how many were refused of that
 * sender.
 * Does not guarantee: that entry, if the process is killed before. The structured log has the first refusal at once.
 */
import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from 'leasehold/time'
import type { AuditAct, AuditEvent } from '../../../contract/audit.ts'
import { tooManyRequests } from '../../http/limits/request-limits.ts'
import { Sampler } from '../../http/limits/sampler.ts'
import type { Log } from '../../http/log/log.ts'
import { actorOf, type PermittedSender } from '../actor.ts'
import type { AuditLog } from '../audit-entry.ts'

/** Of acts without a plan, and of plans: each of the two is counted by itself. */
export const actsShare = { windowMs: 600_000, perKey: 600, total: 2_400 }
/** Programs release as everyday work, and come back within a minute. */
export const programActsShare = { windowMs: 60_000, perKey: 600, total: 2_400 }

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

/** The words of a limit. */
interface Words {
  one: string
  all: string
  time: string
}

export class ActLimit {
  readonly #people: SendersLimit
  readonly #programs: SendersLimit

  constructor(options: ActLimitOptions) {
    const people = { one: 'person', all: 'people', time: 'ten minutes' }
    const programs = { one: 'token', all: 'tokens', time: 'a minute' }
    this.#people = new SendersLimit(options, actsShare, people)
    this.#programs = new SendersLimit(options, programActsShare, programs)
  }

  /** Counts one act. @throws HttpProblem too-many-requests: it must not be done */
  take(act: AuditAct, sender: PermittedSender): void {
    const limit = sender.session.role === 'client' ? this.#programs : this.#people
    limit.take(act, sender)
  }

  /** Writes what was refused so far. */
  tell(): void {
    this.#people.tell()
    this.#programs.tell()
  }
}

/** The limit of people, or of tokens. */
class SendersLimit {
  readonly #options: ActLimitOptions
  readonly #share: typeof actsShare
  readonly #words: Words
  readonly #acts: Sampler
  readonly #refused = new Map<string, Refused>()

  constructor(options: ActLimitOptions, share: typeof actsShare, words: Words) {
    this.#options = options
    this.#share = share
    this.#words = words
    this.#acts = new Sampler(options.clock, share)
  }

  take(act: AuditAct, sender: PermittedSender): void {
    if (this.#acts.admit(sender.senderKey) !== null) return
    this.#refuse(act, sender)
    const { perKey, total } = this.#share
    const { one, all, time } = this.#words
    throw tooManyRequests(
      `Too many acts without a plan that the audit log keeps: ${perKey} by one ${one}, or ${total} by all ${all}, in ${time}. Nothing was changed. Try again later.`,
      this.#acts.leftMs,
    )
  }

  tell(): void {
    const { audit } = this.#options
    const reason = `More than ${this.#share.perKey} acts without a plan in ${this.#words.time}`
    for (const refused of this.#refused.values()) audit.appendUntilWritten(eventOf(refused, reason))
    this.#refused.clear()
  }

  #refuse(act: AuditAct, sender: PermittedSender): void {
    const { clock, timer, log } = this.#options
    const { senderKey } = sender
    const { wallMs } = clock.now()
    const isFirst = this.#refused.size === 0
    const before = this.#refused.get(senderKey)
    if (before === undefined)
      log.warn(
        { requestId: sender.requestId, username: sender.session.username, act },
        `audit: too many acts of one ${this.#words.one}; refused`,
      )
    const refused = before ?? {
      actor: { ...actorOf(sender), requestId: null },
      fromMs: wallMs,
      toMs: wallMs,
      counts: new Map(),
    }
    refused.toMs = wallMs
    refused.counts.set(act, (refused.counts.get(act) ?? 0) + 1)
    this.#refused.set(senderKey, refused)
    if (isFirst) timer.after(this.#acts.leftMs, () => this.tell())
  }
}

function eventOf({ actor, fromMs, toMs, counts }: Refused, reason: string): AuditEvent {
  const iso = (ms: number) => new Date(ms).toISOString()
  const counted = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return {
    act: 'flood',
    phase: 'event',
    id: randomUUID(),
    actor,
    on: { kind: 'console' },
    reason,
    before: null,
    after: { counted, from: iso(fromMs), to: iso(toMs), acts: Object.fromEntries(counts) },
    outcome: 'refused',
  }
}
