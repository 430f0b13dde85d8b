import { isLeaseholdError } from 'leasehold/lease'
import { type Clock, elapsedMs, type Moment, type Timer } from 'leasehold/time'
import {
  type AuditAlarm,
  type AuditChain,
  type AuditEntry,
  type AuditEvent,
  auditChains,
  type ShownEntry,
} from '../../contract/audit.ts'
import type { Log } from '../http/log/log.ts'
import type { RowVersions } from '../store/row-versions.ts'
import { type Anchor, type Head, newestAnchor } from './anchors/anchor.ts'
import type { AuditKey } from './anchors/audit-key.ts'
import type { KeptVersions } from './anchors/versions-file.ts'
import type { AuditFilter, AuditLog, AuditMeter, AuditState } from './audit-entry.ts'
import type { AuditStore } from './chain/audit-store.ts'
import { ChainWriter } from './chain/chain-writer.ts'
import { AuditDamagedError } from './chain/end/chain-alarm.ts'
import { ChainEnd } from './chain/end/chain-end.ts'
import { ChainFollower } from './chain/end/follower.ts'
import { isBefore, lastKnown, type Seen } from './chain/end/seen.ts'
import { entryOf } from './chain/entry-body.ts'
import { AlteredEntries } from './pages/altered-entries.ts'
import { AuditReader } from './pages/audit-reader.ts'
import { FloodGate } from './refusals/flood-gate.ts'

export interface StoredAuditLogOptions {
  store: AuditStore
  /** Names the log in its anchors. */
  keyspace: string
  key: AuditKey
  anchors: { keep(anchor: Anchor): Promise<void>; all(): readonly Anchor[] }
  clock: Clock
  timer: Timer
  log: Log
  /** Refusals that are written by themselves; more are counted. Default 20. */
  refusalsPerSecond?: number
  appendWithinMs?: number | undefined
  /** The entry after which the chain is read for row versions. Default: its beginning. */
  since?: Seen | null
  /** Gets each row version that an entry names, of this process at once; known once the chain was followed to its end. */
  versions?: RowVersions
  /** What this installation knew when it last followed the chain: where to read on, and what stands in for a damaged chain. */
  kept?: { read(): KeptVersions | null; write(kept: KeptVersions): Promise<void> }
  meter?: AuditMeter | undefined
}

/** How much later than another instance's change this one refuses the row before it. */
const followEveryMs = 1_000
/** Once a minute: partitions that no console has written, and altered entries. */
const lookEveryRounds = 60
const closeWithinMs = 2_000
/** Refusals that may wait for the store at once; in an outage, more are counted. */
const refusalsWaiting = 500

/** The audit log in Cassandra: two chains, each written by a `ChainWriter`. */
export class StoredAuditLog implements AuditLog, AuditState {
  readonly #options: StoredAuditLogOptions
  readonly #ends: Record<AuditChain, ChainEnd>
  readonly #writers: Record<AuditChain, ChainWriter>
  readonly #gate: FloodGate
  readonly #reader: AuditReader
  readonly #altered: AlteredEntries
  readonly #follower: ChainFollower
  /** Whether the kept versions cover each entry that this installation has anchored. */
  readonly #standsIn: boolean
  #keptAt: Seen | null
  #followedAt: Moment

