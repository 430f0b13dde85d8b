/**
 * Who believes to lead, from what the candidates said. While the deadline check is on, a belief ends at its deadline,
 * whatever the candidate is able to say; while it is off, when the candidate says so.
 */
import type { Entry } from '../../../contract/lab/journal.ts'
import type { Frame, LaneRecord } from './lane-record.ts'
import type { Span } from './lanes.ts'

export class BeliefFrames {
  #check = true
  /** The last frame of each lane, until the candidate has said that it is lost. */
  readonly #unlost = new Map<LaneRecord, Frame>()

  get check(): boolean {
    return this.#check
  }

  leads(lane: LaneRecord, { atMs, deadlineMs, token, term }: Entry<'leads'>): void {
    this.#settle(lane, atMs)
    this.#begin(lane, { fromMs: atMs, toMs: null, deadlineMs, end: null, token, term })
  }

  renewed(lane: LaneRecord, { atMs, deadlineMs }: Entry<'renewed'>): void {
    this.#settle(lane, atMs)
    const frame = this.#unlost.get(lane)
    if (frame === undefined) return
    if (frame.toMs === null) frame.deadlineMs = deadlineMs
    else this.#begin(lane, { ...frame, fromMs: atMs, toMs: null, deadlineMs, end: null })
  }

  lost(lane: LaneRecord, atMs: number, end: Frame['end']): void {
    this.#settle(lane, atMs)
    const frame = this.#unlost.get(lane)
    this.#unlost.delete(lane)
    if (frame === undefined) return
    if (frame.toMs === null) frame.toMs = atMs
    frame.end = end
  }

  /** The check cuts what is past its deadline when it is switched on; switched off, beliefs past it come back. */
  switchCheck(on: boolean, atMs: number): void {
    for (const lane of this.#unlost.keys()) this.#settle(lane, atMs)
    this.#check = on
    for (const [lane, frame] of this.#unlost) {
      if (on && frame.toMs === null && frame.deadlineMs <= atMs) {
        frame.toMs = atMs
        frame.end = 'deadline'
      } else if (!on && frame.toMs !== null)
        this.#begin(lane, { ...frame, fromMs: atMs, toMs: null, end: null })
    }
  }

  /** The part of a frame that is over at this time, by what is known. `toMs` null: it goes on. */
  spanAt(frame: Frame, atMs: number): Span {
    const isCut = frame.toMs === null && this.#check && frame.deadlineMs <= atMs
    return { fromMs: frame.fromMs, toMs: isCut ? frame.deadlineMs : frame.toMs }
  }

  #begin(lane: LaneRecord, frame: Frame): void {
    this.#unlost.set(lane, frame)
    lane.frames.push(frame)
  }

  #settle(lane: LaneRecord, atMs: number): void {
    const frame = this.#unlost.get(lane)
    if (frame === undefined || frame.toMs !== null || frame.deadlineMs > atMs) return
    if (!this.#check) return
    frame.toMs = frame.deadlineMs
    frame.end = 'deadline'
  }
}
