/**
 * Follows one lease.
 *
 * 1. Read at SERIAL. Yield the lease when owner or value differ from the last read, or when the row came or went.
 * 2. Read a hint (LOCAL_ONE) every 100 ms; less often while nothing changes, where the caller allows that. One that differs from the last SERIAL read is a reason to read again, no
 *    more.
 * 3. Read at SERIAL when the expiry is due, and ten seconds after the last read whatever the hints show.
 *
 * Guarantees: every yielded state was read at SERIAL. A vacancy too is read at the expiry, never inferred from a clock.
 * Does not guarantee: to show every state; one that came and went between two reads is left out. To show renewals: they
 * change neither owner nor value, so that `expiresAtMs` and `version` are those of the yielded read.
 * Assumes: nothing of clocks; a wrong expiry costs a read too early, or one up to ten seconds late.
 * Tuned by: `hintEveryMs`, and the caller's `idleHintEveryMs`. A watch costs Cassandra the same for one listener as for many: share it.
 */
import { elapsedMs, type Moment } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import { isLeaseholdError } from '../errors.ts'
import type { LeaseHint } from '../store.ts'
import { type LeaseView, readLease, remainingMs } from './lease-view.ts'

export interface WatchOptions {
  /** Ends the watch: the iteration returns, without an error. */
  readonly signal?: AbortSignal | undefined
  /**
   * The longest time between two hint reads, in milliseconds. While nothing changes, the pause grows to a fifth of the time
   * since the last change, and no longer than this. Left out: 100.
   */
  readonly idleHintEveryMs?: number | undefined
}

/** Between two hint reads, in milliseconds. */
export const hintEveryMs = 100
/** The part of the time since the last change that a pause between hint reads may take. */
const idlePart = 1 / 5
/** The longest time between two SERIAL reads: a replica that missed a write gives no hint of it. */
const confirmEveryMs = 10_000
/** The pause after a failed read, and the time for which a hint that proved wrong causes no other read. */
const lookAwayMs = 1_000
/** Reads after the expiry spread over this time, so that watchers do not all come at once. */
const afterExpiryWithinMs = 20
/** The pause before the next read of a row that is visible after its expiry: the coordinators' clocks differ. */
const overdueAfterMs = 25
const overdueWithinMs = 225

/** The last confirmed state, and the last hint that proved wrong. */
interface Known {
  /** undefined: before the first read. */
  view: LeaseView | null | undefined
  /** When the last read was answered, or failed. */
  at: Moment
  failed: boolean
  /** When the view changed last. */
  changedAt: Moment
  /** A hint that a SERIAL read has refuted: a replica that is behind would else cause a read every 100 ms. */
  refuted: { hint: LeaseHint | null; at: Moment } | undefined
}

export async function* watchLease(
  context: LeaseContext,
  name: string,
  { signal, idleHintEveryMs = hintEveryMs }: WatchOptions = {},
): AsyncGenerator<LeaseView | null, void, void> {
  const { store, clock, expiries } = context
  const started = clock.now()
  const known: Known = { view: undefined, at: started, failed: false, changedAt: started, refuted: undefined }
  let hint: LeaseHint | null | undefined
  while (!signal?.aborted) {
    try {
      const view = await readLease(store, clock, expiries, name)
      const before = known.view
      Object.assign(known, { view, at: clock.now(), failed: false })
      if (signal?.aborted) return
      if (hint !== undefined && differs(view, hint)) known.refuted = { hint, at: clock.now() }
      if (before === undefined || differs(view, before)) {
        known.changedAt = clock.now()
        yield view
      }
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      Object.assign(known, { at: clock.now(), failed: true })
    }
    hint = await untilWorthReading(context, name, known, idleHintEveryMs, signal)
  }
}

/** Whether two states of a row differ in the columns of a hint. */
function differs(
  one: { owner: string | null; value: string | null } | null,
  other: { owner: string | null; value: string | null } | null,
): boolean {
  return one?.owner !== other?.owner || one?.value !== other?.value
}

/** Waits until it is time to read at SERIAL, or the signal aborts. @returns the hint that caused it, if one did */
async function untilWorthReading(
  context: LeaseContext,
  name: string,
  known: Known,
  idleHintEveryMs: number,
  signal: AbortSignal | undefined,
): Promise<LeaseHint | null | undefined> {
  const { clock, timer, random } = context
  const dueMs = untilDueMs(known, random)
  while (!signal?.aborted) {
    const leftMs = dueMs - elapsedMs(known.at, clock.now())
    if (leftMs <= 0) return undefined
    const pauseMs = idlePauseMs(elapsedMs(known.changedAt, clock.now()), idleHintEveryMs)
    await timer.sleep(Math.max(1, Math.min(leftMs, pauseMs)), signal)
    if (signal?.aborted || known.failed || known.view === undefined) continue
    const hint = await hintOf(context, name)
    if (hint === undefined || !differs(known.view, hint)) continue
    const { refuted } = known
    const wrongBefore = refuted !== undefined && !differs(refuted.hint, hint)
    if (!wrongBefore || elapsedMs(refuted.at, clock.now()) >= lookAwayMs) return hint
  }
  return undefined
}

/** @param idleMs since the last change */
export const idlePauseMs = (idleMs: number, idleHintEveryMs: number): number =>
  Math.max(hintEveryMs, Math.min(idleMs * idlePart, idleHintEveryMs))

/** Milliseconds from the last read until the next one is due, whatever the hints show. */
function untilDueMs({ view, at, failed }: Known, random: () => number): number {
  if (failed || view === undefined) return lookAwayMs * (0.5 + random())
  const expiresInMs = view === null ? null : remainingMs(view, at)
  if (expiresInMs === null) return confirmEveryMs
  if (expiresInMs <= 0) return overdueAfterMs + overdueWithinMs * random()
  return Math.min(confirmEveryMs, expiresInMs + afterExpiryWithinMs * random())
}

/** One hint; undefined: it failed, which is no reason to read. */
export async function hintOf({ store }: LeaseContext, name: string): Promise<LeaseHint | null | undefined> {
  try {
    return await store.hint(name)
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'store-unavailable')) return undefined
    throw thrown
  }
}
