/**
 * Rows of tokens that were read, so that programs which send at the same time share one read instead of one each.
 *
 * 1. A revocation deletes the token's row, then writes a random id into the one row of `token_revocations` and reads it back, and only then
 *    is answered. Where the id is not there, it is answered when no instance knows rows from before any more.
 * 2. A request reads that id. It is the one that was there before the token's row was read: the row counts as it was read.
 * 3. It is another one, or the row was read `knownForMs` ago: the token's row is read again.
 *
 * Guarantees: a request that comes after a revocation was answered is refused, by every instance. The read that lets a request in is sent
 * after the request came.
 * Does not guarantee: that at once of a row that was deleted or changed in another way: by another client, by a console of an earlier
 * version, or by one that ended before its revocation was answered. It is noticed after `knownForMs`.
 * Assumes: a read at quorum sees what a conditional write at quorum was answered for. No id comes a second time: each try of a write has its
 * own, so that one which takes effect late cannot bring back an id under which rows are known.
 */
import { BoundedMap } from 'leasehold/lease'
import { type Clock, elapsedMs, type Moment } from 'leasehold/time'
import type { TokenRow } from './token-row.ts'

/** For how long a row counts while nothing is revoked, in milliseconds. A row a second and token costs nothing beside the requests. */
export const knownForMs = 1_000
/** Each has some hundred bytes. */
const knownMax = 5_000

interface Known {
  row: TokenRow
  /** The last revocation before the row was read; null: there was none yet. */
  revocation: string | null
  /** From before the row was read. */
  readAt: Moment
}

interface KnownTokensOptions {
  clock: Clock
  /** Reads a token's row. null: there is none that counts. */
  read: (id: string) => Promise<TokenRow | null>
  /** Reads the id of the last revocation; null: there was none yet. */
  readRevocation: () => Promise<string | null>
  /** Whether a row that was read before is still the newest known version. @throws HttpProblem not-ready */
  isCurrent: (row: TokenRow) => boolean
}

export class KnownTokens {
  readonly #options: KnownTokensOptions
  readonly #known = new BoundedMap<string, Known>(knownMax)
  /** As it was last read here; undefined: not yet. */
  #revocation: string | null | undefined

  constructor(options: KnownTokensOptions) {
    this.#options = options
  }

  /** @throws what the reads throw */
  async get(id: string): Promise<TokenRow | null> {
    const known = this.#known.get(id)
    if (known === undefined || !this.#isFresh(known)) return this.#read(id)
    const revocation = await this.#options.readRevocation()
    this.#revocation = revocation
    if (revocation === known.revocation && this.#options.isCurrent(known.row)) return known.row
    return this.#read(id)
  }

  /** From the next request on its row is read. */
  forget(id: string): void {
    this.#known.delete(id)
  }

  #isFresh({ revocation, readAt }: Known): boolean {
    return (
      // If it differs, its row has to be read in any case.
      revocation === this.#revocation && elapsedMs(readAt, this.#options.clock.now()) < knownForMs
    )
  }

  async #read(id: string): Promise<TokenRow | null> {
    const { clock, read } = this.#options
    // Known before the row is read: what is revoked during the read has another id.
    const revocation = this.#revocation
    const readAt = clock.now()
    if (revocation === undefined) this.#readFirstRevocation()
    const row = await read(id)
    if (row === null || revocation === undefined) this.#known.delete(id)
    else this.#known.set(id, { row, revocation, readAt })
    return row
  }

  /** In the background: the row alone decides about this request. */
  #readFirstRevocation(): void {
    this.#options.readRevocation().then(
      (revocation) => {
        this.#revocation ??= revocation
      },
      () => {
        // The next request tries again.
      },
    )
  }
}
