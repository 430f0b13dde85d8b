/**
 * Writes what one table's watch sees into the history, while this process is the recorder.
 *
 * Guarantees: the stretch that says "observed" never goes past the earliest time at which an event that waits to be written may
 * have happened; nor over midnight before all of the old day is written. A stretch ends where scans did not come to their end
 * for too long, and where events were dropped or refused; the next one says why. Minutes whose renewals were dropped or refused
 * are marked as such.
 * Does not guarantee: what came and went between two looks at the table. That a recorder which dies leaves a mark on its last
 * minute of renewals, or ends its stretch before the end of a lease that a scan showed no more and no SERIAL read had confirmed.
 * A lease whose name no request can ask for has no history: Cassandra refuses the longest of these names as part of a key.
 */
import type { EventStore, LeaseEvent } from 'leasehold/history'
import { minuteMs } from 'leasehold/history'
import type { Clock } from 'leasehold/time'
import { byteLength, nameMaxBytes } from '../../../contract/text-size.ts'
import type { ScanEnd } from '../../watch/reading/scanner.ts'
import type { WatchedRow } from '../../watch/rows/watched-row.ts'
import type { TableWatch } from '../../watch/table-watch.ts'
import { dayMs, type RecordingStore, recordedUntilMs, type Stretch } from '../recordings.ts'
import { RenewalCounts } from './renewal-counts.ts'
import { begunUnseen, isRenewal, type Seen, transitionsOf } from './transition.ts'
import type { WriteQueue } from './write-queue.ts'

/** A scan may begin so much later than the pause before it allows without an outage: a busy machine is not one. */
const scanSlackMs = 10_000
/** Rows of renewals that are written in one minute, of one table. */
const renewalRowsMax = 5_000
/** Clocks of two instances differ by less. */
const skewMs = 1_000

interface TableRecorderDeps {
  readonly watch: TableWatch
  readonly leaseTable: string
  readonly events: EventStore
  readonly recordings: RecordingStore
  readonly queue: WriteQueue
  readonly clock: Clock
  /** The recorder's tenure. */
  readonly recorder: string
  /** Whether the history leaves this lease out. Left out: it has all. */
  readonly passesOver?: ((name: string) => boolean) | undefined
}

export class TableRecorder {
  readonly #deps: TableRecorderDeps
  readonly #renewals: RenewalCounts
  #stretch: Stretch | null = null
  #writtenUntilMs = 0
  /** Stretches that ended at midnight, and are not written yet. */
  readonly #ended: Stretch[] = []
  #lastScan: ScanEnd | null = null
  #isDropping = false
  /** Minutes whose renewals were not written, and which are not marked yet. */
  readonly #unmarkedMinutes = new Set<number>()
  #forget = () => {}

  constructor(deps: TableRecorderDeps) {
    this.#deps = deps
    this.#renewals = new RenewalCounts(deps.recorder)
  }

  /** Begins once the table was scanned whole. @throws StoreUnavailableError */
  async begin(): Promise<void> {
    const { watch, clock, recordings, leaseTable } = this.#deps
    if (watch.lastScan === null) return
    const untilMs = await recordedUntilMs(recordings, leaseTable, clock.now().wallMs)
    const nowMs = this.#nowMs()
    this.#stretch = this.#stretchFrom(nowMs, 'no-recorder')
    this.#lastScan = watch.lastScan
    this.#forget = watch.listen((before, after) => this.#changed(before, after))
    if (untilMs !== null) this.#catchUp(untilMs, nowMs)
  }