  constructor(options: StoredAuditLogOptions) {
    const { store, keyspace, anchors, key, clock, timer, log, refusalsPerSecond = 20 } = options
    this.#options = options
    this.#followedAt = clock.now()
    const anchor = (head: Head) => this.#anchor(head)
    const { since = null, versions } = options
    const kept = keptAfter(since, options.kept?.read() ?? null)
    const anchored = newestAnchor(anchors.all(), keyspace, 'main')
    this.#standsIn = kept !== null && (anchored === null || isAtOrAfter(kept.at, anchored))
    this.#keptAt = kept?.at ?? null
    for (const row of kept?.rows ?? []) versions?.note(row)
    versions?.miss({ why: 'unread' })
    const endOf = (chain: AuditChain, anchored: Seen | null) =>
      new ChainEnd({ store, chain, key, clock, log, anchored })
    this.#ends = {
      main: endOf('main', lastKnown(anchored, this.#keptAt)),
      refused: endOf('refused', newestAnchor(anchors.all(), keyspace, 'refused')),
    }
    const writer = (chain: AuditChain) =>
      new ChainWriter({
        store,
        chain,
        key,
        clock,
        timer,
        log,
        anchor,
        end: this.#ends[chain],
        appendWithinMs: options.appendWithinMs,
      })
    this.#writers = { main: writer('main'), refused: writer('refused') }
    const write = (event: AuditEvent) => this.#writers.refused.appendUntilWritten(event)
    this.#gate = new FloodGate({ clock, timer, perSecond: refusalsPerSecond, write })
    const note = (rows: AuditEvent['rows']) => this.#note(rows)
    const from = this.#keptAt ?? since
    this.#follower = new ChainFollower({ store, chain: 'main', end: this.#ends.main, since: from, note })
    this.#altered = new AlteredEntries({ chains: this.#ends, keyId: key.id, since, log })
    this.#reader = new AuditReader(store, this.#ends, this.#altered)
  }

  async append(event: AuditEvent): Promise<AuditEntry> {
    const chain = chainOf(event)
    const entry = await this.#metered(
      event,
      chain,
      this.#counted(chain, event) ?? this.#writers[chain].append(event),
    )
    this.#note(event.rows)
    return entry
  }

