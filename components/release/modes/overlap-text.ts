import { boundText, durationText } from '../../../lib/client/time/time-text.ts'
import type { ModeOffer, ReleaseMode } from '../../../lib/contract/releases/release.ts'

type Overlap = Pick<ModeOffer, 'overlapMs'>

/** For how long two may act at once, in a few words. */
export function shortOverlap(mode: ReleaseMode, { overlapMs }: Overlap): string {
  if (overlapMs === null) return 'Two holders may act, with no end'
  if (overlapMs > 0) return `Two holders may act for up to ${boundText(overlapMs)} after the delete`
  return mode === 'break'
    ? 'Never two holders at once, if the old one keeps to its deadline'
    : 'Never two holders at once'
}

/** Why two may act at once for as long as the plan says, which may be longer than what is left on the countdown. */
export const overlapReason = ({ overlapMs }: Overlap): string =>
  overlapMs === null
    ? 'The lease has no expiry, so the holder has no deadline: the old and the next holder may both act until you stop the old one.'
    : `The old and the next holder may both act for up to ${boundText(overlapMs)}: the whole TTL and the time that a write may take, because the old one may renew just before the delete.`

/** A page knows of the renewals that it saw. */
export const unseenRenewal = 'No renewal was seen since this page was opened'

/**
 * When the old holder notices a kill, as far as is known.
 * @param renewalDueInMs when its next renewal is expected; not above 0: it is late; null: no rhythm was seen
 */
export function noticeText(renewalDueInMs: number | null): string {
  if (renewalDueInMs === null) return `We can’t predict when the holder will notice. ${unseenRenewal}.`
  return renewalDueInMs <= 0
    ? 'We can’t predict when the holder will notice; its expected renewal was late.'
    : `The holder usually notices at its next renewal, expected within ${durationText(renewalDueInMs)}.`
}

/** When a holder that is asked answers, as far as is known. The same times as of `noticeText`. */
export function answerText(renewalDueInMs: number | null): string {
  if (renewalDueInMs === null) return `${unseenRenewal}, so the holder may never read the request.`
  return renewalDueInMs <= 0
    ? 'We can’t predict when the holder will read it; its expected renewal was late.'
    : `A holder that reads requests answers at its next renewal, expected within ${durationText(renewalDueInMs)}.`
}
