/**
 * Work that is done at most once for a key: a job that every process of a fleet starts at each tick, and one runs.
 *
 * A lock does not do this: it separates work at the same time, and the second process runs when the first has released.
 *
 * 1. The record of `name` and `key` is acquired as a lease is, by one conditional write, for `keepSeconds`.
 * 2. Acquired: the work runs, if the record stands for `keepSeconds` from now. The record is neither renewed nor released.
 * 3. Held: another caller has recorded this key, or this one has before.
 *
 * Guarantees: for one name and key the work begins at most once within `keepSeconds`, in all processes together. The record
 * stands before the work begins.
 * Does not guarantee: that the work is done. A process that dies after the record was written leaves it undone, and work
 * that throws is not run again: make the key part of what is retried, or the work idempotent under a lock.
 * Nor that it begins after an OutcomeUnknownError: the work has not run, and no caller runs it while the record stands. A
 * record that appears late is released, so that another caller may run it then. A process that stood still after its record
 * was written throws it too, by the larger of its clocks: another caller may have run the work since, or run it too soon after.
 * Assumes: that callers who mean the same work name the same key: round the clock's time to the tick, and not down,
 * because two clocks may stand on both sides of it. That no caller comes with the key after `keepSeconds`. That operators do
 * not release the record (it is shown as a lease named `name#key`).
 */
import {
  type AcquireOutcome,
  InvalidArgumentError,
  type LeaseProtocol,
  OutcomeUnknownError,
} from '../lease/index.ts'
import { checkOptions } from '../lease/limits.ts'
import {
  type Clock,
  elapsedMs,
  maxTtlSeconds,
  minTtlSeconds,
  systemClock,
  untilDeadlineMs,
} from '../time/index.ts'

export interface OnceOptions {
  /** What the work is done once for: a tick, the id of an order. Not empty. */
  readonly key: string
  /** How long the record is kept, in whole seconds; a day unless set, a year less an hour at most. */
  readonly keepSeconds?: number | undefined
  /** Anything for others to read, up to 16 KiB, in a table with a value column. */
  readonly value?: string | undefined
}

/**
 * The key of the tick that is nearest now, for work that a fleet starts every so many seconds: an instant, ISO 8601 in UTC.
 *
 * The time is rounded, not rounded down: clocks differ, and when a timer fires at 12:00 one machine's clock may still show
 * 11:59:59.9. Rounded down, that would be the key of another tick, and the work would run twice. Clocks must agree to within
 * half a tick.
 * @param everySeconds the length of a tick, in seconds
 * @example
 * await locks.once('billing/invoice-run', { key: tickKey(60) }, () => console.log('once a minute'))
 */
export function tickKey(everySeconds: number, clock: Clock = systemClock): string {
  if (!(Number.isFinite(everySeconds) && everySeconds > 0))
    throw new InvalidArgumentError(`everySeconds is ${everySeconds}; a positive number is expected.`)
  const everyMs = everySeconds * 1_000
  return new Date(Math.round(clock.now().wallMs / everyMs) * everyMs).toISOString()
}

export type OnceOutcome<T> =
  | { kind: 'ran'; result: T }
  /** `by`: the owner id of the caller that recorded the key first; null in a table without an owner column. */
  | { kind: 'already'; by: string | null }

/** A year less an hour, in seconds. */
export const maxKeepSeconds = maxTtlSeconds - 3_600
const defaultKeepSeconds = 86_400
/** The longest wait for one answer, in milliseconds: `HttpLeaseStore`'s. */
const longestAnswerMs = 30_000

export async function once<T>(
  protocol: LeaseProtocol,
  name: string,
  options: OnceOptions,
  work: () => Promise<T> | T,
): Promise<OnceOutcome<T>> {
  if (typeof work !== 'function') throw new InvalidArgumentError('once needs a function to run.')
  checkOptions(options, ['key', 'keepSeconds', 'value'])
  const { key, keepSeconds = defaultKeepSeconds, value } = options
  if (typeof key !== 'string')
    throw new InvalidArgumentError(`The key of once is a ${typeof key}; a string is expected.`)
  if (key === '') throw new InvalidArgumentError('The key of once is empty.')
  // One record must not stand for two: the key "c" of "a#b", and the key "b#c" of "a".
  if (name.includes('#'))
    throw new InvalidArgumentError(
      `The name of once is ${JSON.stringify(name)}; "#" separates name and key, and cannot stand in the name.`,
    )
  if (!Number.isInteger(keepSeconds) || keepSeconds < minTtlSeconds || keepSeconds > maxKeepSeconds)
    throw new InvalidArgumentError(
      `keepSeconds is ${keepSeconds}; a whole number from ${minTtlSeconds} to ${maxKeepSeconds} is expected.`,
    )
  // A row of T seconds lives for T − 1 s or more, by clocks that differ; and the work may begin long after the record was
  // written: the first answer was lost, and the last one of the search shows that the record is ours.
  const foundWithinMs = longestAnswerMs + protocol.context.engine.settleMs + longestAnswerMs
  const marginSeconds = 1 + Math.ceil((2 * protocol.context.maxClockSkewMs + foundWithinMs) / 1_000)
  const record = { ttlSeconds: keepSeconds + marginSeconds, value, isRecord: true }
  const recorded: AcquireOutcome = await protocol.tryAcquire(`${name}#${key}`, record)
  if (recorded.kind === 'held') return { kind: 'already', by: recorded.owner }
  const { deadline, owner, name: recordName } = recorded.tenure
  const now = protocol.context.clock.now()
  if (untilDeadlineMs(deadline, now) < keepSeconds * 1_000)
    throw new OutcomeUnknownError(
      `${JSON.stringify(recordName)} was recorded, and ${Math.round(elapsedMs(deadline.from, now) / 1_000)} s passed before its work could begin. The work has not run here; another caller may have run it.`,
      recordName,
      owner,
    )
  return { kind: 'ran', result: await work() }
}
