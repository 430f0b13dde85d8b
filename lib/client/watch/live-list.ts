/**
 * A view of leases, live: what the stream says and what time does, as a page shows it. It stands still while it is
 * paused, while the stream is silent, and while Cassandra cannot be asked, or answers no read of the table: then all that is shown is what was.
 */
import type { LeaseList } from '../../contract/leases/lease.ts'
import type { ScanFacts, WatchCounts } from '../../contract/leases/watch.ts'
import { type ApiError, isServerSilent } from '../call/api-error.ts'
import type { Renewals } from '../row/renewals.ts'
import { atTime, nextMoment } from '../row/row-board.ts'
import { silenceMs } from '../stream/event-stream.ts'
import { type LeaseView, type LeaseWindow, viewKey } from '../view/lease-view.ts'
import {
  asRead,
  type Board,
  boardFromHtml,
  changedRows,
  changedSince,
  emptyBoard,
  released,
  standing,
  withChanges,
  withSnapshot,
} from './live-board.ts'
import type { StreamListener, WatchNews } from './watch-stream.ts'

type ShownBoard = Pick<Board, 'rows' | 'offset' | 'below' | 'waits'>

/** What a page shows of a list. A new object for each change. */
export interface Shown extends ShownBoard {
  /** The view whose rows these are, by `viewKey`. null: none has been read yet. */
  key: string | null
  /** null: not known yet. */
  counts: WatchCounts | null
  /** `atMs`: when the scan ended; monotonic. `isBehind`: the next one should have ended long ago. */
  scan: (ScanFacts & { atMs: number | null; isBehind: boolean }) | null
  viewers: number | null
  /** No event has come for a while: the rows may be wrong. `sinceMs`: when the last one came. */
  silence: { sinceMs: number | null } | null
  /**
   * Cassandra answers no read of the table that the rows are of. `sinceMs`: when it answered one last, or none for the first time.
   * `isRefused`: it answers each with a refusal.
   */
  unanswered: { table: string | undefined; sinceMs: number; isRefused: boolean } | null
  /** Why there are no rows, or why they are not read again. */
  error: ApiError | null
  /** The page does not ask again by itself: trying again changes nothing about `error`. */
  isFinal: boolean
  /**
   * `sinceMs`: when what is shown was read, which is when it was paused, or when the reader went to another part or view in the
   * pause. `changes`: how many rows of that window have changed since.
   */
  paused: { sinceMs: number; changes: number } | null
  /** Of a view of one name: when a SERIAL read found no row of it, last. null: it is there, or that is not known. */
  free: FreeRead | null
}

/** A SERIAL read that found no row. */
export interface FreeRead {
  /** The server's time, ISO 8601. */
  at: string
  /** The same moment on the monotonic clock. */
  atMs: number
}

const nothing: Shown = {
  ...boardShown(emptyBoard),
  key: null,
  counts: null,
  scan: null,
  viewers: null,
  silence: null,
  unanswered: null,
  error: null,
  isFinal: false,
  paused: null,
  free: null,
}

function boardShown({ rows, offset, below, waits }: Board): ShownBoard {
  return { rows, offset, below, waits }
}

/** What is known besides the rows. */
type Facts = Omit<Shown, keyof ShownBoard | 'paused'>

interface LiveListParts {
  open: (view: LeaseView & LeaseWindow, listener: StreamListener) => { close(): void }
  now: () => number
  setTimer: (run: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
  renewals?: Renewals | undefined
  /** Something is wrong with the server, or with Cassandra as the server sees it. Who it is has to be found out. */
  onTrouble: () => void
  /** The session may have ended, or have another id now. */
  onSession: () => void
  onCounts?: (view: LeaseView, counts: WatchCounts) => void
}

/** A machine that is busy, and scans of other tables, make a scan so much later without a fault. */
const scanSlackMs = 10_000

/** The longest that `setTimeout` takes without overflowing. */
const maxTimerMs = 2 ** 31 - 1

export class LiveList {
  readonly #parts: LiveListParts
  readonly #listeners = new Set<() => void>()
  #board: Board = emptyBoard
  #shown: Shown = nothing
  #next: Facts = nothing
  #target: (LeaseView & LeaseWindow) | null = null
  #targetKey = ''
  #stream: { close(): void } | null = null
  #lastEventMs: number | null = null
  /** The reader went to another part or view, and its snapshot is still to come: it alone is shown in a pause. */
  #isAwaited = false
  #hold = false
  #isLost = false
  #timer: unknown

  constructor(parts: LiveListParts) {
    this.#parts = parts
  }

