/**
 * Gauges of leases that the configuration names: whether each has a holder, how often it changed hands, and how long it had
 * none.
 *
 * Guarantees: each change that counts was read at SERIAL (`LeaseProtocol.watch`).
 * Does not guarantee: that every holder is seen: one that came and went between two looks is not counted. Time without a holder
 * begins when it is seen, up to a second late; before the first read, and for the outage that a holder's own expiry falls
 * into, nothing is known, and the last known state stays. While reads are refused there is no state.
 * Costs Cassandra about one read a second for each name, and for each instance.
 */
import { isLeaseholdError, isQuarantine, type LeaseView } from 'leasehold/lease'
import { type Clock, elapsedMs, type Moment, type Timer } from 'leasehold/time'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Log } from '../http/log/log.ts'
import { isHeld, type LeaseTable } from '../leases/lease-table.ts'

/** The longest time between two looks at a lease that does not change, in milliseconds. */
const lookEveryMs = 1_000
/** After a watch that failed, in milliseconds. */
const againAfterMs = 5_000

interface WatchedLease {
  readonly labels: { readonly table: string; readonly lease: string }
  readonly table: LeaseTable
  /** undefined: not read yet, or not since a read was refused. */
  holder: string | null | undefined
  lastHolder: string | null
  handOvers: number
  /** Without the time since `freeSince`. */
  leaderlessMs: number
  freeSince: Moment | null
}

interface Deps {
  clock: Clock
  timer: Timer
  log: Log
}

export class WatchedLeases {
  readonly #deps: Deps
  readonly #leases: readonly WatchedLease[]

  constructor(
    registry: Registry,
    names: readonly { readonly table: LeaseTable; readonly name: string }[],
    deps: Deps,
  ) {
    this.#deps = deps
    this.#leases = names.map(({ table, name }) => ({
      table,
      labels: { table: table.id, lease: name },
      holder: undefined,
      lastHolder: null,
      handOvers: 0,
      leaderlessMs: 0,
      freeSince: null,
    }))
    if (names.length > 0) this.#register(registry)
  }

  /** Watches until the signal aborts. Never rejects. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#leases.map((lease) => this.#follow(lease, signal)))
  }

  async #follow(lease: WatchedLease, signal: AbortSignal): Promise<void> {
    const { table, labels } = lease
    const options = { signal, idleHintEveryMs: lookEveryMs }
    while (!signal.aborted)
      try {
        for await (const view of table.leases.watch(labels.lease, options)) this.#saw(lease, view)
        return
      } catch (error) {
        if (signal.aborted || isLeaseholdError(error, 'closed')) return
        const { log, timer } = this.#deps
        log.error({ error, ...labels }, 'metrics: a watch failed, and begins again')
        this.#lost(lease)
        await timer.sleep(againAfterMs, signal)
      }
  }

  /** Its state is not known: a gauge that stands still would hide the lease's next holder, or that it has none. */
  #lost(lease: WatchedLease): void {
    lease.holder = undefined
    if (lease.freeSince === null) return
    lease.leaderlessMs += elapsedMs(lease.freeSince, this.#deps.clock.now())
    lease.freeSince = null
  }

  #saw(lease: WatchedLease, view: LeaseView | null): void {
    const now = this.#deps.clock.now()
    const holder = holderOf(view, lease.table)
    if (lease.freeSince !== null && holder !== null) {
      lease.leaderlessMs += elapsedMs(lease.freeSince, now)
      lease.freeSince = null
    }
    if (holder === null) lease.freeSince ??= now
    // The first holder that is seen took over from nothing that is known.
    if (holder !== null && lease.lastHolder !== null && holder !== lease.lastHolder) lease.handOvers += 1
    lease.holder = holder
    lease.lastHolder = holder ?? lease.lastHolder
  }

  #register(registry: Registry): void {
    const [leases, { clock }] = [this.#leases, this.#deps]
    const about = { labelNames: ['table', 'lease'] as const, registers: [registry] }
    new Gauge({
      name: 'leasehold_lease_held',
      help: '1: the lease has a holder, as last read at SERIAL. 0: it has none. Of LEASEHOLD_METRICS_LEASES.',
      ...about,
      collect() {
        this.reset()
        for (const { labels, holder } of leases)
          if (holder !== undefined) this.set({ ...labels }, holder === null ? 0 : 1)
      },
    })
    new Counter({
      name: 'leasehold_lease_hand_overs_total',
      help: 'How often the lease had another holder than before, since this process watches it.',
      ...about,
      collect() {
        this.reset()
        for (const { labels, handOvers } of leases) this.inc({ ...labels }, handOvers)
      },
    })
    new Counter({
      name: 'leasehold_lease_leaderless_seconds_total',
      help: 'How long the lease had no holder, since this process watches it. A quarantine is no holder.',
      ...about,
      collect() {
        const now = clock.now()
        this.reset()
        for (const { labels, leaderlessMs, freeSince } of leases) {
          const sinceMs = freeSince === null ? 0 : elapsedMs(freeSince, now)
          this.inc({ ...labels }, (leaderlessMs + sinceMs) / 1000)
        }
      },
    })
  }
}

/** null: no holder. Without an owner column, each row is the same holder: hand-overs cannot be seen there. */
function holderOf(view: LeaseView | null, table: LeaseTable): string | null {
  if (!isHeld(view, table)) return null
  if (view.owner !== null && isQuarantine(view.owner)) return null
  return view.owner ?? ''
}
