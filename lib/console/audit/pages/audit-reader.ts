import type { AuditChain, AuditEntry, ShownEntry } from '../../../contract/audit.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { AuditFilter } from '../audit-entry.ts'
import type { AuditStore } from '../chain/audit-store.ts'
import { compareBuckets, dayOf, dayOfBucket, isBucket, originBucket, partitionOf } from '../chain/bucket.ts'
import type { ChainEnd } from '../chain/end/chain-end.ts'
import { isOwnBucket } from '../chain/end/own-rows.ts'
import { findTail } from '../chain/end/tail.ts'
import type { AlteredEntries } from './altered-entries.ts'
import { RowOrder } from './row-order.ts'

/** Rows that one page looks at, and buckets that it goes back over; after these there is a cursor. */
const rowsAPage = 2_000
const bucketsAPage = 60
const rowsAtOnce = 250
const dayMs = 86_400_000
/** As long as a plan lives: what became of an act that was begun before cannot be found out any more. */
const openForDays = 30

/** A place between two entries of a chain: below this sequence number. */
interface Place {
  bucket: string
  below: number
}

const end = 2 ** 31 - 1

export class AuditReader {
  readonly #store: AuditStore
  readonly #checks: Pick<AlteredEntries, 'check' | 'raise'>
  readonly #ends: Record<AuditChain, Pick<ChainEnd, 'own' | 'seen'>>
  /** The newest bucket that was seen: the way to the end of a chain begins there. */
  readonly #hints = new Map<AuditChain, string>()
  /** The last entry of the main chain that was searched for intents, and the intents that had no outcome by then. */
  #looked: { until: Place | null; open: readonly AuditEntry[] } = { until: null, open: [] }

  constructor(
    store: AuditStore,
    ends: Record<AuditChain, Pick<ChainEnd, 'own' | 'seen'>>,
    checks: Pick<AlteredEntries, 'check' | 'raise'>,
  ) {
    this.#store = store
    this.#checks = checks
    this.#ends = ends
  }

  /** Newest first. @throws HttpProblem on a cursor that is not one; StoreUnavailableError */
  async page(filter: AuditFilter): Promise<{ entries: ShownEntry[]; nextCursor: string | null }> {
    const { chain = 'main' } = filter
    const altered = new Map<string, number>()
    const order = new RowOrder(chain === 'main')
    const page = await this.#page(filter, altered, order)
    await this.#checks.raise(chain, 'altered', placesOf(altered))
    await this.#checks.raise(chain, 'missing', order.missing)
    return page
  }

