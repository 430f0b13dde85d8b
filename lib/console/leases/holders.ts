/**
 * Blocking queries: waiting until the holder of a lease changes.
 *
 * However many requests wait for one lease, it is watched once: the number of statements does not depend on the number of
 * requests. The lease is read at SERIAL when a request comes, so that its sender is never answered with less than it
 * knows, and again when its wait is over: renewals end no wait, and what was read first is overdue by then. While a request
 * has read another holder than the watch passed on last, it reads each second, together with all such requests. Requests that
 * come while the lease is read share the next read, which begins after all of them.
 * Does not guarantee: that every holder is seen. Of two changes between two looks, the first may be missed. A look comes
 * every tenth of a second at first, and later after a fifth of the time since the last change, up to a second. It asks one
 * replica; where that one is behind, up to ten seconds may pass.
 */

import { isLeaseholdError, type LeaseView } from 'leasehold/lease'
import { type Clock, elapsedMs, onAbort, type Timer } from 'leasehold/time'
import { tooManyRequests } from '../http/limits/request-limits.ts'
import type { Log } from '../http/log/log.ts'
import { isHeld, type LeaseTable } from './lease-table.ts'

/** Leases that are watched at once. */
export const watchesMax = 2_000

/** The longest time between two looks at a lease that does not change, in milliseconds. */
const idleLookEveryMs = 1_000

interface Reading {
  /** The read that is under way. */
  current: Promise<LeaseView | null>
  /** The next read, for requests that came during this one. */
  next: Promise<LeaseView | null> | undefined
}

interface Watch {
  readonly abort: AbortController
  readonly listeners: Set<(view: LeaseView | null) => void>
  /** The last view that it passed on; undefined: none yet. */
  told: LeaseView | null | undefined
  /** Ends when its next look is due. Requests whose own read is newer than that view repeat it then, together. */
  pause: Promise<void> | undefined
}

export class Holders {
  readonly #deps: { clock: Clock; timer: Timer; log: Log }
  /** Aborted when the server is about to end: all waits are over then. */
  readonly #closing: AbortSignal
  readonly #watches = new Map<string, Watch>()
  readonly #readings = new Map<string, Reading>()

  constructor(deps: { clock: Clock; timer: Timer; log: Log }, closing: AbortSignal) {
    this.#deps = deps
    this.#closing = closing
  }

  /** How many leases are watched. */
  get watched(): number {
    return this.#watches.size
  }

