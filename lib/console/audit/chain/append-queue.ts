/**
 * The entries that wait to be appended to one chain, in the order in which they came.
 *
 * Guarantees: entries of one act keep their order. Entries of people and of programs, those that a caller waits for and
 * those that are written later: each of the four kinds has a share of each batch, the oldest first, so that no number of
 * one kind keeps another out. What a person waits for has the largest share.
 */
import { randomUUID } from 'node:crypto'
import type { AuditEntry, AuditEvent } from '../../../contract/audit.ts'
import { snapshotOf } from './entry-body.ts'

export interface Item {
  readonly event: AuditEvent
  atMs: number
  /** The id of this entry. */
  entry: string
  /** Retried until it is written, whatever happens. */
  readonly untilWritten: boolean
  resolve(entry: AuditEntry): void
  reject(error: unknown): void
  /** The first place where a try may have put it that was not answered, or not read back. */
  tried: { bucket: string; seq: number } | null
}

/** These entries are looked for from here on, or from an earlier place of the bucket, before they are appended again. */
export function markTried(items: readonly Item[], bucket: string, seq: number): void {
  for (const item of items)
    if (item.tried?.bucket !== bucket || item.tried.seq > seq) item.tried = { bucket, seq }
}

/** Who acts, and whether a caller waits for the entry. */
type Kind = `${'person' | 'program'} ${'waits' | 'later'}`

/** Whose entry comes next, again and again. The server counts as a person. */
const turns: readonly Kind[] = [
  'person waits',
  'person waits',
  'program waits',
  'person later',
  'program later',
]

const kindOf = ({ event, untilWritten }: Item): Kind =>
  `${event.actor.role === 'client' ? 'program' : 'person'} ${untilWritten ? 'later' : 'waits'}`

export class AppendQueue {
  readonly #items = new Set<Item>()
  readonly #ofKind: Record<Kind, Set<Item>> = {
    'person waits': new Set(),
    'program waits': new Set(),
    'person later': new Set(),
    'program later': new Set(),
  }
  readonly #ofAct = new Map<string, Item[]>()

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
    this.#items.add(item)
    this.#ofKind[kindOf(item)].add(item)
    this.#ofAct.set(item.event.id, [...this.#act(item), item])
    return [item, promise]
  }

  /** The entries that go next, each after those of its act that came before it. */
  next(count: number): Item[] {
    const kinds = new Map(turns.map((kind) => [kind, this.#ofKind[kind].values()]))
    const chosen = new Set<Item>()
    for (let turn = 0; chosen.size < Math.min(count, this.#items.size); turn++) {
      const item = kinds.get(turns[turn % turns.length] as Kind)?.next().value
      if (item === undefined || chosen.has(item)) continue
      const act = this.#act(item)
      for (const each of act.slice(0, act.indexOf(item) + 1)) chosen.add(each)
    }
    return [...chosen].slice(0, count)
  }

  get items(): readonly Item[] {
    return [...this.#items]
  }

  get isEmpty(): boolean {
    return this.#items.size === 0
  }

  /** Entries that are retried until they are written. */
  get pending(): AuditEvent[] {
    return this.items.filter(({ untilWritten }) => untilWritten).map(({ event }) => event)
  }

  remove(items: readonly Item[]): void {
    for (const item of items) {
      this.#items.delete(item)
      this.#ofKind[kindOf(item)].delete(item)
      const others = this.#act(item).filter((other) => other !== item)
      if (others.length > 0) this.#ofAct.set(item.event.id, others)
      else this.#ofAct.delete(item.event.id)
    }
  }

  /** Rejects the entries that a caller waits for, except these. */
  rejectWaiting(error: unknown, isKept: (item: Item) => boolean): void {
    const rejected = this.items.filter((item) => !item.untilWritten && !isKept(item))
    this.remove(rejected)
    for (const { reject } of rejected) reject(error)
  }

  /** The entries of the same act. */
  #act({ event }: Item): Item[] {
    return this.#ofAct.get(event.id) ?? []
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
