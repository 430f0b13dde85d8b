/**
 * Observes a group: its leader, with value and term, and its vacancies.
 *
 * Guarantees: every observation was read at SERIAL. A vacancy is a missing row, never an inference from a clock.
 * Does not guarantee: to show every leader and every value. A state that ended before the observer read it is left out,
 * and so is one that ended while the observer waited for its term. To be fresh: a consumer that was busy may first get
 * an observation from that time, and then the present one.
 * Assumes: nothing of clocks.
 * Tuned by: `termWithinMs`.
 */
import { isLeaseholdError, type LeaseView } from '../lease/index.ts'
import { elapsedMs, type Moment, onAbort } from '../time/index.ts'
import { isLed, leaderOf, type Observation, type Watching } from './observation.ts'
import type { Term, Terms } from './terms.ts'

/**
 * How long to wait for a leader's term, over all views of that leader: a leader that counts terms begins one right after
 * acquiring. After that each view is shown with the first answer, so that a leader without terms is shown as it changes.
 * A leader that changes faster than the store answers is shown too: an answer counts for the next view of that leader.
 */
const termWithinMs = 2_000
/** The pause between two reads of the last term; it doubles up to `nextLookWithinMs`. */
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
  const forget = onAbort(signal, end)
  const views = protocol.watch(group, { signal: stop.signal })
  /** The next view. While the observer waits for a term it asks for the next view too, which ends that wait. */
  let ahead: Promise<IteratorResult<LeaseView | null, void>> | undefined
  let known: Term | null = null
  let awaited: Awaited | undefined
  /** The leader whose next view is shown with `known`: the answer came, and a newer view before it. */
  let answeredFor: string | null = null
  try {
    for (;;) {
      const next: IteratorResult<LeaseView | null, void> = await (ahead ?? views.next())
      ahead = undefined
      if (next.done || stop.signal.aborted) return
      const view = next.value
      const isAnswered = isLed(view) && (known?.leader === view.owner || answeredFor === view.owner)
      answeredFor = null
      if (terms === undefined || isAnswered) {
        yield observationOf(view, known)
        continue
      }
      const superseded = new AbortController()
      ahead = views.next()
      const newer = () => superseded.abort()
      ahead.then(newer, newer)
      const owner: string | null = isLed(view) ? view.owner : null
      if (awaited?.owner !== owner) awaited = { owner, since: undefined }
      const last = await termOf(protocol, group, terms, awaited, superseded.signal)
      // There is a newer view to show, or the watch is over.
      if (last === undefined) continue
      known = last
      if (superseded.signal.aborted) {
        answeredFor = owner
        continue
      }
      yield observationOf(view, known)
    }
  } finally {
    forget()
    stop.abort()
    // Do not await them: a read that is under way may take long, and its answer changes nothing.
    ahead?.catch(() => {})
    views.return().catch(() => {})
  }
}

const observationOf = (view: LeaseView | null, last: Term | null): Observation =>
  isLed(view) ? { kind: 'leader', leader: leaderOf(view, last) } : { kind: 'vacant', last }

/** Whose term the observer waits for; `owner` null: a vacancy. `since`: the first answer without that term. */
interface Awaited {
  readonly owner: string | null
  since: Moment | undefined
}

/**
 * The last term that has begun. For a leader: that leader's, or after `termWithinMs` the last one, whichever leader's
 * it is. For a vacancy: the first answer. A newer view ends the pauses, not the question: its answer counts all the same.
 * undefined: a newer view came, and no such answer.
 */
async function termOf(
  { context }: Watching,
  group: string,
  terms: Terms,
  awaited: Awaited,
  superseded: AbortSignal,
): Promise<Term | null | undefined> {
  const { clock, timer } = context
  for (let pauseMs = firstLookAfterMs; ; pauseMs = Math.min(pauseMs * 2, nextLookWithinMs)) {
    const last = await answered(terms, group)
    if (last !== undefined) {
      const now = clock.now()
      awaited.since ??= now
      const isOver = elapsedMs(awaited.since, now) >= termWithinMs
      if (awaited.owner === null || last?.leader === awaited.owner || isOver) return last
    }
    await timer.sleep(pauseMs, superseded)
    if (superseded.aborted) return undefined
  }
}

/** undefined: the store is unavailable, ask again. */
async function answered(terms: Terms, group: string): Promise<Term | null | undefined> {
  try {
    return await terms.last(group)
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'store-unavailable')) return undefined
    throw thrown
  }
}
