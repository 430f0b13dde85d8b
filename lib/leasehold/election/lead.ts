/**
 * Leading again and again: the loop that most leaders are.
 *
 * 1. Campaign until this candidate leads.
 * 2. Run the work. Its leadership's signal aborts when the leadership is lost, when an operator asks it to resign, and when the
 *    caller's signal aborts. In the last two cases the lease is kept alive until the work has settled.
 * 3. Resign, when the work has settled, and so before another candidate can lead.
 * 4. Stand back, and go on at 1: after a request until another candidate has led, or for one TTL; else as long as a waiting
 *    candidate needs to come in (`lease/waiting/wait.ts`).
 *
 * It ends without an error when the caller's signal aborts, and when the leases are closed. What the work throws of its own ends
 * it, after it has resigned.
 *
 * Guarantees: the work of one `lead` never overlaps with itself, nor, as long as it ends when its signal aborts, with another
 * leader's.
 * Rides out: StoreUnavailableError, OutcomeUnknownError and LeaseLostError, while it campaigns and from the work; and any error
 * that the work throws once its signal has aborted. It resigns, and campaigns again after a pause. `onRetry` gets each of them.
 * Does not ride out: StoreRefusedError, InvalidArgumentError, and other errors of the work while it leads; nor, where `waitMs` is
 * given, LeaseHeldError, when another candidate has led for that long.
 */
import { InvalidArgumentError, isLeaseholdError, type LeaseContext, LeaseLostError } from '../lease/index.ts'
import { elapsedMs, onAbort } from '../time/index.ts'
import type { CampaignOptions, LeaderWork, LeadOptions } from './candidate.ts'
import type { Leadership } from './leadership.ts'

/** After an error that is ridden out, and after work that took less than this, on average, in milliseconds. */
const retryAfterMs = 500

interface Candidate {
  campaign(options: CampaignOptions): Promise<Leadership>
}

export async function lead(
  candidate: Candidate,
  { clock, timer, random }: LeaseContext,
  work: LeaderWork,
  { onRetry, ...options }: LeadOptions,
): Promise<void> {
  if (typeof work !== 'function') throw new InvalidArgumentError('lead needs a function to run.')
  const { signal } = options
  while (!signal?.aborted) {
    let leadership: Leadership
    try {
      leadership = await candidate.campaign({ ...options, onResignRequested: windUp })
    } catch (thrown) {
      if (signal?.aborted || isLeaseholdError(thrown, 'closed')) return
      if (!passes(thrown)) throw thrown
      onRetry?.(thrown)
      await timer.sleep(retryAfterMs * (0.5 + random()), signal)
      continue
    }
    const began = clock.now()
    const ended = await leadWith(leadership, work, signal)
    if (ended !== undefined) onRetry?.(ended.thrown)
    // Work that fails, or returns at once, must not campaign, lead and end in a tight loop.
    if (ended !== undefined || elapsedMs(began, clock.now()) < retryAfterMs)
      await timer.sleep(retryAfterMs * (0.5 + random()), signal)
  }
}

/**
 * @returns what the work threw, where it is ridden out; undefined: the work returned
 * @throws what the work throws of its own
 */
async function leadWith(
  leadership: Leadership,
  work: LeaderWork,
  signal: AbortSignal | undefined,
): Promise<{ thrown: unknown } | undefined> {
  await using led = leadership
  const forget = onAbort(signal, () => led.windUp(signal?.reason))
  try {
    // The caller may have aborted since the leadership was handed out.
    if (!signal?.aborted) await led.runs(() => work(led))
    return undefined
  } catch (thrown) {
    // Asked here, and not after the block: its end resigns, which aborts the signal too.
    if (led.signal.aborted || passes(thrown)) return { thrown }
    throw thrown
  } finally {
    forget()
  }
}

const windUp: NonNullable<CampaignOptions['onResignRequested']> = (request, leadership) => {
  const { group, owner } = leadership
  leadership.windUp(new LeaseLostError(group, owner, 'resign-requested', null, { cause: request }))
}

const passes = (thrown: unknown): boolean =>
  isLeaseholdError(thrown, 'store-unavailable') ||
  (isLeaseholdError(thrown, 'outcome-unknown') && thrown.retryable) ||
  isLeaseholdError(thrown, 'lease-lost')
