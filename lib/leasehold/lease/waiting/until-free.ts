/**
 * Waiting until a lease that another owner holds can be tried.
 *
 * 1. Read the holder at SERIAL. No holder: try.
 * 2. Sleep until the holder's expiry. In between, cheap hint reads notice an early release.
 * 3. A hint that shows no owner is put to a try. One that was refuted is not believed again for as long as that holder stays: a replica that is behind would
 *    otherwise cause a try ten times a second. A SERIAL read every ten seconds notices what such hints hide.
 * 4. At the expiry, look again: a holder that has renewed is not disturbed by a try. A hint that shows no owner is enough to try; any
 *    other one is followed by a read.
 *
 * Hints are never believed, only the conditional write decides. A waiter needs no margin for clocks: one that tries too
 * early is refused, and tries again 25 to 250 ms later.
 * Assumes: nothing of clocks.
 * Tuned by: the pause between two hints, how soon an early release is noticed; and the caller's `idleHintEveryMs`.
 */
import { elapsedMs, type Moment } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import { isQuarantine } from '../owner-mark.ts'
import { type LeaseView, readLease, remainingMs } from '../reading/lease-view.ts'
import { hintEveryMs, hintOf, idlePauseMs } from '../reading/watch.ts'

/** After the expiry, before the first try: so that waiters do not all come at once. */
const firstTryWithinMs = 20
/** After a try that was refused although the time was up. */
const nextTryAfterMs = 25
const nextTryWithinMs = 225
/** After a refusal by a mark whose time is up, or where a read shows no holder: only the coordinators' clocks differ. */
const clocksDifferMs = { after: 5, within: 25 }
/**
 * A mark's expiry is read once more when this much is left of it: a read that came across the edge of a second says one too
 * many, and a slow one shows the server's clock too late.
 */
const secondLookMs = 700
/** How long to look away from a lease whose holder could not be read. The next try says what is wrong. */
const rereadMs = 1_000
/** A holder whose hints are not believed is read again after this, in milliseconds. */
const confirmEveryMs = 10_000

/** What one waiter has learned of hints: kept from one round of its waiting to the next. */
export class HintMemory {
  #holder: string | null = null
  #refuted = new Set<string | null>()
  /** A hint that showed no owner, and was put to a try. */
  #tried: { holder: string | null } | undefined

  /** The caller tries, because a hint shows no owner in the place of `holder`. */
  tries(holder: string | null): void {
    this.#tried = { holder }
  }

  /** A SERIAL read shows this holder. The same one as before the try: the hint was wrong. */
  shows(holder: string | null): void {
    if (this.#tried !== undefined && holder !== null && this.#tried.holder === holder)
      this.refute(holder, null)
    this.#tried = undefined
  }

  /** A hint showed `shown` while `holder` still held the lease. */
  refute(holder: string | null, shown: string | null): void {
    if (this.#holder !== holder) this.#refuted = new Set()
    this.#holder = holder
    this.#refuted.add(shown)
  }

  believes(holder: string | null, shown: string | null): boolean {
    return this.#holder !== holder || !this.#refuted.has(shown)
  }
}

interface UntilFreeOptions {
  readonly leftMs: () => number
  /** How many tries were refused so far. */
  readonly refused: number
  readonly hints: HintMemory
  /** Between two hints, from a place in the queue; left out: 100 ms. */
  readonly pauseMs?: (() => number) | undefined
  /** As `HoldOptions` has it. */
  readonly idleHintEveryMs?: number | undefined
  readonly signal: AbortSignal | undefined
}

/** @returns when it is time to try, the time is over, or the signal has aborted; with the holder that was waited for */
export async function untilFree(
  context: LeaseContext,
  name: string,
  options: UntilFreeOptions,
): Promise<string | null> {
  const { store, clock, timer, random, expiries } = context
  const { leftMs, refused, hints, signal, idleHintEveryMs = hintEveryMs } = options
  const looked = clock.now()
  const pauseBetween = () =>
    options.pauseMs?.() ?? idlePauseMs(elapsedMs(looked, clock.now()), idleHintEveryMs)
  let confirmed: Moment = looked
  const read = async () => {
    const view = await readLease(store, clock, expiries, name).catch(() => undefined)
    if (view !== undefined) confirmed = clock.now()
    return view
  }
  /** Until the expiry; where the holder could not be read, until it is time to try again. */
  const untilTimeMs = (holder: LeaseView | undefined) => {
    if (holder === undefined) return rereadMs - elapsedMs(looked, clock.now())
    const untilMs = remainingMs(holder, clock.now())
    // It never expires: hints, and a read each ten seconds, tell when it goes.
    if (untilMs === null) return Number.POSITIVE_INFINITY
    // The server's clock was read half-way, as a rule. A mark's holder is not disturbed by a try that comes too early.
    return isQuarantine(holder.owner) ? untilMs - holder.read.tookMs / 2 : untilMs
  }
  let holder = await read()
  if (holder !== undefined) hints.shows(holder?.owner ?? null)
  let lookedTwice = false
  if (holder === null || holder?.owner === null) {
    // Shown as free, and refused a moment ago: without a pause the two would take turns until the later clock agrees.
    if (refused > 0) await timer.sleep(clocksDifferMs.after + clocksDifferMs.within * random(), signal)
    return null
  }
  for (;;) {
    const untilMs = untilTimeMs(holder)
    // Nothing renews a mark: when its time is up, no holder is disturbed by trying soon.
    const isMark = isQuarantine(holder?.owner)
    if (!lookedTwice && isMark && untilMs < secondLookMs) {
      lookedTwice = true
      const again = await read()
      if (again !== undefined && again?.owner !== holder?.owner) return holder?.owner ?? null
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
      untilMs <= 0 ? jitterMs : Math.min(untilMs + firstTryWithinMs * random(), pauseBetween()),
    )
    await timer.sleep(Math.max(1, pauseMs), signal)
    if (signal?.aborted || leftMs() <= 0) return holder?.owner ?? null
    if (untilTimeMs(holder) <= 0) {
      if (isMark) return holder?.owner ?? null
      if (holder === undefined) return null
      // Renewed meanwhile? Then there is no need to disturb its holder with a try. A hint takes a fraction of a read's time.
      if (hints.believes(holder.owner, null) && (await hintedOwner(context, name)) === null) {
        hints.tries(holder.owner)
        return holder.owner
      }
      const now = await read()
      if (now?.owner !== holder.owner || (remainingMs(now, clock.now()) ?? 0) <= 0) return holder.owner
      // Not by calling ourselves: a caller that waits for a month would keep a promise for every renewal.
      holder = now
      continue
    }
    if (holder === undefined) continue
    const shown = await hintedOwner(context, name)
    const believed = shown !== undefined && shown !== holder.owner && hints.believes(holder.owner, shown)
    if (!believed && elapsedMs(confirmed, clock.now()) < confirmEveryMs) continue
    if (believed && shown === null) {
      // Released, as it seems. The try decides, and saves the read before it.
      hints.tries(holder.owner)
      return holder.owner
    }
    const now = await read()
    if (now === undefined) continue
    if (now?.owner !== holder.owner) return holder.owner
    if (believed) hints.refute(holder.owner, shown)
    holder = now
  }
}

/** The owner that one replica shows, null: none; undefined: the hint failed, which is no news. */
async function hintedOwner(context: LeaseContext, name: string): Promise<string | null | undefined> {
  const hint = await hintOf(context, name)
  return hint === undefined ? undefined : (hint?.owner ?? null)
}
