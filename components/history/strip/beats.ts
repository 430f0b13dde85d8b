/**
 * The renewals of a lease, as a strip draws them. Pure. A beat is one renewal that the library recorded; a rate is the number of
 * renewals that the recorder saw in a minute or an hour. A missed beat is said only within a tenure that was observed, between two
 * renewals of one owner.
 */
import type { Renewals } from '../../../lib/contract/leases/history.ts'
import type { Span } from './spans.ts'

interface Beat {
  atMs: number
  /** What was left until the holder's deadline. */
  marginMs: number
  owner: string | null
}

export interface Rate {
  fromMs: number
  toMs: number
  count: number
  owner: string | null
  leastMarginMs: number | null
  /** It is of the tenure that goes on at the end of the time shown. */
  isThisTerm: boolean
}

interface Missed {
  atMs: number
  owner: string | null
}

export interface Strip {
  /** Oldest first. */
  beats: Beat[]
  /** Oldest first, those alone whose renewals are not known one by one. */
  rates: Rate[]
  missed: Missed[]
  /** The least that was left at a renewal, and the median; null: not known. */
  leastMarginMs: number | null
  typicalMarginMs: number | null
}

/** A renewal comes jittered around its time: one that is later than this many intervals was missed. */
const lateBy = 1.6
/** More than this many missed in a row are an outage of the holder, and no row of slots. */
const mostMissed = 200

const median = (values: readonly number[]): number | null => {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] as number
}

function missedOf(beats: readonly Beat[], spans: readonly Span[]): Missed[] {
  const missed: Missed[] = []
  // Both are in order: one pass, however many there are.
  let next = 0
  for (const span of spans) {
    const own: Beat[] = []
    for (; next < beats.length && (beats[next] as Beat).atMs < span.toMs; next += 1) {
      const beat = beats[next] as Beat
      if (span.kind === 'held' && beat.owner === span.owner && beat.atMs >= span.fromMs) own.push(beat)
    }
    if (span.kind !== 'held') continue
    const gaps = own.slice(1).map(({ atMs }, index) => atMs - (own[index] as Beat).atMs)
    const usualMs = median(gaps)
    // Two gaps do not make a rhythm.
    if (usualMs === null || usualMs <= 0 || gaps.length < 3) continue
    gaps.forEach((gapMs, index) => {
      if (gapMs < usualMs * lateBy) return
      const count = Math.min(mostMissed, Math.round(gapMs / usualMs) - 1)
      for (let n = 1; n <= count; n += 1)
        missed.push({ atMs: (own[index] as Beat).atMs + n * usualMs, owner: span.owner })
    })
  }
  return missed
}

/** A bucket begins before the tenure that it counts, or ends after it: the part of it in which the owner held the lease. */
function withinTenure(
  { fromMs, toMs }: Pick<Rate, 'fromMs' | 'toMs'>,
  owner: string | null,
  spans: readonly Span[],
): Pick<Rate, 'fromMs' | 'toMs' | 'isThisTerm'> {
  const last = spans.at(-1)
  // A time that was not observed within a tenure has its owner, and its beginning.
  const own = spans.filter(
    (span) =>
      (span.kind === 'held' || (span.kind === 'unknown' && span.owner !== null)) &&
      span.owner === owner &&
      span.fromMs < toMs &&
      span.toMs > fromMs,
  )
  const [first] = own
  const end = own.at(-1)
  if (first === undefined || end === undefined) return { fromMs, toMs, isThisTerm: false }
  return {
    fromMs: Math.max(fromMs, first.fromMs),
    toMs: Math.min(toMs, end.toMs),
    isThisTerm: last?.kind === 'held' && last.owner === owner && last.beganAtMs === end.beganAtMs,
  }
}

/** @param bucketMs a minute, or an hour: what was asked for */
export function stripOf(
  renewals: readonly Renewals[],
  spans: readonly Span[],
  { fromMs, toMs, bucketMs }: { fromMs: number; toMs: number; bucketMs: number },
): Strip {
  const beats: Beat[] = []
  const rates: Rate[] = []
  const least: number[] = []
  for (const { at, owner, count, exact, leastMarginMs } of renewals) {
    const startMs = Date.parse(at)
    if (leastMarginMs !== null) least.push(leastMarginMs)
    if (exact !== null)
      for (const each of exact) {
        const atMs = Date.parse(each.at)
        if (atMs >= fromMs && atMs < toMs) beats.push({ atMs, marginMs: each.marginMs, owner })
      }
    else {
      const bucket = { fromMs: Math.max(fromMs, startMs), toMs: Math.min(toMs, startMs + bucketMs) }
      if (bucket.toMs > bucket.fromMs)
        rates.push({ ...withinTenure(bucket, owner, spans), count, owner, leastMarginMs })
    }
  }
  beats.sort((a, b) => a.atMs - b.atMs)
  rates.sort((a, b) => a.fromMs - b.fromMs)
  const margins = beats.map(({ marginMs }) => marginMs)
  const all = [...margins, ...least]
  return {
    beats,
    rates,
    missed: missedOf(beats, spans),
    leastMarginMs: all.length === 0 ? null : all.reduce((a, b) => Math.min(a, b)),
    typicalMarginMs: median(margins),
  }
}

interface Bin {
  fromMs: number
  toMs: number
  leastMs: number
  medianMs: number
}

/** Many beats, as the least and the median of each of `count` equal parts of the time; parts without a beat are left out. */
export function binned(beats: readonly Beat[], fromMs: number, toMs: number, count: number): Bin[] {
  const widthMs = (toMs - fromMs) / count
  const groups = new Map<number, number[]>()
  for (const { atMs, marginMs } of beats) {
    const bin = Math.min(count - 1, Math.floor((atMs - fromMs) / widthMs))
    const group = groups.get(bin)
    if (group) group.push(marginMs)
    else groups.set(bin, [marginMs])
  }
  return [...groups].map(([bin, margins]) => ({
    fromMs: fromMs + bin * widthMs,
    toMs: fromMs + (bin + 1) * widthMs,
    leastMs: margins.reduce((a, b) => Math.min(a, b)),
    medianMs: median(margins) as number,
  }))
}
