/**
 * The beginning of the present tenure, where it fell into a time that was not observed. Pure.
 *
 * Guarantees: a beginning is added only where the history has renewals of the present holder, no event of a tenure of its own, and a
 * time that was not observed lies between the last event and the first of those renewals. The beginning lies in that time.
 * Assumes: a beginning that was observed is among the events once the history has renewals of the tenure.
 */
import type { LeaseEvent } from '../../../lib/contract/leases/history.ts'
import {
  begins,
  ends,
  gapsOf,
  oldestFirst,
  type SpanSource,
  withUnseen,
  withUnseenEnd,
} from './unseen-end.ts'

/** A minute of renewals is named by its beginning, and the renewal may be at its end. */
const minuteMs = 60_000

/** The events, newest first, with the end of the last tenure and the beginning of the present one where no read has seen them. */
export const toldEvents = (source: SpanSource): LeaseEvent[] =>
  withUnseenBeginning({ ...source, events: withUnseenEnd(source) })

function withUnseenBeginning(source: SpanSource): LeaseEvent[] {
  const { events, before, holder, isFree, toMs, renewals = [] } = source
  if (holder == null || isFree === true) return source.events
  const known = oldestFirst(before === null ? events : [...events, before])
  const last = known.findLast((event) => begins(event) || ends(event))
  if (last !== undefined && begins(last) && last.owner === holder) return events
  const lastMs = last === undefined ? source.fromMs : Date.parse(last.at)
  const signsMs = renewals
    .filter(({ owner }) => owner === holder)
    .map(({ at, exact }) => Date.parse(exact?.at(-1)?.at ?? at) + minuteMs)
    .filter((signMs) => signMs > lastMs)
  const firstSignMs = Math.min(...signsMs)
  // The unseen end of the tenure before lies at the end of a gap, and this beginning in the same one.
  const gaps = gapsOf(source).filter((gap) => gap.toMs >= lastMs && gap.fromMs < firstSignMs)
  const gap = gaps.at(-1)
  if (signsMs.length === 0 || gap === undefined) return events
  const atMs = Math.min(Math.max(gap.toMs, lastMs), toMs - 1)
  return withUnseen(events, {
    id: `began-unseen-${holder}`,
    kind: 'acquired',
    owner: holder,
    fromMs: gaps[0]?.fromMs ?? gap.fromMs,
    atMs,
  })
}
