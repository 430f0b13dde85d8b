/**
 * Following one lease.
 *
 * 1. Read at SERIAL; yield it when owner or value are others than before, or when the row came or went.
 * 2. Look at a hint (LOCAL_ONE) every 100 ms. One that differs from what is known is a reason to read, no more.
 * 3. Read when the expiry is due, and ten seconds after the last read whatever the hints say.
 *
 * Guarantees: everything yielded was read at SERIAL. No vacancy is inferred from a clock: at the expiry it is read.
 * Does not guarantee: to show every state; what came and went between two looks is not seen. That it shows renewals:
 * they change neither owner nor value, so that `expiresAtMs` and `version` are those of the read that was yielded.
 * Assumes: nothing of clocks; a wrong expiry costs a read too early, or one up to ten seconds late.
 * Tuned by: `hintEveryMs`. What Cassandra is asked does not depend on how many listen to one watch: share it.
 */
import { elapsedMs, type Moment } from '../time/index.ts'
import type { LeaseContext } from './context.ts'
import { isLeaseholdError } from './errors.ts'
import { type LeaseView, readLease, remainingMs } from './lease-view.ts'
import type { LeaseHint } from './store.ts'

export interface WatchOptions {
  /** Ends it: the iteration returns, without an error. */
  readonly signal?: AbortSignal | undefined
}

/** Between two hint reads, in milliseconds. */
const hintEveryMs = 100
/** A confirmed state is read again after this, because a replica that missed a write hints at nothing. */
const confirmEveryMs = 10_000
/** After a read that the store could not answer, and before a hint that proved wrong may ask for a read again. */
const lookAwayMs = 1_000
/** Past the expiry: so that watchers do not all come at once. */
const afterExpiryWithinMs = 20
/** Until the next read when the row is still there although its time is up: the coordinators' clocks differ. */
const overdueAfterMs = 25
const overdueWithinMs = 225

/** What was last confirmed, and what to make of hints. */
interface Known {
  /** undefined: nothing was read yet. */
  view: LeaseView | null | undefined
  /** When the last answer came, or the last try failed. */
  at: Moment
  failed: boolean
  /** A hint that a read has shown to be wrong: a replica that is behind would ask for one every 100 ms. */
  refuted: { hint: LeaseHint | null; at: Moment } | undefined
}

export async function* watchLease(
  context: LeaseContext,
  name: string,
  { signal }: WatchOptions = {},
): AsyncGenerator<LeaseView | null, void, void> {
  const { store, clock, expiries } = context
  const known: Known = { view: undefined, at: clock.now(), failed: false, refuted: undefined }
  let hint: LeaseHint | null | undefined
  while (!signal?.aborted) {
    try {
      const view = await readLease(store, clock, expiries, name)
      const before = known.view
      Object.assign(known, { view, at: clock.now(), failed: false })
      if (signal?.aborted) return
      if (hint !== undefined && differs(view, hint)) known.refuted = { hint, at: clock.now() }
      if (before === undefined || differs(view, before)) yield view
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      Object.assign(known, { at: clock.now(), failed: true })
    }
    hint = await untilWorthReading(context, name, known, signal)
  }
}

/** Whether two looks at a row differ in what a hint shows. */
function differs(
  one: { owner: string | null; value: string | null } | null,
  other: { owner: string | null; value: string | null } | null,
): boolean {
  return one?.owner !== other?.owner || one?.value !== other?.value
}

/** Returns when it is time to read at SERIAL, or the signal aborts; with the hint that asked for it, if one did. */
async function untilWorthReading(
  context: LeaseContext,
  name: string,
  known: Known,
  signal: AbortSignal | undefined,
): Promise<LeaseHint | null | undefined> {
  const { clock, timer, random } = context
  const dueMs = untilDueMs(known, random)
  while (!signal?.aborted) {
    const leftMs = dueMs - elapsedMs(known.at, clock.now())
    if (leftMs <= 0) return undefined
    await timer.sleep(Math.max(1, Math.min(leftMs, hintEveryMs)), signal)
    if (signal?.aborted || known.failed || known.view === undefined) continue
    const hint = await hintOf(context, name)
    if (hint === undefined || !differs(known.view, hint)) continue
    const { refuted } = known
    const wrongBefore = refuted !== undefined && !differs(refuted.hint, hint)
    if (!wrongBefore || elapsedMs(refuted.at, clock.now()) >= lookAwayMs) return hint
  }
  return undefined
}

/** After how many milliseconds from the last read the next one is due, whatever the hints say. */
function untilDueMs({ view, at, failed }: Known, random: () => number): number {
  if (failed || view === undefined) return lookAwayMs * (0.5 + random())
  const expiresInMs = view === null ? null : remainingMs(view, at)
  if (expiresInMs === null) return confirmEveryMs
  if (expiresInMs <= 0) return overdueAfterMs + overdueWithinMs * random()
  return Math.min(confirmEveryMs, expiresInMs + afterExpiryWithinMs * random())
}

/** A cheap look; whatever goes wrong with it, it is no news: undefined. */
async function hintOf({ store }: LeaseContext, name: string): Promise<LeaseHint | null | undefined> {
  try {
    return await store.hint(name)
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'store-unavailable')) return undefined
    throw thrown
  }
}
