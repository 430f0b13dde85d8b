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

interface Beginning {
  readonly id: LaneId
  readonly owner: string | null
  readonly atMs: number
  readonly expiryMs: number | null
  /** Of the read that it begins at. null: it begins at the answer of an acquisition. */
  readonly version: string | null
}

export class LeadBands {
  readonly #ttlMs: number
  readonly #laneOf: (id: LaneId) => LaneRecord
  readonly #open = new Set<Band>()
  /** Of each owner, how many releases, breaks and kills may have ended its row: those whose outcome is not known. */
  readonly #ends = new Map<string, number>()
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

  acquired(id: LaneId, owner: string | null, { sentMs, atMs }: { sentMs: number; atMs: number }): void {
    const expiryMs = this.#expiryOfWrite(sentMs)
    // A read may show the row before the answer is noted: that is the same tenure.
    const own = this.openOf(id)
    const shown = own !== undefined && own.version !== null && own.fromMs >= sentMs ? own : undefined
    for (const band of this.#open)
      if (band === shown) continue
      else if (band.lane === id || this.#mayHaveEnded(band) || atMs >= band.surelyUntilMs - clockSlackMs)
        this.#end(band, atMs, this.#mayHaveEnded(band) ? 'released' : 'superseded')
    if (shown === undefined) this.#begin({ id, owner, atMs, expiryMs, version: null })
  }

  renewed(id: LaneId, sentMs: number, atMs: number): void {
    const band = this.openOf(id)
    if (band === undefined) return
    const expiryMs = this.#expiryOfWrite(sentMs)
    band.expiryMs = Math.max(band.expiryMs ?? expiryMs, expiryMs)
    band.surelyUntilMs = expiryMs
    band.writtenAtMs = atMs
  }

  /** A release, a break or a kill was sent: from now on it may have ended the row of this owner. */
  endSent(owner: string | null): void {
    if (owner !== null) this.#ends.set(owner, (this.#ends.get(owner) ?? 0) + 1)
  }

  /** The outcome of one of them is known. Others of this owner may still be without one. */
  endAnswered(owner: string | null): void {
    if (owner !== null) this.#ends.set(owner, (this.#ends.get(owner) ?? 1) - 1)
  }

  #mayHaveEnded({ owner }: Band): boolean {
    return owner !== null && (this.#ends.get(owner) ?? 0) > 0
  }

  released(id: LaneId, atMs: number): void {
    const band = this.openOf(id)
    if (band !== undefined) this.#end(band, atMs, 'released')
  }

  forced(owner: string | null, atMs: number, word: string): void {
    for (const band of this.#open) {
      if (band.owner !== owner) continue
      this.#end(band, atMs, 'forced')
      mark(this.#laneOf(band.lane), 'released-by-force', atMs, word)
    }
  }

  seen(read: Entry<'seen'>): void {
    if (read.expiryMs !== null) this.#secondsBeginMs = modulo(read.expiryMs, secondMs)
    for (const band of this.#open)
      if (band.lane !== read.candidate && band.fromMs <= read.sentAtMs)
        this.#end(band, read.atMs, this.#mayHaveEnded(band) ? 'released' : 'superseded')
    const { candidate: id, owner, atMs, expiryMs, version } = read
    if (id === null) return
    const band = this.openOf(id)
    if (band !== undefined) refresh(band, read)
    else if (this.#isNews(read)) this.#begin({ id, owner, atMs, expiryMs, version })
  }

  /** Whether a read that shows an owner without a band began after all that is known already. */
  #isNews(read: Entry<'seen'>): boolean {
    const before = this.#laneOf(read.candidate as LaneId).bands.at(-1)
    if (before !== undefined && (before.toMs ?? 0) > read.sentAtMs) return false
    return [...this.#open].every((band) => band.fromMs <= read.sentAtMs)
  }

  #begin({ id, owner, atMs, expiryMs, version }: Beginning): void {
    const band: Band = {
      lane: id,
      owner,
      fromMs: atMs,
      toMs: null,
      expiryMs,
      end: null,
      token: null,
      term: null,
      version: version === null ? null : BigInt(version),
      writtenAtMs: version === null ? atMs : null,
      surelyUntilMs: expiryMs ?? Number.POSITIVE_INFINITY,
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
