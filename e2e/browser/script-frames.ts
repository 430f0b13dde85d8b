/** How long scripts of a page work in each frame, in processor time, from the browser's own trace. */
import type { Page } from '@playwright/test'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds. */
  ts: number
  dur?: number
  /** Processor time of the thread, in microseconds: what other programs do meanwhile is not in it. */
  tdur?: number
}

const scriptWork = new Set([
  'EvaluateScript',
  'FunctionCall',
  'TimerFire',
  'FireAnimationFrame',
  'EventDispatch',
  'RunMicrotasks',
  'XHRReadyStateChange',
])
/** Between two pieces of work: the browser could have drawn a frame. */
const frameGapMicros = 8_000

/** Traces the page while `work` goes on. @returns milliseconds of processor time, one number a frame in which scripts worked */
export async function scriptFrames(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser to trace.')
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return framesOf(traceEvents.filter(({ ph, dur }) => ph === 'X' && dur !== undefined))
}

function framesOf(events: readonly TraceEvent[]): number[] {
  const worked = events.filter(({ name }) => scriptWork.has(name))
  const main = busiest(worked)
  const frames: number[] = []
  let frameMicros = 0
  let endMicros = Number.NEGATIVE_INFINITY
  for (const { ts, dur = 0, tdur } of worked.filter((event) => threadOf(event) === main).toSorted(byTime)) {
    // Within the one before it.
    if (ts < endMicros) continue
    if (tdur === undefined) throw new Error('This browser traces no processor time.')
    if (ts - endMicros > frameGapMicros && frameMicros > 0) {
      frames.push(frameMicros / 1_000)
      frameMicros = 0
    }
    frameMicros += tdur
    endMicros = ts + dur
  }
  return frameMicros > 0 ? [...frames, frameMicros / 1_000] : frames
}

const byTime = (a: TraceEvent, b: TraceEvent) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0)
const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`

/** The page's main thread: that on which scripts work most. */
function busiest(events: readonly TraceEvent[]): string {
  const counts = new Map<string, number>()
  for (const event of events) counts.set(threadOf(event), (counts.get(threadOf(event)) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}
