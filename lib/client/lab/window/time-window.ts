/**
 * The window of time that the lanes show. It stands still until the present reaches its place in it, and then moves with
 * it. What is drawn is placed from `originMs`, which changes once a minute, so that only a sheet moves and nothing on it.
 */

export interface TimeWindow {
  readonly windowMs: number
  /** How much of it lies before the present, once it moves. */
  readonly pastMs: number
}

const leastWindowMs = 35_000
const leastPastMs = 20_000
const originEveryMs = 60_000
const tickMs = 5_000

/** A whole tenure lies ahead of the present, and a second. */
export function timeWindow(ttlSeconds: number): TimeWindow {
  const aheadMs = ttlSeconds * 1000 + 1000
  const windowMs = Math.max(leastWindowMs, leastPastMs + aheadMs)
  return { windowMs, pastMs: windowMs - aheadMs }
}

export const windowStart = ({ pastMs }: TimeWindow, nowMs: number): number => Math.max(0, nowMs - pastMs)

export const windowOrigin = (window: TimeWindow, nowMs: number): number =>
  Math.floor(windowStart(window, nowMs) / originEveryMs) * originEveryMs

/** Where a time is drawn on its sheet, in per cent of the window’s width. */
export const sheetX = ({ windowMs }: TimeWindow, originMs: number, atMs: number): number =>
  Math.round(((atMs - originMs) / windowMs) * 1e5) / 1e3

/** How far the sheet is pushed to the left, in per cent. */
export const sheetShift = (window: TimeWindow, originMs: number, nowMs: number): number =>
  ((windowStart(window, nowMs) - originMs) / window.windowMs) * 100

/** Where the present stands in the window, in per cent. */
export const nowX = (window: TimeWindow, nowMs: number): number =>
  ((nowMs - windowStart(window, nowMs)) / window.windowMs) * 100

interface Tick {
  readonly atMs: number
  readonly text: string
  /** Left out where there is little room. */
  readonly isOptional: boolean
}

/** The axis, with what comes into the window within the next seconds. */
export function ticks(window: TimeWindow, nowMs: number): Tick[] {
  const startMs = windowStart(window, nowMs)
  const all: Tick[] = []
  for (
    let atMs = Math.floor(startMs / tickMs) * tickMs;
    atMs <= startMs + window.windowMs + tickMs;
    atMs += tickMs
  )
    all.push({ atMs, text: tickText(atMs), isOptional: (atMs / tickMs) % 2 === 1 })
  return all
}

/** Of type of 11 px, at most: a letter of the axis, and a bold one of the label, which has a padding at each end. */
const letterPx = { tick: 7, label: 7.5 }
const labelPaddingPx = 5
/** As much as moves in 0.4 s: on a busy machine the looks are late, and the sheet is not. */
const apartPx = 10

/** Whether the label of the present touches a tick. @param widthPx of the window, in pixels where a rem has 16 */
export function touchesLabel(window: TimeWindow, nowMs: number, atMs: number, widthPx: number): boolean {
  const tickPx = tickText(atMs).length * letterPx.tick
  const labelPx = momentText(nowMs).length * letterPx.label + 2 * labelPaddingPx
  const px = (ms: number) => (ms / window.windowMs) * widthPx
  // The first tick stands right of its time, the others in the middle of theirs.
  const middlePx = px(atMs) + (atMs === 0 ? tickPx / 2 : 0)
  return Math.abs(middlePx - px(nowMs)) < (tickPx + labelPx) / 2 + apartPx
}

/** `15 s`, and from a minute on `1:05`. */
export function tickText(atMs: number): string {
  const seconds = Math.round(atMs / 1000)
  if (seconds < 60) return `${seconds} s`
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** `24.0`, and from a minute on `1:24.0`. Rounded down. */
export function momentText(atMs: number): string {
  const tenths = Math.floor(Math.max(0, atMs) / 100)
  const seconds = `${Math.floor(tenths / 10) % 60}.${tenths % 10}`
  const minutes = Math.floor(tenths / 600)
  return minutes === 0 ? seconds : `${minutes}:${seconds.padStart(4, '0')}`
}
