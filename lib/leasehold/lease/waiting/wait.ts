/**
 * Waiting for a lease that somebody holds.
 *
 * A waiter reads the holder at SERIAL, sleeps until its expiry, and tries. In between, cheap hint reads notice an
 * early release; hints are never believed, only the conditional write decides. A waiter needs no margin for clocks:
 * whoever tries too early is refused, and tries again 25 to 250 ms later.
 * Guarantees: a wait that is given up leaves nothing behind but, at worst, the ghost of a try whose answer was lost.
 * Does not guarantee: any order among waiters.
 * Tuned by: `hintEveryMs`, how soon an early release is noticed.
 */
import { elapsedMs } from '../../time/index.ts'
import { type AcquireOutcome, type Acquisition, acquire } from '../acquire.ts'
import type { LeaseContext } from '../context.ts'
import { isLeaseholdError } from '../errors.ts'
import { type LeaseView, readLease, remainingMs } from '../lease-view.ts'
import { isQuarantine } from '../limits.ts'
import { release } from '../release.ts'

/** Between two hint reads of one waiter, in milliseconds. */
const hintEveryMs = 100
/** After the expiry, before the first try: so that waiters do not all come at once. */
const firstTryWithinMs = 20
/** After a try that was refused although the time was up. */
const nextTryAfterMs = 25
const nextTryWithinMs = 225
/** After a refusal by a mark whose time is up, or where a read shows nobody: only the coordinators' clocks differ. */
const clocksDifferMs = { after: 5, within: 25 }
/**
 * A mark's expiry is read once more when this much is left of it: a read that came across the edge of a second says one too
 * many, and a slow one shows the server's clock too late.
 */
const secondLookMs = 700
/** After a try that ended in *unknown* or *unavailable*, on average. */
const unansweredPauseMs = 500
/** How long to look away from a lease that never expires, or whose holder could not be read. */
const rereadMs = 1_000

export interface Waiting {
  /** How long to wait at most, in milliseconds; 0: one try, Infinity: for ever. */
  readonly waitMs: number
  readonly signal?: AbortSignal
}

/**
 * Tries until the lease is acquired or the time is over. Each try has an owner id of its own, so that one which the
 * store left unanswered may be made again.
 * @returns the last outcome: *held* when the time is over
 * @throws the signal's reason, once it is aborted; as `acquire` does, *unknown* and *unavailable* once the time is over
 */
export async function acquireWaiting(
  context: LeaseContext,
  makeAcquisition: () => Acquisition,
  { waitMs, signal }: Waiting,
): Promise<AcquireOutcome> {
  const { clock, timer, random } = context
  const started = clock.now()
  const leftMs = () => waitMs - elapsedMs(started, clock.now())
  const ghosts = new Set<string>()
  for (let refused = 0; ; refused++) {
    signal?.throwIfAborted()
    const wanted = makeAcquisition()
    let outcome: AcquireOutcome
    try {
      outcome = await acquire(context, wanted)
    } catch (thrown) {
      const isUnknown = isLeaseholdError(thrown, 'outcome-unknown')
      if (leftMs() <= 0 || !(isUnknown || isLeaseholdError(thrown, 'store-unavailable'))) throw thrown
      if (isUnknown) ghosts.add(wanted.owner)
      await timer.sleep(Math.min(leftMs(), unansweredPauseMs * (0.5 + random())), signal)
      continue
    }
    if (outcome.kind === 'acquired') {
      if (!signal?.aborted) return outcome
      // Nobody is there any more to use it.
      await release(context, wanted).catch(() => {})
      throw signal.reason
    }
    if (leftMs() <= 0) return outcome
    if (outcome.owner !== null && ghosts.has(outcome.owner))
      // A try of our own that took effect unheard: nobody works under it, and it would be in the way for its TTL.
      await release(context, { name: wanted.name, owner: outcome.owner }).catch(() => {})
    else await untilFree(context, wanted.name, leftMs, refused, signal)
  }
}

/** Returns when it is time to try: the row is gone, a hint says so, or the holder's time is up. */
async function untilFree(
  context: LeaseContext,
  name: string,
  leftMs: () => number,
  refused: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, clock, timer, random, expiries } = context
  const looked = clock.now()
  /** Until the expiry; where none is known, until it is time to try again. */
  const untilTimeMs = (holder: LeaseView | undefined) => {
    const untilMs = holder && remainingMs(holder, clock.now())
    if (holder === undefined || untilMs == null) return rereadMs - elapsedMs(looked, clock.now())
    // The server's clock was read half-way, as a rule. A mark's holder is not disturbed by who comes too early.
    return isQuarantine(holder.owner) ? untilMs - holder.read.tookMs / 2 : untilMs
  }
  const read = () => readLease(store, clock, expiries, name).catch(() => undefined)
  let holder = await read()
  let lookedTwice = false
  if (holder === null || holder?.owner === null) {
    // Shown as free, and refused a moment ago: without a pause the two would take turns until the later clock agrees.
    if (refused > 0) await timer.sleep(clocksDifferMs.after + clocksDifferMs.within * random(), signal)
    return
  }
  for (;;) {
    const untilMs = untilTimeMs(holder)
    // Nobody renews a mark: when its time is up, no holder is disturbed by trying soon.
    const isMark = isQuarantine(holder?.owner)
    if (!lookedTwice && isMark && untilMs < secondLookMs) {
      lookedTwice = true
      const again = await read()
      if (again !== undefined && again?.owner !== holder?.owner) return
      holder = again ?? holder
      continue
    }
    const jitterMs =
      refused === 0
        ? firstTryWithinMs * random()
        : isMark
          ? clocksDifferMs.after + clocksDifferMs.within * random()
          : nextTryAfterMs + nextTryWithinMs * random()
    const pauseMs = Math.min(
      leftMs(),
      untilMs <= 0 ? jitterMs : Math.min(untilMs + firstTryWithinMs * random(), hintEveryMs),
    )
    await timer.sleep(Math.max(1, pauseMs), signal)
    if (signal?.aborted || leftMs() <= 0) return
    if (untilTimeMs(holder) <= 0) {
      if (isMark) return
      if (holder === undefined || remainingMs(holder, clock.now()) === null) return
      // Renewed meanwhile? Then there is no need to disturb its holder with a try.
      const now = await read()
      if (now?.owner !== holder.owner || (remainingMs(now, clock.now()) ?? 0) <= 0) return
      // Not by calling ourselves: whoever waits for a month would keep a promise for every renewal.
      holder = now
      continue
    }
    if (holder !== undefined && (await hintsAtRelease(context, holder))) return
  }
}

/** A cheap look; whatever goes wrong with it, it is no news. */
async function hintsAtRelease({ store }: LeaseContext, holder: LeaseView): Promise<boolean> {
  try {
    return ((await store.hint(holder.name))?.owner ?? null) !== holder.owner
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'store-unavailable')) return false
    throw thrown
  }
}