  /** Moves the end of the stretch to the last look. To be called every few seconds. */
  async beat(): Promise<void> {
    if (this.#stretch === null) return this.begin()
    this.#writeRenewals(false)
    this.#markMinutes()
    const scan = this.#deps.watch.lastScan
    if (scan !== null && scan !== this.#lastScan) this.#looked(scan)
    await this.#writeStretch()
  }

  end(): void {
    this.#forget()
  }

  /** What was counted so far, before another process is the recorder. */
  async conclude(): Promise<void> {
    if (this.#stretch === null) return
    this.#writeRenewals(true)
    await this.#deps.queue.idle()
    this.#markMinutes()
    await this.#deps.queue.idle()
    await this.#writeStretch()
  }

  /** Tenures that began since the last recorder looked: this process watched, too, and did not write. */
  #catchUp(sinceMs: number, nowMs: number): void {
    const seen: Seen = { ...this.#seen(nowMs), absentAtMs: sinceMs }
    for (const row of this.#deps.watch.snapshot.rows.values()) {
      if (row.heldSinceMs === null || row.heldSinceMs < sinceMs - skewMs) continue
      if (this.#passesOver(row.name)) continue
      const event = begunUnseen(row, seen)
      if (event !== null) this.#add(event)
    }
  }

  #changed(before: WatchedRow | null, after: WatchedRow | null): void {
    if (this.#isDropping) return
    const name = (after ?? before)?.name ?? ''
    if (this.#passesOver(name)) return
    if (isRenewal(before, after)) {
      // Its minute may have begun since the last beat.
      this.#writeRenewals(false)
      this.#renewals.add(name, after?.owner ?? null)
      return
    }
    const nowMs = (after === null ? this.#deps.watch.snapshot.goneAtMs(name) : null) ?? this.#nowMs()
    for (const event of transitionsOf(before, after, this.#seen(nowMs))) this.#add(event)
  }

  #passesOver(name: string): boolean {
    return byteLength(name) > nameMaxBytes || (this.#deps.passesOver?.(name) ?? false)
  }

  #seen(nowMs: number): Seen {
    const { table, lastScan } = this.#deps.watch
    return {
      hasOwner: table.mapping.owner !== null,
      absentAtMs: lastScan === null ? null : beganMs(lastScan),
      nowMs,
    }
  }

  #add(event: LeaseEvent): void {
    const { queue, events } = this.#deps
    const drop = () => {
      this.#isDropping = true
    }
    // It happened before it was noticed, up to a scan earlier: the stretch must not pass that. A version may lie in the future.
    const happenedMs = Math.min(event.notBeforeMs ?? event.atMs, this.#nowMs())
    if (!queue.add(happenedMs, () => events.write(event), drop)) drop()
  }

  #looked(scan: ScanEnd): void {
    const stretch = this.#stretch as Stretch
    const before = this.#lastScan ?? scan
    this.#lastScan = scan
    // While events are dropped the stretch stands still; the next one begins when there is room again.
    if (this.#isDropping) {
      if (this.#deps.queue.isHalfFull) return
      this.#isDropping = false
      this.#stretch = this.#stretchFrom(this.#nowMs(), 'dropped')
      return
    }
    const atMs = beganMs(scan)
    const isLate = scan.endedAtMs - before.endedAtMs > before.pauseMs + scan.tookMs + scanSlackMs
    if (isLate) this.#stretch = this.#stretchFrom(atMs, 'store')
    else this.#extend(stretch, Math.min(atMs, this.#deps.queue.oldestMs ?? atMs))
  }

  /** A stretch ends at midnight, and the next one begins there: once all that happened before midnight is written. */
  #extend(stretch: Stretch, untilMs: number): void {
    let last = stretch
    for (;;) {
      const midnightMs = (Math.floor(last.beganMs / dayMs) + 1) * dayMs
      if (untilMs < midnightMs) break
      this.#ended.push({ ...last, untilMs: midnightMs })
      last = { ...last, beganMs: midnightMs, untilMs: midnightMs }
    }
    this.#stretch = { ...last, untilMs: Math.max(last.untilMs, untilMs) }
  }

  async #writeStretch(): Promise<void> {
    const stretch = this.#stretch as Stretch
    const { recordings, leaseTable } = this.#deps
    // Before those of later days: the next recorder goes on where the last stretch ends.
    for (let ended = this.#ended[0]; ended !== undefined; ended = this.#ended[0]) {
      await recordings.write(leaseTable, ended)
      this.#ended.shift()
    }
    if (stretch.untilMs === this.#writtenUntilMs) return
    await recordings.write(leaseTable, stretch)
    this.#writtenUntilMs = stretch.untilMs
  }

  #writeRenewals(isLast: boolean): void {
    const taken = this.#renewals.take(this.#nowMs(), isLast)
    if (taken === null) return
    const { queue, events } = this.#deps
    const lost = () => void this.#unmarkedMinutes.add(taken.atMs)
    const isTooMuch = taken.isFull || taken.minutes.length > renewalRowsMax || queue.isHalfFull
    if (isTooMuch) {
      lost()
      return
    }
    const atMs = Math.max(taken.atMs, this.#nowMs())
    for (const minute of taken.minutes) if (!queue.add(atMs, () => events.writeRenewals(minute), lost)) lost()
  }

  /** A mark that finds no room in the queue, or is refused, is written later. */
  #markMinutes(): void {
    const { queue, recordings, leaseTable } = this.#deps
    for (const atMs of [...this.#unmarkedMinutes]) {
      const dropped = { ...this.#stretchFrom(atMs, 'dropped'), what: 'renewals' as const }
      const minute = { ...dropped, untilMs: atMs + minuteMs }
      const write = () => recordings.write(leaseTable, minute)
      if (!queue.add(this.#nowMs(), write, () => void this.#unmarkedMinutes.add(atMs))) return
      this.#unmarkedMinutes.delete(atMs)
    }
  }

  #stretchFrom(beganMs: number, why: Stretch['why']): Stretch {
    return { beganMs, untilMs: beganMs, recorder: this.#deps.recorder, what: 'everything', why }
  }

  #nowMs(): number {
    return Math.floor(this.#deps.clock.now().wallMs)
  }
}

const beganMs = ({ endedAtMs, tookMs }: ScanEnd): number => Math.floor(endedAtMs - tookMs)
