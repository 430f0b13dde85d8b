/** One lane as shapes on its sheets. What goes on is drawn to its known end, or beyond the window, and cut at the present. */
import type { BeliefFrame, Lane, LaneMark, LanesPicture, LeadBand, MarkKind } from '../lanes/lanes.ts'
import { placedTags, type Tag, type TagIcon } from './lane-tags.ts'
import { momentText, sheetX, type TimeWindow, windowOrigin, windowStart } from './time-window.ts'
import { tokenText } from './token-text.ts'

export interface Shape {
  readonly key: string
  /** `past` is cut at the present, `ahead` begins there, `free` is not cut, `pinned` does not move. */
  readonly layer: 'past' | 'ahead' | 'free' | 'pinned'
  /** Its classes. */
  readonly look: string
  /** In per cent of the window. */
  readonly fromX: number
  /** null: a mark of no width. */
  readonly toX: number | null
  readonly text: string | null
}

/** Dots and notches that are closer than this share of the window are one. */
const dotShare = 0.006
/** A label is pinned when so much of its band is still to be seen. */
const pinnedMs = 6_000
/** Of marks of one kind that follow each other sooner, the first alone has words. */
const wordsEveryMs = 7_000

/** Marks whose words stand below the band. */
const below: readonly MarkKind[] = ['expired', 'released-by-force', 'deadline-ignored', 'fence-refused']
/** Marks whose words stand before them: a write has the next one soon after it. */
const atLeft: readonly MarkKind[] = ['deadline-ignored', 'wrote-after-loss', 'fence-refused']
const wrong: readonly MarkKind[] = ['wrote-after-loss', 'fence-refused']
/** Which words find their places first. */
const ranks = { wrong: 0, ahead: 1, event: 2, stop: 3, presence: 4 } as const
const presence: readonly MarkKind[] = ['joined', 'left']

