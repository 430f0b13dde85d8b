/**
 * Checks each entry that a page or the recovery reads, and raises an alarm for one that no console wrote in its place, and for
 * a place between the entries of a page that has none.
 *
 * Guarantees: an entry for which `check` gives null was written with this console's key, for this place. The alarm is over
 * when the entry is as it was, or when an operator has restarted the log because of it.
 * Does not guarantee: anything of entries that are not read: `verify` looks at all of them.
 */
import type { AuditAlarm, AuditChain, AuditEntry, Unverified } from '../../../contract/audit.ts'
import type { Log } from '../../http/log/log.ts'
import { partitionOf } from '../chain/bucket.ts'
import type { ChainEnd } from '../chain/end/chain-end.ts'
import { restartedGap } from '../chain/end/chain-reader.ts'
import { isBefore, type Seen, type Spot } from '../chain/end/seen.ts'
import { type AuditRow, entryOf } from '../chain/entry-body.ts'

/** The key and the rows of a chain, to check entries with. */
type CheckedChain = Pick<ChainEnd, 'own' | 'alarmOf'>

type Found = Extract<AuditAlarm['kind'], 'altered' | 'missing'>

interface CheckedEntry {
  /** null: the entry cannot be read. */
  entry: AuditEntry | null
  /** null: a console wrote it. */
  unverified: Unverified | null
}

interface AlteredEntriesOptions {
  chains: Record<AuditChain, CheckedChain>
  keyId: string
  /** The entry after which the main chain is this key's; null: all of it is. */
  since: Seen | null
  log: Log
}

export class AlteredEntries {
  readonly #options: AlteredEntriesOptions
  readonly #alarms = new Map<string, AuditAlarm>()
  /**
   * By partition: from which place on an operator has restarted the chain for the entries there. It is read once:
   * a process that has shown a loss as settled does not show it again.
   */
  readonly #settledFrom = new Map<string, number>()

  constructor(options: AlteredEntriesOptions) {
    this.#options = options
  }

  /** The first altered entry of each chain that was met, and the first missing one. */
  get alarms(): AuditAlarm[] {
    return [...this.#alarms.values()]
  }

  check(chain: AuditChain, bucket: string, row: AuditRow): CheckedEntry {
    const entry = entryOf(row)
    if (this.#options.chains[chain].own.isOurs(bucket, row)) return { entry, unverified: null }
    const isOlder = entry !== null && this.#isOfOlderKey(chain, bucket, entry)
    return { entry, unverified: isOlder ? 'other-key' : 'altered' }
  }

  /**
   * Raises the alarm for the first of these places, of altered or of missing entries, that no restart covers.
   * @throws StoreUnavailableError
   */
  async raise(chain: AuditChain, kind: Found, places: Iterable<Spot>): Promise<void> {
    const id = `${chain}:${kind}`
    if (this.#alarms.has(id)) return
    const { chains, log } = this.#options
    for (const place of places) {
      if (await this.#isSettled(chain, place)) continue
      // A page is no SERIAL read: what is missing is looked for once more.
      if (kind === 'missing' && (await this.#rowAt(chain, place)) !== undefined) continue
      const alarm = chains[chain].alarmOf(kind, place)
      this.#alarms.set(id, alarm)
      log.error({ alarm }, `audit: an entry is ${kind}; docs/operations.md says what to do`)
      return
    }
  }

  /** Whether the reasons of the alarms still hold. @throws StoreUnavailableError */
  async lookAgain(): Promise<void> {
    for (const [id, { chain, kind, bucket, seq }] of this.#alarms) {
      const { own } = this.#options.chains[chain]
      const row = await this.#rowAt(chain, { bucket, seq })
      const isWhole = row !== undefined && own.isOurs(bucket, row)
      // Refusals vanish by themselves, the older ones first.
      const last = kind === 'missing' ? await this.#rowAt(chain, { bucket, seq: seq + 1 }) : row
      const isGone = chain === 'refused' && last === undefined
      if (isWhole || isGone || (await this.#isSettled(chain, { bucket, seq }))) this.#alarms.delete(id)
    }
  }

  async #rowAt(chain: AuditChain, { bucket, seq }: Spot) {
    const { store } = this.#options.chains[chain].own
    const [row] = await store.rowsFrom(partitionOf(chain, bucket), seq, 1)
    return row?.seq === seq ? row : undefined
  }

  async #isSettled(chain: AuditChain, { bucket, seq }: Spot): Promise<boolean> {
    const partition = partitionOf(chain, bucket)
    if (seq >= (this.#settledFrom.get(partition) ?? Number.POSITIVE_INFINITY)) return true
    const gap = await restartedGap(this.#options.chains[chain].own, { bucket, seq })
    if (gap !== null) this.#settledFrom.set(partition, gap.bucket === bucket ? gap.seq : 0)
    return gap !== null
  }

  /** The chain of refusals does not say where this key begins. */
  #isOfOlderKey(chain: AuditChain, bucket: string, { keyId, seq }: AuditEntry): boolean {
    const { since, keyId: ownId } = this.#options
    if (since === null || keyId === ownId) return false
    return chain === 'refused' || !isBefore(since, { bucket, seq })
  }
}
