/**
 * Observing a group: who leads it, with which value and term, and when nobody does.
 *
 * Guarantees: every observation was confirmed at SERIAL. A vacancy is a row that is not there, never a clock's inference.
 * Does not guarantee: to show every leader and every value. A state that ended before it was seen is left out; so is
 * one that ended while its term was waited for. Nor that a observation is fresh when it is taken late: a consumer that was
 * busy may first get one that was seen meanwhile, then what is there now.
 * Assumes: nothing of clocks.
 * Tuned by: `termWithinMs`.
 */
import { isLeaseholdError, type LeaseView } from '../lease/index.ts'
import { elapsedMs, type Moment } from '../time/index.ts'
import { isLed, type LedView, leaderOf, type Observation, type Watching } from './observation.ts'
import type { Term, Terms } from './terms.ts'

/** How long a leader without a term is waited for: one that counts terms writes it right after acquiring. */
const termWithinMs = 2_000
/** Between two looks at the last term; doubles up to the second. */
const firstLookAfterMs = 25
const nextLookWithinMs = 400

export async function* observeGroup(
  protocol: Watching,
  group: string,
  terms: Terms | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Observation, void, void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  if (signal?.aborted) return
  signal?.addEventListener('abort', end, { once: true })
  const views = protocol.watch(group, { signal: stop.signal })
  /** The view after the present one; asked for early only while a term is waited for, which it would cut short. */
  let ahead: Promise<IteratorResult<LeaseView | null, void>> | undefined
  let known: Term | null = null
  try {
    for (;;) {
      const next: IteratorResult<LeaseView | null, void> = await (ahead ?? views.next())
      ahead = undefined
      if (next.done || stop.signal.aborted) return
      const view = next.value
      if (terms === undefined || (isLed(view) && known?.leader === view.owner)) {
        yield observationOf(view, known)
        continue
      }
      const superseded = new AbortController()
      ahead = views.next()
      const newer = () => superseded.abort()
      ahead.then(newer, newer)
      const last = await termOf(protocol, group, terms, view, superseded.signal)
      // Something newer is there to be shown, or it is over.
      if (last === undefined) continue
      known = last
      yield observationOf(view, known)
    }
  } finally {
    signal?.removeEventListener('abort', end)
    stop.abort()
    // Not waited for: a read that is under way may take its time, and its answer changes nothing.
    ahead?.catch(() => {})
    views.return().catch(() => {})
  }
}

const observationOf = (view: LeaseView | null, last: Term | null): Observation =>
  isLed(view) ? { kind: 'leader', leader: leaderOf(view, last) } : { kind: 'vacant', last }

/**
 * The last term that has begun: for a leader, as soon as it is that leader's, or after a while whosever it is; for a
 * vacancy, the first that is heard. undefined: superseded meanwhile.
 */
async function termOf(
  { context }: Watching,
  group: string,
  terms: Terms,
  view: LeaseView | null,
  superseded: AbortSignal,
): Promise<Term | null | undefined> {
  const { clock, timer } = context
  let firstAnswer: Moment | undefined
  for (let pauseMs = firstLookAfterMs; ; pauseMs = Math.min(pauseMs * 2, nextLookWithinMs)) {
    const last = await answered(terms, group)
    if (superseded.aborted) return undefined
    if (last !== undefined) {
      firstAnswer ??= clock.now()
      if (!isLed(view) || last?.leader === (view as LedView).owner) return last
      if (elapsedMs(firstAnswer, clock.now()) >= termWithinMs) return last
    }
    await timer.sleep(pauseMs, superseded)
    if (superseded.aborted) return undefined
  }
}

/** undefined: the store is away, which says nothing; asked again. */
async function answered(terms: Terms, group: string): Promise<Term | null | undefined> {
  try {
    return await terms.last(group)
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'store-unavailable')) return undefined
    throw thrown
  }
}