  appendUntilWritten(event: AuditEvent): Promise<unknown> {
    this.#note(event.rows)
    const chain = chainOf(event)
    return this.#metered(
      event,
      chain,
      this.#counted(chain, event) ?? this.#writers[chain].appendUntilWritten(event),
    )
  }

  get followAgeMs(): number {
    return elapsedMs(this.#followedAt, this.#options.clock.now())
  }

  get pending(): readonly AuditEvent[] {
    return auditChains.flatMap((chain) => this.#writers[chain].pending)
  }

  get alarms(): readonly AuditAlarm[] {
    // One that refuses acts asks for the same restart.
    const altered = this.#altered.alarms.filter(({ chain }) => this.#ends[chain].alarm === null)
    return [...auditChains.flatMap((chain) => this.#ends[chain].alarms), ...altered]
  }

  page(filter: AuditFilter): Promise<{ entries: ShownEntry[]; nextCursor: string | null }> {
    return this.#reader.page(filter)
  }

  openIntents(): Promise<AuditEntry[]> {
    const { wallMs } = this.#options.clock.now()
    const outcomes = this.pending.filter(({ phase }) => phase === 'outcome')
    return this.#reader.openIntents(wallMs, new Set(outcomes.map(({ id }) => id)))
  }

  async follow(): Promise<void> {
    const began = this.#options.clock.now()
    try {
      await this.#follower.catchUp()
    } catch (thrown) {
      if (thrown instanceof AuditDamagedError) await this.#standIn(thrown)
      throw thrown
    }
    this.#followedAt = began
    this.#options.versions?.known()
  }

  /** Called before the first request is served. If it fails, `versions` says so, and `watch` tries again. */
  async begin(): Promise<void> {
    await this.follow()
      .then(() => this.#keep())
      .catch((error) => this.#options.log.error({ error }, 'audit: the log could not be followed'))
  }

  /** Follows both chains until the signal aborts: what other instances wrote, and whether their ends are where they were. */
  async watch(signal: AbortSignal): Promise<void> {
    const { timer, log } = this.#options
    const report = (error: unknown) => {
      // The alarm is in the log already; an outage is logged by each request that needs Cassandra.
      if (!(error instanceof AuditDamagedError) && !isLeaseholdError(error))
        log.error({ error }, 'audit: the log could not be followed')
    }
    for (let round = 0; !signal.aborted; round++) {
      const isLook = round % lookEveryRounds === 0
      const main = this.follow().then(() => this.#keep())
      const refused = isLook || this.#ends.refused.isKnown ? this.#followRefused() : Promise.resolve()
      // Caught at once: each may fail while the look for changes goes on.
      const followed = [main.catch(report), refused.catch(report)]
      if (isLook) await this.lookForChanges()
      await Promise.all(followed)
      await timer.sleep(followEveryMs, signal)
    }
  }

  /**
   * Nothing is learned from refusals, so their end alone is read. One that another instance wrote is anchored here too: then a
   * restart from this data directory goes on after it, where that instance finds the restart.
   */
  async #followRefused(): Promise<void> {
    const end = this.#ends.refused
    const before = end.seen
    const { last } = await end.find()
    const entry = last === null || last.row.hash === before?.hash ? null : entryOf(last.row)
    if (entry === null) return
    const { at, chain, bucket, seq, hash, keyId } = entry
    await this.#anchor({ at, chain, bucket, seq, hash, keyId })
  }

  /** Partitions of other clients, which the chains do not enter; and whether altered entries are still altered. Never rejects. */
  async lookForChanges(): Promise<void> {
    for (const chain of auditChains) await this.#ends[chain].lookForPlanted().catch(() => {})
    await this.#altered.lookAgain().catch(() => {})
  }

  async close(): Promise<void> {
    const { clock, timer, log } = this.#options
    this.#gate.tell()
    const untilMs = clock.now().monotonicMs + closeWithinMs
    while (this.pending.length > 0 && clock.now().monotonicMs < untilMs) await timer.sleep(20)
    if (this.#options.kept !== undefined) {
      const last = this.follow().then(() => this.#keep())
      await Promise.race([last.catch(() => {}), timer.sleep(closeWithinMs)])
    }
    for (const writer of Object.values(this.#writers)) writer.close()
    for (const event of this.pending) log.error({ event }, 'audit: ended before this could be written')
  }

  /**
   * The chain cannot tell which rows count. What was kept can, with what is left of the chain after it; else no row counts
   * until an operator has restarted the chain.
   */
  async #standIn({ alarm }: AuditDamagedError): Promise<void> {
    const { versions } = this.#options
    if (versions === undefined || versions.isKnown) return
    await this.#follower.readWhatIsLeft()
    if (this.#standsIn) versions.known()
    else versions.miss({ why: 'damaged', detail: alarm.detail })
  }

  /** After the chain was followed. */
  async #keep(): Promise<void> {
    const { kept, versions, log } = this.#options
    const { at } = this.#follower
    if (kept === undefined || versions === undefined || at === null || at.hash === this.#keptAt?.hash) return
    try {
      await kept.write({ at, rows: versions.all() })
      this.#keptAt = at
    } catch (error) {
      log.error({ error }, 'audit: the row versions could not be kept in the data directory')
    }
  }

  /** The promise itself where no meter counts. */
  #metered<T>(event: AuditEvent, chain: AuditChain, writing: Promise<T>): Promise<T> {
    const { meter, clock } = this.#options
    if (meter === undefined) return writing
    const began = clock.now()
    const ended = (how: 'written' | 'failed') =>
      meter.appended(event, chain, how, elapsedMs(began, clock.now()))
    writing.then(
      () => ended('written'),
      () => ended('failed'),
    )
    return writing
  }

  #note(rows: AuditEvent['rows']): void {
    for (const row of rows ?? []) this.#options.versions?.note(row)
  }

  #counted(chain: AuditChain, event: AuditEvent): Promise<AuditEntry> | null {
    if (chain === 'main') return null
    return this.#gate.count(event, this.#writers.refused.pending.length >= refusalsWaiting)
  }

  /** In the structured log and on the disk. An anchor that cannot be kept does not undo the entry. */
  async #anchor(head: Head): Promise<void> {
    const { log, anchors, keyspace } = this.#options
    const anchor = { keyspace, ...head }
    log.info({ anchor }, 'audit')
    try {
      await anchors.keep(anchor)
    } catch (error) {
      log.error({ error, anchor }, 'audit: the anchor could not be kept in the data directory')
    }
  }
}

/** Refusals go where a flood of them delays nothing else: a viewer too may try a thousand times. */
function chainOf({ act, phase, outcome }: AuditEvent): AuditChain {
  return act === 'refusal' || (phase === 'event' && outcome === 'refused') ? 'refused' : 'main'
}

/** Versions that were kept under an older key say nothing of this key's chain. */
const keptAfter = (since: Seen | null, kept: KeptVersions | null): KeptVersions | null =>
  kept !== null && since !== null && isBefore(kept.at, since) ? null : kept

const isAtOrAfter = (one: Seen, other: Seen): boolean =>
  isBefore(other, one) || (!isBefore(one, other) && one.hash === other.hash)
