/**
 * Writes the history of all tables, from what the watch sees.
 *
 * 1. One instance at a time is the recorder, by our own lease `leasehold/recorder`. All instances watch; one writes.
 * 2. It reads until when the recorder before it has looked. What lies between that and its own beginning was not observed.
 * 3. Each change that its watch shows becomes an event, with an id made of what it says; renewals are counted by the minute.
 * 4. Every few seconds it writes until when it has looked, behind the events of that time.
 *
 * Guarantees: a process that lost the lease begins no further statement with events. An event that two recorders wrote is one row, or is shown
 * once (`leasehold/history`). When a recorder dies, another one takes over after its lease's TTL.
 * Does not guarantee: that everything is seen: docs/guarantees.md.
 * Tuned by: `ttlSeconds`, the longest gap after a crash; the pace of the scans, which bounds how exact the times are.
 */
import type { EventStore } from 'leasehold/history'
import { isLeaseholdError, type Lease, type LeaseProtocol, Leases } from 'leasehold/lease'
import { type Clock, minKeptTtlSeconds, systemTimer, type Timer } from 'leasehold/time'
import type { Log } from '../../http/log/log.ts'
import type { TableWatch } from '../../watch/table-watch.ts'
import type { RecordingStore } from '../recordings.ts'
import { TableRecorder } from './table-recorder.ts'
import { WriteQueue } from './write-queue.ts'

export const recorderLease = 'leasehold/recorder'
const ttlSeconds = 15
const beatMs = 5_000
const retryMs = 2_000
const endWithinMs = 1_000

/** One configured table, and where its history is kept. */
interface RecordedTable {
  /** `keyspace.table` in Cassandra. */
  readonly leaseTable: string
  readonly events: EventStore
  watch(): TableWatch
  /** Whether the history leaves this lease out. Left out: it has all. */
  readonly passesOver?: ((name: string) => boolean) | undefined
}

interface RecorderDeps {
  readonly tables: readonly RecordedTable[]
  readonly recordings: RecordingStore
  /** The protocol on the console's own table. */
  readonly leases: LeaseProtocol
  readonly clock: Clock
  readonly log: Log
  readonly timer?: Timer
  /** Events that wait to be written, at most. */
  readonly waitingMax?: number
}

export class Recorder {
  readonly #deps: RecorderDeps
  readonly #timer: Timer
  readonly #leases: Leases
  #running: Promise<void> = Promise.resolve()

  constructor(deps: RecorderDeps) {
    this.#deps = deps
    this.#timer = deps.timer ?? systemTimer
    const { context } = deps.leases
    const leastSeconds = minKeptTtlSeconds(context.maxClockSkewMs, context.store.paxosVariant)
    this.#leases = new Leases({ ...context, defaultTtlSeconds: Math.max(ttlSeconds, leastSeconds) })
  }

  /** Campaigns, and records when elected, until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void> {
    this.#running = this.#run(signal)
    return this.#running
  }

  /** Once it has given the lease up, so that another instance takes over at once; `endWithinMs` at most. */
  async ended(): Promise<void> {
    await Promise.race([this.#running, this.#timer.sleep(endWithinMs)])
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#record(
          await this.#leases.acquire(recorderLease, { signal, idleHintEveryMs: 1_000 }),
          signal,
        )
      } catch (error) {
        if (signal.aborted || isLeaseholdError(error, 'closed')) break
        if (!isLeaseholdError(error, 'store-unavailable') && !isLeaseholdError(error, 'outcome-unknown'))
          this.#deps.log.error({ error }, 'the recorder of the history')
      }
      await this.#timer.sleep(retryMs, signal)
    }
    await this.#leases.close()
  }

  async #record(lease: Lease, signal: AbortSignal): Promise<void> {
    const { tables, recordings, clock, log } = this.#deps
    const queue = new WriteQueue({
      timer: this.#timer,
      waitingMax: this.#deps.waitingMax,
      isElected: () => lease.held,
      refused: (error) => log.error({ error }, 'an event of the history was not written'),
    })
    const recorders = tables.map(
      ({ watch, ...table }) =>
        new TableRecorder({ ...table, watch: watch(), recordings, queue, clock, recorder: lease.owner }),
    )
    const ended = AbortSignal.any([signal, lease.signal])
    try {
      while (!ended.aborted) {
        for (const recorder of recorders) await this.#beat(recorder, lease)
        await this.#timer.sleep(beatMs, ended)
      }
      for (const recorder of recorders) recorder.end()
      if (lease.held) await Promise.all(recorders.map((recorder) => recorder.conclude()))
    } finally {
      for (const recorder of recorders) recorder.end()
      await lease.release().catch(() => {})
    }
  }

  /** While Cassandra does not answer, the stretch stands still, and the events wait. */
  async #beat(recorder: TableRecorder, lease: Lease): Promise<void> {
    if (!lease.held) return
    try {
      await recorder.beat()
    } catch (error) {
      if (!isLeaseholdError(error, 'store-unavailable')) throw error
    }
  }
}
