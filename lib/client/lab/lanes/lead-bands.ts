/**
 * Who leads by Cassandra, from answers and SERIAL reads alone.
 *
 * A band begins at the answer of an applied acquisition, or at the first read that shows its candidate. It ends at the
 * expiry as last known, at the answer of a release, or at a read that shows something else. A read says what the row was
 * at some instant between its sending and its answer: what it denies must have been known before it was sent.
 *
 * An acquisition that is applied while another candidate’s row is surely there ends no band: both are drawn, and the
 * verdict says so.
 */
import type { Entry } from '../../../contract/lab/journal.ts'
import { type Band, type LaneRecord, mark } from './lane-record.ts'
import type { LaneId } from './lanes.ts'

const secondMs = 1_000
/** How far apart two conversions of one instant of Cassandra’s clock may be. */
const clockSlackMs = 50

export class LeadBands {
  readonly #ttlMs: number
  readonly #laneOf: (id: LaneId) => LaneRecord
  readonly #open = new Set<Band>()
  /** Where Cassandra’s seconds begin, in time of the run, from 0 to 999. null: no read has said. */
  #secondsBeginMs: number | null = null

  constructor(ttlSeconds: number, laneOf: (id: LaneId) => LaneRecord) {
    this.#ttlMs = ttlSeconds * secondMs
    this.#laneOf = laneOf
  }

  /** The band of the present leader: the one that began last. */
  get present(): Band | undefined {
    return [...this.#open].at(-1)
  }

  openOf(id: LaneId): Band | undefined {
    return [...this.#open].findLast((band) => band.lane === id)
  }

  acquired(id: LaneId, sentMs: number, atMs: number): void {
    const expiryMs = this.#expiryOfWrite(sentMs)
    // A read may show the row before the answer is noted: that is the same tenure.
    const own = this.openOf(id)
    const shown = own !== undefined && own.version !== null && own.fromMs >= sentMs ? own : undefined
    for (const band of this.#open)
      if (band === shown) continue
      else if (band.lane === id || band.releasing || atMs >= band.surelyUntilMs - clockSlackMs)
        this.#end(band, atMs, band.releasing ? 'released' : 'superseded')
    if (shown === undefined) this.#begin(id, atMs, expiryMs, null)
  }

  renewed(id: LaneId, sentMs: number, atMs: number): void {
    const band = this.openOf(id)
    if (band === undefined) return
    const expiryMs = this.#expiryOfWrite(sentMs)
    band.expiryMs = Math.max(band.expiryMs ?? expiryMs, expiryMs)
    band.surelyUntilMs = expiryMs
    band.writtenAtMs = atMs
  }

  releaseSent(id: LaneId): void {
    const band = this.openOf(id)
    if (band !== undefined) band.releasing = true
  }

  released(id: LaneId, atMs: number): void {
    const band = this.openOf(id)
    if (band !== undefined) this.#end(band, atMs, 'released')
  }

  /** A forced release was sent: it may end any band. */
  forceSent(): void {
    for (const band of this.#open) band.releasing = true
  }

  forced(atMs: number, word: string): void {
    for (const band of this.#open) {
      this.#end(band, atMs, 'forced')
      mark(this.#laneOf(band.lane), 'released-by-force', atMs, word)
    }
  }

  seen(read: Entry<'seen'>): void {
    if (read.expiryMs !== null) this.#secondsBeginMs = modulo(read.expiryMs, secondMs)
    for (const band of this.#open)
      if (band.lane !== read.candidate && band.fromMs <= read.sentAtMs)
        this.#end(band, read.atMs, band.releasing ? 'released' : 'superseded')
    if (read.candidate === null) return
    const band = this.openOf(read.candidate)
    if (band !== undefined) refresh(band, read)
    else if (this.#isNews(read)) this.#begin(read.candidate, read.atMs, read.expiryMs, read.version)
  }

  /** Whether a read that shows an owner without a band began after all that is known already. */
  #isNews(read: Entry<'seen'>): boolean {
    const before = this.#laneOf(read.candidate as LaneId).bands.at(-1)
    if (before !== undefined && (before.toMs ?? 0) > read.sentAtMs) return false
    return [...this.#open].every((band) => band.fromMs <= read.sentAtMs)
  }

  #begin(id: LaneId, atMs: number, expiryMs: number | null, version: string | null): void {
    const band: Band = {
      lane: id,
      fromMs: atMs,
      toMs: null,
      expiryMs,
      end: null,
      token: null,
      term: null,
      version: version === null ? null : BigInt(version),
      writtenAtMs: version === null ? atMs : null,
      surelyUntilMs: expiryMs ?? Number.POSITIVE_INFINITY,
      releasing: false,
    }
    this.#open.add(band)
    this.#laneOf(id).bands.push(band)
  }

  #end(band: Band, atMs: number, why: 'released' | 'forced' | 'superseded'): void {
    const expired = band.expiryMs !== null && band.expiryMs <= atMs + clockSlackMs
    band.toMs = expired ? Math.min(band.expiryMs ?? atMs, atMs) : atMs
    band.end = expired ? 'expired' : why
    this.#open.delete(band)
    if (expired) mark(this.#laneOf(band.lane), 'expired', band.toMs, 'expired')
  }

  /** The least expiry that a write sent at this time has: Cassandra counts in whole seconds from its start. */
  #expiryOfWrite(sentMs: number): number {
    if (this.#secondsBeginMs === null) return sentMs + this.#ttlMs - secondMs
    return sentMs - modulo(sentMs - this.#secondsBeginMs, secondMs) + this.#ttlMs
  }
}

/** Of several reads of one version the least expiry is right: a read over a second’s edge is one second high. */
function refresh(band: Band, { sentAtMs, version: text, expiryMs }: Entry<'seen'>): void {
  const version = text === null ? null : BigInt(text)
  const isNewer = version !== null && band.version !== null && version > band.version
  const isFirst = band.version === null && band.writtenAtMs === band.fromMs
  const isLater = band.writtenAtMs !== null && (isFirst || sentAtMs >= band.writtenAtMs)
  if (isNewer || isLater) {
    band.version = version
    band.expiryMs = expiryMs
    band.writtenAtMs = null
    band.surelyUntilMs = expiryMs ?? Number.POSITIVE_INFINITY
  } else if (version === band.version && band.writtenAtMs === null && expiryMs !== null) {
    band.expiryMs = Math.min(band.expiryMs ?? expiryMs, expiryMs)
    band.surelyUntilMs = Math.min(band.surelyUntilMs, expiryMs)
  }
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n
