/** What the fold of a journal keeps of one lane. `LanesBuilder` alone changes it. */
import type { LabFault } from '../../../contract/lab/journal.ts'
import type {
  Beat,
  BeliefFrame,
  LaneId,
  LaneMark,
  LaneTry,
  LeadBand,
  MarkKind,
  Presence,
  StopSpan,
} from './lanes.ts'

type Changing<T> = { -readonly [K in keyof T]: T[K] }

export interface LaneRecord {
  readonly id: LaneId
  readonly presence: Changing<Presence>[]
  readonly bands: Band[]
  readonly frames: Frame[]
  readonly stops: Changing<StopSpan>[]
  readonly beats: Changing<Beat>[]
  readonly tries: LaneTry[]
  readonly marks: LaneMark[]
  readonly faults: Set<LabFault>
}

export interface Band extends Changing<LeadBand> {
  readonly lane: LaneId
  readonly owner: string | null
  /** The version of the read that `expiryMs` is from. null: none yet. */
  version: bigint | null
  /** A write was applied since that read, at this time: older versions say nothing of the expiry any more. */
  writtenAtMs: number | null
  /** Until then the row is surely there, unless it was released. */
  surelyUntilMs: number
}

export type Frame = Omit<Changing<BeliefFrame>, 'wrongly'>

export const newLane = (id: LaneId): LaneRecord => ({
  id,
  presence: [],
  bands: [],
  frames: [],
  stops: [],
  beats: [],
  tries: [],
  marks: [],
  faults: new Set(),
})

/** Marks of one kind that are closer than this are one. */
const markGapMs = 1_000

export function mark(lane: LaneRecord, kind: MarkKind, atMs: number, text: string): void {
  const last = lane.marks.findLast((each) => each.kind === kind)
  if (last === undefined || atMs - last.atMs >= markGapMs) lane.marks.push({ kind, atMs, text })
}
