/**
 * The entries that wait to be appended to one chain, in the order in which they go.
 *
 * Guarantees: entries of one act keep their order. Of several acts, an entry that a caller waits for goes before those
 * that are written sooner or later, so that no amount of those holds up an act.
 */
import { randomUUID } from 'node:crypto'
import type { AuditEntry, AuditEvent } from '../../../contract/audit.ts'
import { snapshotOf } from './entry-body.ts'

export interface Item {
  event: AuditEvent
  atMs: number
  /** The id of this entry. */
  entry: string
  /** Retried until it is written, whatever happens. */
  untilWritten: boolean
  resolve(entry: AuditEntry): void
  reject(error: unknown): void
  /** The first place where a try without an answer may have put it. */
  tried: { bucket: string; seq: number } | null
}

export class AppendQueue {
  #items: Item[] = []

  add(event: AuditEvent, atMs: number, untilWritten: boolean): [Item, Promise<AuditEntry>] {
    const { promise, resolve, reject } = withResolvers<AuditEntry>()
    const item = {
      event: snapshotOf(event),
      atMs,
      entry: randomUUID(),
      tried: null,
      untilWritten,
      resolve,
      reject,
    }
    const isAfter = (other: Item) => !other.untilWritten || other.event.id === item.event.id
    const at = untilWritten ? this.#items.length : this.#items.findLastIndex(isAfter) + 1
    this.#items.splice(at, 0, item)
    return [item, promise]
  }

  get items(): readonly Item[] {
    return this.#items
  }

  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  /** Entries that are retried until they are written. */
  get pending(): AuditEvent[] {
    return this.#items.filter(({ untilWritten }) => untilWritten).map(({ event }) => event)
  }

  remove(items: readonly Item[]): void {
    this.#items = this.#items.filter((item) => !items.includes(item))
  }

  /** Rejects the entries that a caller waits for, except these. */
  rejectWaiting(error: unknown, isKept: (item: Item) => boolean): void {
    const rejected = this.#items.filter((item) => !item.untilWritten && !isKept(item))
    this.remove(rejected)
    for (const { reject } of rejected) reject(error)
  }
}

/** Node 20 has no `Promise.withResolvers`. */
function withResolvers<T>() {
  let resolve!: (value: T) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
