/**
 * Reads a chain as it grows, checks each entry, and hands on the row versions that entries name.
 *
 * Guarantees: when `catchUp` resolves, each entry that was there when it was called has been read. An entry that no holder
 * of the key wrote, a gap, and an entry that does not follow the one before it raise the alarm: then acts are refused.
 * Does not guarantee: anything of entries before `since`: `npm run audit -- verify` checks those.
 */
import type { AuditChain, AuditEvent } from '../../../../contract/audit.ts'
import type { AuditStore } from '../audit-store.ts'
import { compareBuckets } from '../bucket.ts'
import type { ChainEnd } from './chain-end.ts'
import { ChainReader } from './chain-reader.ts'
import type { Seen } from './seen.ts'

interface FollowerOptions {
  store: AuditStore
  chain: AuditChain
  end: ChainEnd
  /** The entry to begin after; null: the beginning of the chain. */
  since: Seen | null
  note(rows: NonNullable<AuditEvent['rows']>): void
}

export class ChainFollower {
  readonly #end: ChainEnd
  readonly #reader: ChainReader
  /** The read that was asked for last: two at once would each take the other's entries for a gap. */
  #last: Promise<unknown> = Promise.resolve()
  /** The read to the end that has not begun. */
  #next: Promise<void> | null = null

  constructor({ store, chain, end, since, note }: FollowerOptions) {
    this.#end = end
    const isOurs: ChainEnd['isOurs'] = (bucket, row) => end.isOurs(bucket, row)
    this.#reader = new ChainReader({ store, chain, isOurs, since, note })
  }

  /** The last entry that was read; null: none since the chain was restarted. */
  get at(): Seen | null {
    return this.#reader.at
  }

  /** @throws AuditDamagedError; StoreUnavailableError */
  catchUp(): Promise<void> {
    // One that has begun may have looked for the end before this call.
    this.#next ??= this.#inTurn(() => {
      this.#next = null
      return this.#read()
    })
    return this.#next
  }

  /** Where the chain is damaged: each entry that still follows the one before it. Never rejects. */
  async readWhatIsLeft(): Promise<void> {
    await this.#inTurn(() => this.#reader.read(null)).catch(() => {})
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(read)
    this.#last = turn.catch(() => {})
    return turn
  }

  async #read(): Promise<void> {
    for (;;) {
      const { raised } = this.#end
      const tail = await this.#end.find()
      const gap = await this.#reader.read(tail, this.#end.restartedIn)
      if (gap === null) return
      // The writer has followed a seal since: where it leads, an operator may have restarted the chain for this gap.
      const { seen } = this.#end
      if (seen !== null && compareBuckets(seen.bucket, tail.bucket) > 0) continue
      // It raises the alarm, unless the chain was restarted meanwhile: then the restart covers this gap, and no later one.
      await this.#end.damaged('link', gap, raised)
    }
  }
}