  /** @param altered gets the oldest altered entry of each bucket that was met: a restart for it covers the later ones */
  async #page(filter: AuditFilter, altered: Map<string, number>, order: RowOrder) {
    const { chain = 'main', limit = 50, cursor, from, to } = filter
    const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from)
    const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to)
    // A clock that was behind wrote into the bucket of a later day, which is looked through for that reason.
    const lastDay = to === undefined ? '9999-12-31' : dayOf(toMs + dayMs)
    const entries: ShownEntry[] = []
    let place: Place | null = cursor === undefined ? await this.#end(chain) : placeOf(cursor, chain)
    for (let rows = 0, buckets = 0; place !== null; ) {
      if (rows >= rowsAPage || buckets >= bucketsAPage) return { entries, nextCursor: cursorOf(chain, place) }
      const { bucket, below }: Place = place
      // Nothing in the bucket of a day is of a later one.
      if (dayOfBucket(bucket) < fromDay(fromMs)) break
      const skipped = dayOfBucket(bucket) > lastDay
      const found = skipped
        ? []
        : // With the last row of the page before: what is gone between two pages is missed by neither.
          await this.#store.rowsBefore(partitionOf(chain, bucket), Math.min(below + 1, end), rowsAtOnce)
      for (const row of found) {
        const { entry, unverified } = this.#checks.check(chain, bucket, row)
        order.row(bucket, row.seq, unverified === 'altered' ? null : entry)
        if (row.seq >= below) continue
        rows += 1
        place = { bucket, below: row.seq }
        if (unverified === 'altered') altered.set(bucket, row.seq)
        if (entry !== null && matches(entry, filter, fromMs, toMs))
          entries.push(unverified === null ? entry : { ...entry, unverified })
        if (entries.length === limit) return { entries, nextCursor: cursorOf(chain, place) }
      }
      if (found.length === rowsAtOnce) continue
      order.endOf(bucket)
      buckets += 1
      place = await this.#before(chain, bucket)
    }
    return { entries, nextCursor: null }
  }

  /**
   * Oldest first, of the last 30 days, that a console wrote with this key: an entry that was changed neither asks for
   * an outcome nor is one. The first look goes through all of them; later ones read what was appended since.
   * @param outcomes acts whose outcome is on its way
   */
  async openIntents(nowMs: number, outcomes: ReadonlySet<string>): Promise<AuditEntry[]> {
    const done = new Set<string>()
    const found: AuditEntry[] = []
    const altered = new Map<string, number>()
    const sinceMs = nowMs - openForDays * dayMs
    const { until, open: before } = this.#looked
    let newest = until
    for (let place = await this.#end('main'); place !== null; ) {
      const { bucket } = place
      if (dayOfBucket(bucket) < dayOf(sinceMs) || isBefore(place, until)) break
      const rows = await this.#store.rowsBefore(partitionOf('main', bucket), place.below, rowsAtOnce)
      // Newest first: an outcome comes before its intent.
      for (const row of rows) {
        const at = { bucket, below: row.seq }
        if (isBefore(at, until)) break
        if (!isBefore(at, newest)) newest = at
        const { entry, unverified } = this.#checks.check('main', bucket, row)
        if (unverified === 'altered') altered.set(bucket, row.seq)
        if (unverified !== null) continue
        if (entry?.phase === 'outcome') done.add(entry.id)
        if (entry?.phase === 'intent' && !done.has(entry.id)) found.push(entry)
      }
      const last = rows.at(-1)
      place =
        last === undefined || rows.length < rowsAtOnce
          ? await this.#before('main', bucket)
          : { bucket, below: last.seq }
    }
    const open = [...before.filter(({ id }) => !done.has(id)), ...found.reverse()].filter(
      ({ at }) => Date.parse(at) >= sinceMs,
    )
    this.#looked = { until: newest, open }
    await this.#checks.raise('main', 'altered', placesOf(altered))
    return open.filter(({ id }) => !outcomes.has(id))
  }

  async #end(chain: AuditChain): Promise<Place | null> {
    const known = [this.#hints.get(chain) ?? [], this.#ends[chain].seen?.bucket ?? []].flat()
    // A chain that was restarted goes on in a bucket that the one before it does not name.
    const tail = await findTail(this.#ends[chain].own, known.sort(compareBuckets).at(-1) ?? null)
    const bucket = tail.seq > 0 ? tail.bucket : tail.previous
    if (bucket === null) return null
    const { own } = this.#ends[chain]
    // Where another client has misled the chain, the bucket of a restart is nearer.
    if (this.#hints.get(chain) !== bucket && (await isOwnBucket(own, bucket))) this.#hints.set(chain, bucket)
    return { bucket, below: end }
  }

  /** The bucket before this one. A list that was tampered with ends here: `verify` says so. */
  async #before(chain: AuditChain, bucket: string): Promise<Place | null> {
    const { previous } = await this.#store.head(partitionOf(chain, bucket))
    if (previous === null || previous === originBucket || !isBucket(previous)) return null
    return compareBuckets(previous, bucket) < 0 ? { bucket: previous, below: end } : null
  }
}

const placesOf = (bySeq: ReadonlyMap<string, number>) => [...bySeq].map(([bucket, seq]) => ({ bucket, seq }))

/** Whether all of it was read before. */
const isBefore = ({ bucket, below }: Place, until: Place | null): boolean => {
  if (until === null) return false
  const order = compareBuckets(bucket, until.bucket)
  return order < 0 || (order === 0 && below <= until.below)
}

const fromDay = (fromMs: number) => (Number.isFinite(fromMs) ? dayOf(fromMs) : originBucket)

/** Seals are the log's own, and are shown when a reader asks for them. */
function matches(entry: AuditEntry, filter: AuditFilter, fromMs: number, toMs: number): boolean {
  const { act, without, id, username, name, table, outcome } = filter
  const atMs = Date.parse(entry.at)
  const { on } = entry
  return (
    (act === undefined ? entry.act !== 'seal' : entry.act === act) &&
    entry.act !== without &&
    (id === undefined || entry.id === id) &&
    (username === undefined || entry.actor.username === username) &&
    (name === undefined || (on.kind === 'lease' && on.name === name)) &&
    (table === undefined || (on.kind === 'lease' && on.table === table)) &&
    (outcome === undefined || entry.outcome === outcome) &&
    atMs >= fromMs &&
    atMs < toMs
  )
}

const cursorOf = (chain: AuditChain, { bucket, below }: Place) =>
  Buffer.from(`1.${chain}.${bucket}.${below}`).toString('base64url')

/** @throws HttpProblem on anything that this server did not hand out for this chain */
function placeOf(cursor: string, chain: AuditChain): Place {
  const match = /^1\.(\w+)\.([^.]+)\.(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString())
  const [, of, bucket = '', below] = match ?? []
  if (of !== chain || !isBucket(bucket) || Number(below) > end)
    throw new HttpProblem('bad-request', 'This list did not issue the cursor. Start again without it.')
  return { bucket, below: Number(below) }
}
