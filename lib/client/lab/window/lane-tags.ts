/**
 * The words of marks on a lane, above and below its band, so that none covers another: a word moves to the other side of its
 * mark, or to the other row, and is left out where neither is free. The mark stays, and the table has all the words.
 *
 * Where a word stands follows from the times alone, so that it stays there while the window moves.
 */

type Row = 'over' | 'under'
type Side = 'after' | 'before'

export interface Tag {
  readonly atMs: number
  readonly text: string
  readonly row: Row
  readonly side: Side
  /** Red, beside the icon of a write. */
  readonly isWrong: boolean
  /** The lower ones find their places first. */
  readonly rank: number
}

/** An icon, which words do not cover. */
export interface TagIcon {
  readonly atMs: number
  readonly row: Row
}

interface Room {
  /** Where a time is drawn, in per cent of the track. */
  x(ms: number): number
  /** Of the track, where a rem has 16. */
  readonly widthPx: number
  /** The end of the window as it was when this time was the present. */
  endMs(atMs: number): number
}

interface Stretch {
  readonly fromPx: number
  readonly toPx: number
}

/** Of letters of 11 px, on the average of a word with wide ones. */
const letterPx = 6
const paddingPx = 6
const gapPx = 2
const iconPx = 16
/** From the mark to its words, as in lab-lanes.css. */
const awayPx = { plain: 4, wrong: 11 } as const

const otherRow = { over: 'under', under: 'over' } as const
const otherSide = { after: 'before', before: 'after' } as const

/** @returns those that have a place, in the order of `tags` */
export function placedTags(tags: readonly Tag[], icons: readonly TagIcon[], room: Room): Tag[] {
  const px = (ms: number) => (room.x(ms) / 100) * room.widthPx
  const taken: Record<Row, Stretch[]> = { over: [], under: [] }
  for (const { atMs, row } of icons)
    taken[row].push({ fromPx: px(atMs) - iconPx / 2, toPx: px(atMs) + iconPx / 2 })
  const places = new Map<Tag, Tag>()
  const wanted = tags.toSorted((one, other) => one.rank - other.rank || one.atMs - other.atMs)
  for (const tag of wanted) {
    const place = placesOf(tag).find((each) => isFree(each))
    if (place === undefined) continue
    taken[place.row].push(stretchOf(place))
    places.set(tag, place)
  }
  return tags.flatMap((tag) => places.get(tag) ?? [])

  function stretchOf({ atMs, text, side, isWrong }: Tag): Stretch {
    const away = isWrong ? awayPx.wrong : awayPx.plain
    const length = text.length * letterPx + paddingPx
    const at = px(atMs)
    return side === 'after'
      ? { fromPx: at + away, toPx: at + away + length }
      : { fromPx: at - away - length, toPx: at - away }
  }

  function isFree(tag: Tag): boolean {
    const { fromPx, toPx } = stretchOf(tag)
    if (tag.side === 'before' ? fromPx < px(0) : toPx > px(room.endMs(tag.atMs))) return false
    return taken[tag.row].every((other) => toPx + gapPx <= other.fromPx || fromPx - gapPx >= other.toPx)
  }
}

const placesOf = (tag: Tag): Tag[] => {
  const { row, side } = tag
  return [
    tag,
    { ...tag, side: otherSide[side] },
    { ...tag, row: otherRow[row] },
    { ...tag, row: otherRow[row], side: otherSide[side] },
  ]
}
