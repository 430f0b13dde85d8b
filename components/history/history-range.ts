import type { HistoryView } from '../../lib/client/call/queries.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How far back a history is shown. The value stands in the page's URL, as `history`. */
export const historyRanges = {
  '5m': { text: '5 min', rangeMs: 5 * minuteMs, renewals: 'minute', rhythmMs: 2000, tickMs: minuteMs },
  '1h': { text: '1 h', rangeMs: hourMs, renewals: 'minute', rhythmMs: 10_000, tickMs: 10 * minuteMs },
  '24h': { text: '24 h', rangeMs: 24 * hourMs, renewals: 'hour', rhythmMs: 60_000, tickMs: 3 * hourMs },
  '7d': { text: '7 days', rangeMs: 168 * hourMs, renewals: 'hour', rhythmMs: 120_000, tickMs: 24 * hourMs },
} as const satisfies Record<string, HistoryView & { text: string; tickMs: number }>

export type HistoryRange = keyof typeof historyRanges

export const firstRange: HistoryRange = '1h'

/** The range that the URL names; another text: the first. */
export const rangeOf = (text: string | null): HistoryRange =>
  text !== null && Object.hasOwn(historyRanges, text) ? (text as HistoryRange) : firstRange

export const rangeOptions = (Object.keys(historyRanges) as HistoryRange[]).map((value) => ({
  value,
  text: historyRanges[value].text,
}))

/** What the renewals were asked for by. */
export const bucketMsOf = (range: HistoryRange): number =>
  historyRanges[range].renewals === 'hour' ? hourMs : minuteMs

/** Round instants of the axis, by the reader's clock. */
export function axisTicks(fromMs: number, toMs: number, tickMs: number, offsetMs: number): number[] {
  const ticks: number[] = []
  for (let at = Math.ceil((fromMs + offsetMs) / tickMs) * tickMs - offsetMs; at < toMs; at += tickMs)
    ticks.push(at)
  return ticks
}
