import { randomUUID } from 'node:crypto'
import { isLeaseholdError } from 'leasehold/lease'
import type { AuditAct, AuditEvent } from '../../contract/audit.ts'
import { ActSends, type ActWindow } from '../http/act-window.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { RowVersion } from '../store/row-versions.ts'
import type { AuditLog } from './audit-entry.ts'
import { AuditDamagedError } from './chain/end/chain-alarm.ts'

/** An act that is about to begin. Without secrets: every operator can read it, for ever. */
export interface AuditedAct {
  act: AuditAct
  actor: AuditEvent['actor']
  on: AuditEvent['on']
  reason?: string | null
  before?: unknown
  /** The intended state after the act. */
  wanted?: unknown
}

/** The result of an act. */
interface Done<T> {
  after: unknown
  result: T
  /** Default `ok`. */
  outcome?: string
  /** Sealed rows that it changed, with their new versions: an older one that is put back is refused. */
  rows?: AuditEvent['rows']
  /** The result waits for the entry of the outcome until this is over. Left out: it does not wait. */
  entryWithin?: Promise<unknown> | undefined
}

/**
 * A write that Cassandra answered as applied, and that had no effect. The rows still say what they said before, so that the entry names
 * the versions which they did not get: they give no right from then on.
 */
export class WithoutEffect extends HttpProblem {
  /** By the shape, as the name is that of each problem. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof HttpProblem && 'rows' in thrown
  }

  readonly rows: readonly RowVersion[]

  constructor(detail: string, rows: readonly RowVersion[]) {
    super('no-effect', detail)
    this.rows = rows
  }
}

/**
 * No audit, no act: writes the intent, acts, and writes what came of it; that is retried until it is written.
 * When the intent is written after the window, nothing is sent: the outcome is `too-late`. `work` looks at the window again right
 * before each of its statements, repeated ones included, by the `sends` that it gets.
 * `WithoutEffect` is the outcome `no-effect`, another problem that `work` throws `refused`. After anything else it may have been done: the intent stays
 * open, and the recovery finds out.
 * Does not guarantee: one entry of the outcome. After a long outage the recovery may have written one before; the first counts.
 * @param window opened when the request was permitted
 * @param work gives what is to be written as `after`, and the result
 * @throws HttpProblem audit-unavailable when the intent cannot be written: nothing was done; too-late: nothing
 * was done; else what `work` throws
 */
export async function audited<T>(
  audit: AuditLog,
  window: ActWindow,
  { act, actor, on, reason = null, before = null, wanted = null }: AuditedAct,
  work: (sends: ActSends) => Promise<Done<T>>,
): Promise<T> {
  const about = { act, id: randomUUID(), actor, on, reason, before }
  underWay.add(about.id)
  try {
    return await carriedOut(audit, window, about, wanted, work)
  } finally {
    underWay.delete(about.id)
  }
}

/** Acts of this process that have not ended: the recovery leaves them alone. */
const underWay = new Set<string>()
export const isUnderWay = (id: string): boolean => underWay.has(id)

async function carriedOut<T>(
  audit: AuditLog,
  window: ActWindow,
  about: Omit<AuditEvent, 'phase' | 'after' | 'outcome'>,
  wanted: unknown,
  work: (sends: ActSends) => Promise<Done<T>>,
): Promise<T> {
  await written(audit, { ...about, phase: 'intent', after: wanted, outcome: null })
  const tell = (outcome: string, after: unknown, rows?: AuditEvent['rows']) =>
    audit.appendUntilWritten({ ...about, phase: 'outcome', after, outcome, rows })
  try {
    window.throwIfOver()
    const { after, result, outcome = 'ok', rows, entryWithin } = await work(new ActSends(window))
    const told = tell(outcome, after, rows)
    if (entryWithin !== undefined) await Promise.race([told, entryWithin])
    return result
  } catch (thrown) {
    if (thrown instanceof WithoutEffect) tell(thrown.code, null, [...thrown.rows])
    else if (thrown instanceof HttpProblem)
      tell(thrown.code === 'too-late' ? 'too-late' : 'refused', { problem: thrown.code })
    throw thrown
  }
}

/**
 * Appends an entry that must be written before the caller continues. @throws HttpProblem audit-unavailable: do not
 * continue
 */
export const written = (audit: AuditLog, event: AuditEvent): Promise<unknown> =>
  orUnavailable(() => audit.append(event))

/** When this resolves, each row version that the log names is noted. @throws HttpProblem audit-unavailable */
export const followed = (audit: AuditLog): Promise<unknown> => orUnavailable(() => audit.follow())

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof AuditDamagedError)
      throw new HttpProblem(
        'audit-unavailable',
        `The audit log was changed outside this console: ${thrown.alarm.detail} (${thrown.alarm.chain}:${thrown.alarm.bucket}). Acts are refused until an operator restarts the log on the server with \`npm run audit -- restart\`; nothing was changed. docs/operations.md says what to do first.`,
      )
    const silent = ['store-unavailable', 'store-refused', 'statement-unknown'] as const
    if (!silent.some((code) => isLeaseholdError(thrown, code))) throw thrown
    throw new HttpProblem(
      'audit-unavailable',
      'The audit log is unavailable, so nothing was changed. Try again.',
    )
  }
}

/** An event without an intent: a sign-in, a refusal. */
export const auditEvent = (
  act: AuditAct,
  actor: AuditEvent['actor'],
  on: AuditEvent['on'],
  outcome: string,
  after: unknown = null,
  rows?: AuditEvent['rows'],
): AuditEvent => ({
  act,
  phase: 'event',
  id: randomUUID(),
  actor,
  on,
  reason: null,
  before: null,
  after,
  outcome,
  rows,
})
