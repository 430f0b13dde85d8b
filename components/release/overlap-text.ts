import { durationText } from '../../lib/client/time-text.ts'
import type { ModeOffer } from '../../lib/contract/releases/release.ts'

type Overlap = Pick<ModeOffer, 'overlapMs' | 'usualOverlapMs'>

/** For how long two may act at once, in a few words. */
export const shortOverlap = ({ overlapMs }: Pick<ModeOffer, 'overlapMs'>): string =>
  overlapMs === null
    ? 'Overlap without an end'
    : overlapMs === 0
      ? 'No overlap'
      : `Up to ${durationText(overlapMs)} of overlap`

/** Why two may act at once for as long as the plan says, which may be longer than what is left on the countdown. */
export const overlapReason = ({ overlapMs }: Overlap): string =>
  overlapMs === null
    ? 'Without an expiry the holder has no deadline: two processes may both act as its holder until somebody stops the old one.'
    : `For up to ${durationText(overlapMs)} two processes may both act as its holder. That is the whole TTL, whatever is left of it now: the holder may renew once more just before the delete.`

/** When the holder usually hears of it. null: never by itself. */
export function usualOverlap({ overlapMs, usualOverlapMs }: Overlap): string | null {
  if (overlapMs === null) return null
  return usualOverlapMs === null
    ? 'When the holder hears of it sooner is not known: by its TTL a renewal was due before the plan was made, and none had come.'
    : `Usually it is less: the holder stops when a renewal is refused, and its next one was due ${durationText(usualOverlapMs)} after the plan was made.`
}
