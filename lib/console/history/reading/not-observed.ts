import type { EventGap } from 'leasehold/history'
import type { NotObserved } from '../../../contract/leases/history.ts'
import type { Stretch } from '../recordings.ts'

/** The recorder looks every few seconds, at a large table twice a minute: what is younger is not missing yet. */
const lagMs = 60_000

export interface Gap extends Pick<NotObserved, 'why' | 'what'> {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * The times of a range that were not observed, newest first.
 * @param stretches oldest first
 * @param nowMs the end of a range that goes on until now is not missing yet
 */
export function notObserved(
  stretches: readonly Stretch[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
  nowMs: number,
): Gap[] {
  const gaps: Gap[] = []
  const add = (from: number, to: number, why: Gap['why'], what: Gap['what']) => {
    const [begin, end] = [Math.max(from, fromMs), Math.min(to, toMs)]
    if (begin < end) gaps.push({ fromMs: begin, toMs: end, why, what })
  }
  let seenMs = Number.NEGATIVE_INFINITY
  for (const { beganMs, untilMs, what, why } of stretches) {
    if (what === 'renewals') add(beganMs, untilMs, why, 'renewals')
    else {
      add(seenMs, beganMs, why, 'everything')
      seenMs = Math.max(seenMs, untilMs)
    }
  }
  if (nowMs - seenMs > lagMs) add(seenMs, toMs, 'no-recorder', 'everything')
  return gaps.sort((one, other) => other.fromMs - one.fromMs)
}

/** With what the holders' own processes could not write. @returns newest first */
export const withDropped = (gaps: readonly Gap[], dropped: readonly EventGap[]): Gap[] =>
  [...gaps, ...dropped.map(({ fromMs, toMs, what }): Gap => ({ fromMs, toMs, what, why: 'dropped' }))].sort(
    (one, other) => other.fromMs - one.fromMs,
  )