/** @param widthPx of the track, where a rem has 16 */
export function laneShapes(lane: Lane, picture: LanesPicture, window: TimeWindow, widthPx: number): Shape[] {
  const { atMs } = picture
  const startMs = windowStart(window, atMs)
  const originMs = windowOrigin(window, atMs)
  // As steady as the origin, so that what goes on is drawn once.
  const farMs = originMs + 3 * window.windowMs
  const firstMs = originMs - window.windowMs
  const x = (ms: number) => sheetX(window, originMs, Math.max(ms, firstMs))
  const span = (
    layer: Shape['layer'],
    look: string,
    fromMs: number,
    toMs: number | null,
    text: string | null = null,
  ): Shape => ({ key: `${look} ${fromMs}`, layer, look, fromX: x(fromMs), toX: x(toMs ?? farMs), text })
  const point = (look: string, ms: number, text: string | null = null): Shape => ({
    key: `${look} ${ms} ${text ?? ''}`,
    layer: 'free',
    look,
    fromX: x(ms),
    toX: null,
    text,
  })
  const tags: Tag[] = []
  const icons: TagIcon[] = []
  const say = (atMs: number, text: string, over: Partial<Tag>) =>
    tags.push({ atMs, text, row: 'over', side: 'after', isWrong: false, rank: ranks.event, ...over })
  const thin = <T extends { atMs: number }>(all: readonly T[]) => apart(all, dotShare * window.windowMs)

  const shapes: Shape[] = []
  for (const overlap of picture.overlaps)
    if (overlap.candidates.includes(lane.id)) shapes.push(span('past', 'both', overlap.fromMs, overlap.toMs))
    else if (isBetween(lane.id, overlap.candidates))
      shapes.push(span('past', 'both through', overlap.fromMs, overlap.toMs))
  for (const frame of lane.believes) shapes.push(...frameShapes(frame))
  // Over the beliefs: a candidate that stands still may believe all the while.
  for (const { fault, fromMs, toMs } of lane.stops) {
    shapes.push(span('past', 'paused', fromMs, toMs))
    if (fault !== 'crashed') say(fromMs, stopWords[fault], { rank: ranks.stop })
  }
  for (const band of lane.leads) shapes.push(...bandShapes(band))
  const open = lane.leads.findLast((band) => band.toMs === null)
  for (const beat of thin(lane.beats))
    shapes.push({
      ...point(open !== undefined && beat.atMs >= open.fromMs ? 'beat notch' : 'beat old', beat.atMs),
      layer: 'past',
    })
  for (const { atMs, applied } of thin(lane.tries))
    shapes.push(point(applied === true ? 'try yes' : applied === false ? 'try' : 'try unknown', atMs))
  const saidMs = new Map<MarkKind, number>()
  for (const mark of lane.marks) {
    const isSaid = mark.atMs - (saidMs.get(mark.kind) ?? Number.NEGATIVE_INFINITY) >= wordsEveryMs
    if (isSaid) saidMs.set(mark.kind, mark.atMs)
    shapes.push(...markShapes(mark, isSaid))
  }
  const endMs = (ms: number) => windowStart(window, ms) + window.windowMs
  for (const { atMs, text, row, side, isWrong } of placedTags(tags, icons, { x, widthPx, endMs })) {
    const look = `tag ${row}${side === 'before' ? ' before' : ''}${isWrong ? ' wrong' : ''}`
    shapes.push(point(look, atMs, text))
  }
  return shapes

  function frameShapes({ fromMs, toMs, deadlineMs, wrongly }: BeliefFrame): Shape[] {
    const isAhead = toMs === null && deadlineMs > atMs
    const layer = isAhead ? 'free' : 'past'
    const endMs = isAhead ? deadlineMs : toMs
    const found = [span(layer, 'believes', fromMs, wrongly === null ? endMs : wrongly.fromMs)]
    if (wrongly !== null) found.push(span(layer, 'believes wrongly', wrongly.fromMs, endMs, 'still believes'))
    if (isAhead) {
      found.push(point('mk ahead', deadlineMs))
      say(deadlineMs, 'deadline', { side: 'before', rank: ranks.ahead })
    }
    return found
  }

  function bandShapes(band: LeadBand): Shape[] {
    const { fromMs, toMs, expiryMs } = band
    const text = bandText(band)
    const isPinned = fromMs < startMs && (toMs ?? atMs) - startMs > pinnedMs
    const label = isPinned ? null : text
    const found =
      toMs === null
        ? [span('past', 'leads', fromMs, expiryMs, label), span('ahead', 'leads ahead', fromMs, expiryMs)]
        : [span('past', 'leads then', fromMs, toMs, label)]
    if (toMs === null && expiryMs !== null && expiryMs > atMs) {
      found.push(point('mk expiry', expiryMs))
      say(expiryMs, `expiry ${momentText(expiryMs)}`, { row: 'under', side: 'before', rank: ranks.ahead })
    }
    if (isPinned && text !== '')
      found.push({
        key: `pin ${fromMs}`,
        layer: 'pinned',
        look: toMs === null ? 'pin' : 'pin then',
        fromX: 0,
        toX: null,
        text,
      })
    return found
  }

  function markShapes({ kind, atMs, text }: LaneMark, isSaid: boolean): Shape[] {
    if (kind === 'refused-renewal') return [point('try', atMs)]
    const row = below.includes(kind) ? 'under' : 'over'
    const isWrong = wrong.includes(kind)
    const rank = isWrong ? ranks.wrong : presence.includes(kind) ? ranks.presence : ranks.event
    if (isSaid) say(atMs, text, { row, side: atLeft.includes(kind) ? 'before' : 'after', isWrong, rank })
    if (!isWrong) return kind === 'deadline-ignored' ? [point('mk dl', atMs)] : []
    icons.push({ atMs, row })
    return [point(row === 'under' ? 'write low' : 'write', atMs)]
  }
}

const stopWords = { paused: 'paused', cut: 'network cut' } as const

/** `term 3 · token …789012884` while it leads, `term 3` afterwards. */
function bandText({ toMs, token, term }: LeadBand): string {
  const parts = term === null ? [] : [`term ${term}`]
  if (toMs === null && token !== null) parts.push(`token ${tokenText(token)}`)
  return parts.join(' · ')
}

/** Lanes stand in the order of their names. */
const isBetween = (id: string, all: readonly string[]): boolean =>
  all.some((each) => each < id) && all.some((each) => each > id)

function apart<T extends { atMs: number }>(all: readonly T[], gapMs: number): T[] {
  const kept: T[] = []
  for (const each of all) {
    const last = kept.at(-1)
    const isSame =
      last !== undefined &&
      Object.entries(each).every(([key, value]) => key === 'atMs' || last[key as keyof T] === value)
    if (!isSame || each.atMs - last.atMs >= gapMs) kept.push(each)
  }
  return kept
}

/** Whether two drawings of a lane are one. */
export const isSameDrawing = (a: readonly Shape[], b: readonly Shape[]): boolean =>
  a.length === b.length &&
  a.every((shape, i) => {
    const other = b[i] as Shape
    return (
      shape.key === other.key &&
      shape.layer === other.layer &&
      shape.fromX === other.fromX &&
      shape.toX === other.toX &&
      shape.text === other.text
    )
  })