  /**
   * The lease once its holder differs from `since` (empty: no holder), else as it is when the wait is over.
   * @param holder the holder in the words of `since`
   * @throws HttpProblem too-many-requests: requests wait for as many other leases as this server watches
   * @throws StoreUnavailableError when the first read or the last one fails; a failure between them makes the wait longer
   */
  async changed(
    table: LeaseTable,
    name: string,
    since: string,
    waitMs: number,
    signal: AbortSignal,
    holder: (view: LeaseView | null) => string = (view) => holderIn(view, table, since),
  ): Promise<LeaseView | null> {
    const { clock, timer } = this.#deps
    const started = clock.now()
    const differs = (view: LeaseView | null) => holder(view) !== since
    if (waitMs === 0) return table.leases.read(name)

    // Listens before it reads, so that no change falls between the two.
    const over = new AbortController()
    const heard: (LeaseView | null)[] = []
    let wake = () => {}
    const { watch, leave } = this.#listen(table, name, (view) => {
      heard.push(view)
      wake()
    })
    const end = () => over.abort()
    const forget = [signal, this.#closing].map((each) => onAbort(each, end))
    try {
      let seen = await this.#read(table, name)
      const again = async () => {
        seen = await this.#read(table, name).catch((thrown) => {
          if (isLeaseholdError(thrown, 'store-unavailable')) return seen
          throw thrown
        })
      }
      const timeOver = timer.sleep(Math.max(0, waitMs - elapsedMs(started, clock.now())), over.signal)
      let isOver = false
      timeOver.then(() => {
        isOver = true
        wake()
      })
      for (;;) {
        if (differs(seen) || signal.aborted) return seen
        if (isOver || over.signal.aborted) return await this.#read(table, name)
        const next = heard.shift()
        if (next === undefined) {
          const woken = new Promise<void>((resolve) => {
            wake = resolve
          })
          if (watch.told === undefined || isSame(watch.told, seen)) await woken
          else {
            // The watch has not looked since this request read. It tells what differs from its own last look: where that comes back, nothing.
            watch.pause ??= timer.sleep(idleLookEveryMs, watch.abort.signal).finally(() => {
              watch.pause = undefined
            })
            await Promise.race([woken, watch.pause])
            if (heard.length === 0 && !isOver && !over.signal.aborted) await again()
          }
        } else if (next?.version == null || seen?.version == null) {
          // Nothing tells which of the two is newer: a look that was sent before this request may be answered after it.
          if (differs(next)) await again()
          // The watch may report a read that is older than this request's own.
        } else if (next.version >= seen.version) seen = next
      }
    } finally {
      over.abort()
      leave()
      for (const each of forget) each()
    }
  }

  /** The lease by a SERIAL read that begins after this call. */
  #read(table: LeaseTable, name: string): Promise<LeaseView | null> {
    const key = keyOf(table, name)
    const reading = this.#readings.get(key)
    if (reading === undefined) return this.#readNow(key, table, name)
    const after = () => this.#readNow(key, table, name)
    reading.next ??= reading.current.then(after, after)
    return reading.next
  }

  #readNow(key: string, table: LeaseTable, name: string): Promise<LeaseView | null> {
    const current = table.leases.read(name)
    const reading: Reading = { current, next: undefined }
    this.#readings.set(key, reading)
    const forget = () => {
      if (reading.next === undefined) this.#readings.delete(key)
    }
    current.then(forget, forget)
    return current
  }

  #listen(
    table: LeaseTable,
    name: string,
    listener: (view: LeaseView | null) => void,
  ): { watch: Watch; leave: () => void } {
    const key = keyOf(table, name)
    let watch = this.#watches.get(key)
    if (watch === undefined) {
      if (this.#watches.size >= watchesMax)
        throw tooManyRequests(
          `Requests wait for ${watchesMax} different leases here already, and for no more at the same time; ask without wait, or again later.`,
          1_000,
        )
      watch = { abort: new AbortController(), listeners: new Set(), told: undefined, pause: undefined }
      this.#watches.set(key, watch)
      void this.#run(key, watch, table, name)
    }
    const { abort, listeners } = watch
    listeners.add(listener)
    const leave = () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      abort.abort()
      if (this.#watches.get(key)?.abort === abort) this.#watches.delete(key)
    }
    return { watch, leave }
  }

  async #run(key: string, watch: Watch, table: LeaseTable, name: string): Promise<void> {
    try {
      for await (const view of table.leases.watch(name, {
        signal: watch.abort.signal,
        idleHintEveryMs: idleLookEveryMs,
      })) {
        watch.told = view
        for (const tell of watch.listeners) tell(view)
      }
    } catch (error) {
      this.#deps.log.error(
        { error, lease: name },
        'a watch ended; those who wait go on until their time is over',
      )
      if (this.#watches.get(key) === watch) this.#watches.delete(key)
    }
  }
}

const keyOf = ({ id }: LeaseTable, name: string): string => JSON.stringify([id, name])

/** For a watch, which tells of other owners and values alone. */
const isSame = (one: LeaseView | null, other: LeaseView | null): boolean =>
  one?.owner === other?.owner && one?.value === other?.value

/** The holder in the words of `since`. Without an owner column, any holder is the one that is waited for. */
function holderIn(view: LeaseView | null, table: LeaseTable, since: string): string {
  if (!isHeld(view, table)) return ''
  return view.owner ?? (since === '' ? 'a holder' : since)
}
