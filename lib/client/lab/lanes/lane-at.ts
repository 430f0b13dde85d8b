/** One lane at one time, in the window that is shown. */

import { momentText } from '../window/time-window.ts'
import type { BeliefFrames } from './belief-frames.ts'
import type { Frame, LaneRecord } from './lane-record.ts'
import { type LaneState, laneStates } from './lane-words.ts'
import type { BeliefFrame, Lane, LaneMark, LeadBand, Span } from './lanes.ts'
import { clockSlackMs } from './overlaps.ts'

/** From the answer of an acquisition to the candidate’s own word: it reads its token, and takes its term. */
const takingOfficeMs = 2_000
/** So long a lane says when its candidate lost the lease. */
const recentMs = 10_000

interface Now {
  readonly atMs: number
  /** What ended before it is left out. */
  readonly fromMs: number
  readonly beliefs: BeliefFrames
}

export function laneAt(record: LaneRecord, now: Now): Lane {
  const { atMs, fromMs } = now
  const isShown = (span: Span) => span.toMs === null || span.toMs >= fromMs
  const leads = record.bands.map((band) => bandAt(band, atMs))
  const believes = record.frames.map((frame) => frameAt(frame, leads, now))
  const state = stateOf(record, leads, believes, atMs)
  return {
    id: record.id,
    state,
    words: wordsOf(state, believes, atMs),
    presence: record.presence.map(({ fromMs, toMs, end }) => ({ fromMs, toMs, end })).filter(isShown),
    leads: leads.filter(isShown),
    believes: believes.filter(isShown),
    stops: record.stops.map(({ fault, fromMs, toMs }) => ({ fault, fromMs, toMs })).filter(isShown),
    beats: since(record.beats, fromMs).map(({ atMs, marginMs }) => ({ atMs, marginMs })),
    tries: since(record.tries, fromMs),
    marks: [...since(record.marks, fromMs), ...ignored(believes, atMs, fromMs)].toSorted(
      (a, b) => a.atMs - b.atMs,
    ),
    faults: [...record.faults],
  }
}

/** A row whose expiry has passed is shown no longer, though no read has said so yet. */
function bandAt(band: LeadBand, atMs: number): LeadBand {
  const { fromMs, expiryMs, end, token, term } = band
  const isOver = band.toMs === null && expiryMs !== null && expiryMs <= atMs
  return { fromMs, toMs: isOver ? expiryMs : band.toMs, expiryMs, end, token, term }
}

function frameAt(frame: Frame, bands: readonly LeadBand[], { atMs, beliefs }: Now): BeliefFrame {
  const { deadlineMs, token, term } = frame
  const span = beliefs.spanAt(frame, atMs)
  const end = frame.end ?? (span.toMs !== null && frame.toMs === null ? 'deadline' : null)
  return { ...span, deadlineMs, end, token, term, wrongly: wronglyOf(span, bands, atMs) }
}

/** From the end of the row to the end of the belief in it. */
function wronglyOf(belief: Span, bands: readonly LeadBand[], atMs: number): Span | null {
  const untilMs = belief.toMs ?? atMs
  const band = bands.findLast((each) => each.fromMs <= untilMs && (each.toMs ?? untilMs) >= belief.fromMs)
  if (band === undefined || band.toMs === null) return null
  const fromMs = Math.max(band.toMs, belief.fromMs)
  return untilMs - fromMs > clockSlackMs ? { fromMs, toMs: belief.toMs } : null
}

/** Beliefs that went on past their deadlines. */
const ignored = (frames: readonly BeliefFrame[], atMs: number, fromMs: number): LaneMark[] =>
  frames.flatMap((frame) =>
    frame.deadlineMs >= Math.max(fromMs, frame.fromMs) &&
    (frame.toMs ?? atMs) > frame.deadlineMs + clockSlackMs
      ? [{ kind: 'deadline-ignored', atMs: frame.deadlineMs, text: 'deadline, ignored' }]
      : [],
  )

function stateOf(
  record: LaneRecord,
  bands: readonly LeadBand[],
  frames: readonly BeliefFrame[],
  atMs: number,
): LaneState {
  const band = bands.at(-1)
  const frame = frames.at(-1)
  const leads = band !== undefined && band.toMs === null
  const believes = frame !== undefined && frame.toMs === null
  const presence = record.presence.at(-1)
  if (presence?.end === 'crashed') return leads ? 'crashed-leads' : 'crashed'
  if (presence?.end === 'left' && !leads && !believes) return 'left'
  if (record.id === 'plain') return leads ? 'leads' : 'left'
  const stop = record.faults.has('paused') ? 'paused' : record.faults.has('cut') ? 'cut' : undefined
  if (stop !== undefined) {
    if (leads) return `${stop}-leads`
    return believes ? `${stop}-believes` : `${stop}-waits`
  }
  if (leads && !believes) {
    if (frame !== undefined && frame.fromMs >= band.fromMs) return 'gave-up'
    return atMs - band.fromMs < takingOfficeMs ? 'leads' : 'leads-unaware'
  }
  if (leads) return 'leads'
  if (!believes) return 'waits'
  return frame.wrongly === null ? 'believes' : 'still-believes'
}

function wordsOf(state: LaneState, frames: readonly BeliefFrame[], atMs: number): string {
  const { word } = laneStates[state]
  const last = frames.at(-1)
  const isLoss = last?.end === 'deadline' || last?.end === 'not-holder' || last?.end === 'superseded'
  if (state !== 'waits' || last === undefined || last.toMs === null || !isLoss) return word
  return atMs - last.toMs < recentMs ? `${word}, lost it at ${momentText(last.toMs)}` : word
}

/** The end of a list in the order of time. */
function since<T extends { atMs: number }>(all: readonly T[], fromMs: number): readonly T[] {
  let first = all.length
  while (first > 0 && (all[first - 1] as T).atMs >= fromMs) first--
  return all.slice(first)
}