  readonly shown = (): Shown => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Rows that are known before the stream has said anything, such as those of the page's HTML; read at `atMs`. */
  begin(view: LeaseView, first: Pick<LeaseList, 'leases' | 'now'>, atMs: number): void {
    this.#board = boardFromHtml(first.leases, first.now, atMs)
    this.#lastEventMs = atMs
    const key = viewKey(view)
    this.#next = { ...this.#next, key }
    const target = this.#target
    const isAwaited =
      this.#isAwaited && target !== null && viewKey(target) === key && target.offset === this.#board.offset
    // The reader is there now: what they pause from here on stays, and the first snapshot is not shown in its place.
    if (isAwaited) this.#isAwaited = false
    const { paused } = this.#shown
    if (isAwaited && paused !== null) this.#shown = { ...this.#shown, paused: { sinceMs: atMs, changes: 0 } }
    this.#show(isAwaited)
  }

  /** Shows this part of this view from its first event on. Until then what was shown stays. */
  watch(view: LeaseView, window: LeaseWindow): void {
    const target = { ...view, ...window }
    const key = JSON.stringify([viewKey(view), window.offset, window.limit])
    if (this.#stream !== null && key === this.#targetKey) return
    // Until the first snapshot a page shows the rows that it began with: in the same place the reader has gone nowhere yet.
    const { key: shownKey, offset, counts } = this.#shown
    const isThere = counts === null && shownKey === viewKey(view) && offset === window.offset
    if (key !== this.#targetKey && !isThere) this.#isAwaited = true
    this.#target = target
    this.#targetKey = key
    this.#open()
  }

  /** Reads nothing until `watch`. */
  leave(): void {
    this.#target = null
    this.sleep()
  }

  /** Reads nothing until `wake` or `watch`: the page is hidden, and a browser has few connections to one server. */
  sleep(): void {
    this.#stream?.close()
    this.#stream = null
    this.#parts.clearTimer(this.#timer)
  }

  wake(): void {
    if (this.#target === null || (this.#stream !== null && !this.#next.isFinal)) return
    const sinceMs = this.#lastEventMs
    if (sinceMs !== null && this.#parts.now() - sinceMs >= silenceMs) this.#set({ silence: { sinceMs } })
    this.#open()
  }

  /** Asks again after a refusal. */
  readonly retry = (): void => {
    if (this.#target !== null) this.#open()
  }

  /** While a pointer or the focus is on the rows none may change its place. */
  readonly hold = (on: boolean): void => {
    if (this.#hold === on) return
    this.#hold = on
    if (!on) this.#release()
    this.#show()
  }

  /** What waits for the pointer or the focus to leave is shown now: the reader asked for it. */
  readonly letIn = (): void => {
    this.#release()
    this.#show()
  }

  #release(): void {
    const { counts } = this.#next
    if (counts !== null) this.#board = released(this.#board, counts.matching)
  }

  /** What is shown stays as it is; what comes meanwhile is counted. */
  readonly pause = (on: boolean): void => {
    if ((this.#shown.paused !== null) === on) return
    const paused = on ? { sinceMs: this.#parts.now(), changes: 0 } : null
    this.#shown = { ...this.#shown, paused }
    if (on) {
      this.#shown = { ...this.#shown, rows: this.#shown.rows.map(standing) }
      this.#say()
    } else this.#show()
  }

  /** Cassandra cannot be asked. */
  lose(on: boolean): void {
    if (this.#isLost === on) return
    this.#isLost = on
    this.#show()
    const { silence, error } = this.#next
    // It is there again: the next attempt of the stream may be seconds away.
    if (!on && (silence !== null || error !== null) && this.#stream !== null) this.#open()
  }

  #open(): void {
    this.#stream?.close()
    const view = this.#target
    if (view === null) return
    if (this.#next.isFinal) this.#set({ isFinal: false })
    const ifCurrent = (run: () => void) => () => {
      if (stream === this.#stream) run()
    }
    const stream = this.#parts.open(view, {
      news: (news) => ifCurrent(() => this.#take(view, news))(),
      // A stream that has heard nothing yet does not know since when: the list does.
      silence: (silence) =>
        ifCurrent(() =>
          this.#set({ silence: silence && { sinceMs: silence.sinceMs ?? this.#lastEventMs } }),
        )(),
      broken: (error, isFinal) => ifCurrent(() => this.#broke(error, isFinal))(),
      sessionEnded: ifCurrent(() => this.#parts.onSession()),
    })
    this.#stream = stream
    // Rows may be there before its first event, and none of their moments has had a timer while there was no stream.
    this.#turn()
  }

  #broke(error: ApiError, isFinal: boolean): void {
    if (error.code === 'unauthenticated') this.#parts.onSession()
    else if (isServerSilent(error) || error.status >= 500) this.#parts.onTrouble()
    this.#set({ error, isFinal })
  }

  #take(view: LeaseView, news: WatchNews): void {
    const { name, data, atMs } = news
    this.#lastEventMs = atMs
    const next = { ...this.#next, error: null, isFinal: false, silence: null }
    let changes = 0
    let isAwaited = false
    if (name === 'snapshot') {
      const key = viewKey(view)
      // Another part of the view is shown although it is paused: the reader went there.
      isAwaited = this.#isAwaited
      this.#isAwaited = false
      const before = key === next.key ? this.#board : emptyBoard
      if (!isAwaited) changes = changedSince(before, data)
      this.#board = withSnapshot(before, data, atMs, this.#hold)
      Object.assign(next, { key, counts: data.counts, free: null })
    } else if (name === 'changes') {
      changes = changedRows(this.#board, data)
      this.#board = withChanges(this.#board, data, atMs, this.#hold, this.#parts.now())
      if (data.counts !== undefined) next.counts = data.counts
    } else next.viewers = data.viewers
    if (name !== 'heartbeat' && data.free !== undefined) next.free = freeRead(data.free, data.now, atMs)
    if (name !== 'changes') {
      const { endedAt } = data.scan
      const momentMs = (instant: string) => atMs - (Date.parse(data.now) - Date.parse(instant))
      const scannedAtMs = endedAt === null ? null : momentMs(endedAt)
      next.scan = { ...data.scan, atMs: scannedAtMs, isBehind: isBehind(data.scan, data.now) }
      const { store } = data
      next.unanswered =
        store.kind === 'good'
          ? null
          : {
              table: view.table,
              sinceMs: momentMs(store.asOf ?? store.since),
              isRefused: store.refused === true,
            }
      if (store.kind === 'lost') this.#parts.onTrouble()
    }
    this.#next = next
    if (name !== 'heartbeat' && next.counts !== null) this.#parts.onCounts?.(view, next.counts)
    const { paused } = this.#shown
    if (paused !== null) {
      const counted = isAwaited
        ? { sinceMs: atMs, changes: 0 }
        : { ...paused, changes: paused.changes + changes }
      this.#shown = { ...this.#shown, paused: counted }
    }
    this.#show(isAwaited)
  }

  #set(over: Partial<Facts>): void {
    this.#next = { ...this.#next, ...over }
    this.#show()
  }

  /** `showsInPause`: shows its rows although it is paused, as they are the part to which the reader went. */
  #show(showsInPause = false): void {
    const nowMs = this.#parts.now()
    const { paused } = this.#shown
    const { silence, unanswered, error, isFinal } = this.#next
    if (paused === null) {
      const { rows: before } = this.#board
      const rows = this.#isUnread ? asRead(before) : atTime(before, nowMs, this.#hold)
      if (rows !== before) this.#board = { ...this.#board, rows }
    }
    this.#parts.renewals?.note(this.#board.rows)
    const { rows } = this.#board
    if (paused === null) this.#shown = { ...this.#next, ...boardShown(this.#board), paused }
    else if (showsInPause)
      this.#shown = { ...this.#next, ...boardShown(this.#board), rows: rows.map(standing), paused }
    else this.#shown = { ...this.#shown, silence, unanswered, error, isFinal }
    this.#say()
    this.#schedule(nowMs)
  }

  /** No row is read: no time may pass for what is shown. */
  get #isUnread(): boolean {
    const { silence, unanswered } = this.#next
    return silence !== null || unanswered !== null || this.#isLost
  }

  get #isStill(): boolean {
    return this.#isUnread || this.#shown.paused !== null
  }

  #say(): void {
    for (const listener of this.#listeners) listener()
  }

  /** `atMs`: when the states of the rows were computed. The page was drawn since then, and a lease may have ended during the drawing. */
  #schedule(atMs: number): void {
    this.#parts.clearTimer(this.#timer)
    if (this.#isStill || this.#stream === null) return
    const moment = nextMoment(this.#board.rows, atMs)
    if (moment === null) return
    const leftMs = Math.max(0, moment - this.#parts.now())
    this.#timer = this.#parts.setTimer(() => this.#turn(), Math.min(maxTimerMs, leftMs))
  }

  /** Said only if time has changed something. */
  #turn(): void {
    const before = this.#board.rows
    const nowMs = this.#parts.now()
    if (!this.#isStill && atTime(before, nowMs, this.#hold) !== before) this.#show()
    else this.#schedule(nowMs)
  }
}

/** The next scan may take twice as long as this one did. Of a table that was never scanned nothing is said at all. */
const isBehind = ({ endedAt, tookMs, pauseMs }: ScanFacts, now: string): boolean =>
  endedAt !== null && Date.parse(now) - Date.parse(endedAt) > pauseMs + 2 * tookMs + scanSlackMs

const freeRead = (at: string | null, now: string, atMs: number): FreeRead | null =>
  at === null ? null : { at, atMs: Math.min(atMs, atMs - (Date.parse(now) - Date.parse(at))) }
