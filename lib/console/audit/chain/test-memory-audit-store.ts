/** For tests alone: the statement layer of the audit log in memory, with Cassandra's unknown outcomes. */
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import type { Timer } from 'leasehold/time'
import type { AuditChain } from '../../../contract/audit.ts'
import { auditStatements } from './audit-statements.ts'
import type { Append, Appended, AuditStore, StoredHead } from './audit-store.ts'
import type { AuditRow } from './entry-body.ts'

/** The fate of one append. `late`: it gets no answer, and takes effect when `arrive` is called. */
export type AppendFault = 'applied-unheard' | 'lost-unheard' | 'late' | 'unavailable'

const {
  append: appendOf,
  appended: appendedOf,
  head,
  rowsFrom,
  buckets,
} = auditStatements('memory', 'SERIAL')

interface Bucket {
  head: Omit<StoredHead, 'last' | 'ttlSeconds'>
  rows: Map<number, AuditRow>
}

export class MemoryAuditStore implements AuditStore {
  readonly buckets = new Map<string, Bucket>()
  readonly late: Append[] = []
  /** Asked at each append. */
  fault: () => AppendFault | undefined = () => undefined
  /** Asked before each read of a head: whether one that was held arrives just then. */
  arrives: () => boolean = () => false
  /** Each statement on an append's way takes this long, or as long as it may. */
  slow: { timer: Timer; ms: number } | null = null
  /** Nothing answers. */
  down = false
  appends = 0

  async head(partition: string): Promise<StoredHead> {
    this.#answer()
    await this.#read(head.readTimeoutMs)
    if (this.arrives()) this.arrive()
    const bucket = this.buckets.get(partition)
    const rows = this.#sorted(partition)
    const last = rows.at(-1) ?? null
    return {
      ...(bucket?.head ?? { seq: null, hash: null, bytes: 0, next: null, previous: null }),
      last,
      ttlSeconds: null,
    }
  }

  async append(append: Append): Promise<boolean> {
    this.#answer()
    this.appends += 1
    const fault = this.fault()
    if (fault === 'unavailable') throw new StoreUnavailableError('No node of Cassandra can be reached.')
    if (fault === 'late') this.late.push(append)
    if (fault === 'applied-unheard') this.#apply(append)
    if (fault !== undefined) throw new StatementUnknownError('No answer came.', 'never')
    if (!(await this.#inTime(appendOf(append.rows.length, null).readTimeoutMs))) {
      this.#apply(append)
      throw new StatementUnknownError('No answer came.', 'never')
    }
    return this.#apply(append)
  }

  /** The first partition of a day, whose name may end with a random number. */
  partitionOf(chain: AuditChain, day: string): string {
    const isOfDay = (partition: string) => partition.split('#')[0] === `${chain}:${day}`
    const found = [...this.buckets.keys()].find(isOfDay)
    if (found === undefined) throw new Error(`The chain ${chain} has no partition of ${day}.`)
    return found
  }

  /** A statement that was held on its way arrives. */
  arrive(): void {
    const append = this.late.shift()
    if (append !== undefined) this.#apply(append)
  }

  async rowsFrom(partition: string, seq: number, limit: number): Promise<AuditRow[]> {
    this.#answer()
    await this.#read(rowsFrom.readTimeoutMs)
    const rows = this.#sorted(partition).filter((row) => row.seq >= seq)
    return rows.slice(0, limit)
  }

  async appended(partition: string, seq: number, count: number): Promise<Appended> {
    this.#answer()
    await this.#read(appendedOf.readTimeoutMs)
    const { seq: headSeq = null, hash = null, next = null } = this.buckets.get(partition)?.head ?? {}
    const rows = this.#sorted(partition).filter((row) => row.seq >= seq)
    return { rows: rows.slice(0, count), head: { seq: headSeq, hash, next, ttlSeconds: null } }
  }

  async rowsBefore(partition: string, seq: number, limit: number): Promise<AuditRow[]> {
    this.#answer()
    const rows = this.#sorted(partition).filter((row) => row.seq < seq)
    return rows.reverse().slice(0, limit)
  }

  async partitions(): Promise<string[]> {
    this.#answer()
    await this.#read(buckets.readTimeoutMs)
    return [...this.buckets.keys()]
  }

  #apply({ partition, from, to, rows }: Append): boolean {
    const empty = { seq: null, hash: null, bytes: 0, next: null, previous: null }
    const bucket = this.buckets.get(partition) ?? { head: empty, rows: new Map<number, AuditRow>() }
    if (bucket.head.seq !== from.seq || bucket.head.hash !== from.hash) return false
    const { next = bucket.head.next, previous = bucket.head.previous } = to
    bucket.head = { seq: to.seq, hash: to.hash, bytes: to.bytes, next, previous }
    for (const row of rows) bucket.rows.set(row.seq, { ...row })
    this.buckets.set(partition, bucket)
    return true
  }

  #sorted(partition: string): AuditRow[] {
    return [...(this.buckets.get(partition)?.rows.values() ?? [])].sort((a, b) => a.seq - b.seq)
  }

  async #read(limitMs: number): Promise<void> {
    if (!(await this.#inTime(limitMs))) throw new StoreUnavailableError('No answer came.')
  }

  async #inTime(limitMs: number): Promise<boolean> {
    if (this.slow === null) return true
    const { timer, ms } = this.slow
    await timer.sleep(Math.min(ms, limitMs))
    return ms <= limitMs
  }

  #answer(): void {
    if (this.down) throw new StoreUnavailableError('No node of Cassandra can be reached.')
  }
}
