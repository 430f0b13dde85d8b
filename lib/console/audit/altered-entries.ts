/**
 * Checks each entry that a page or the recovery reads, and raises an alarm for one that no console wrote in its place.
 *
 * Guarantees: an entry for which `check` gives null was written with this console's key, for this place. The alarm is over
 * when the entry is as it was, or when an operator has restarted the log because of it.
 * Does not guarantee: anything of entries that are not read, and of entries that are gone: `verify` looks at all of them.
 */
import type { AuditAlarm, AuditChain, AuditEntry, Unverified } from '../../contract/audit.ts'
import type { Log } from '../http/log/log.ts'
import { partitionOf } from './chain/bucket.ts'
import type { ChainEnd } from './chain/end/chain-end.ts'
import { isRestartedFor } from './chain/end/chain-reader.ts'
import { isBefore, type Seen } from './chain/end/tail.ts'
import { type AuditRow, entryOf } from './chain/entry-body.ts'

/** The key and the rows of a chain, to check entries with. */
export type CheckedChain = Pick<ChainEnd, 'own' | 'alarmOf'>

export interface CheckedEntry {
  /** null: the entry cannot be read. */
  entry: AuditEntry | null
  /** null: a console wrote it. */
  unverified: Unverified | null
}

export interface AlteredEntriesOptions {
  chains: Record<AuditChain, CheckedChain>
  keyId: string
  /** The entry after which the main chain is this key's; null: all of it is. */
  since: Seen | null
  log: Log
}

export class AlteredEntries {
  readonly #options: AlteredEntriesOptions
  readonly #alarms = new Map<AuditChain, AuditAlarm>()
  /**
   * Buckets of the main chain for which an operator has restarted the log. A restart is never undone, so it is read
   * once.
   */
  readonly #settled = new Set<string>()

  constructor(options: AlteredEntriesOptions) {
    this.#options = options
  }

  /** The first altered entry that was found in each chain. */
  get alarms(): AuditAlarm[] {
    return [...this.#alarms.values()]
  }

  check(chain: AuditChain, bucket: string, row: AuditRow): CheckedEntry {
    const entry = entryOf(row)
    if (this.#options.chains[chain].own.isOurs(bucket, row)) return { entry, unverified: null }
    const isOlder = entry !== null && this.#isOfOlderKey(chain, bucket, entry)
    return { entry, unverified: isOlder ? 'other-key' : 'altered' }
  }

  /** Raises the alarm for the first of these buckets with an altered entry that no restart covers. @throws StoreUnavailableError */
  async raise(chain: AuditChain, altered: ReadonlyMap<string, number>): Promise<void> {
    if (this.#alarms.has(chain)) return
    const { chains, log } = this.#options
    for (const [bucket, seq] of altered) {
      if (await this.#isSettled(chain, bucket)) continue
      const alarm = chains[chain].alarmOf('altered', { bucket, seq })
      this.#alarms.set(chain, alarm)
      log.error({ alarm }, 'audit: an entry was altered; docs/operations.md says what to do')
      return
    }
  }

  /** Whether the reasons of the alarms still hold. @throws StoreUnavailableError */
  async lookAgain(): Promise<void> {
    for (const [chain, { bucket, seq }] of this.#alarms) {
      const { own } = this.#options.chains[chain]
      const [row] = await own.store.rowsFrom(partitionOf(chain, bucket), seq, 1)
      const isWhole = row?.seq === seq && own.isOurs(bucket, row)
      // Refusals expire.
      const isGone = row?.seq !== seq && chain === 'refused'
      if (isWhole || isGone || (await this.#isSettled(chain, bucket))) this.#alarms.delete(chain)
    }
  }

  /** The chain of refusals is not restarted. */
  async #isSettled(chain: AuditChain, bucket: string): Promise<boolean> {
    if (chain === 'refused') return false
    if (!this.#settled.has(bucket) && (await isRestartedFor(this.#options.chains.main.own, bucket)))
      this.#settled.add(bucket)
    return this.#settled.has(bucket)
  }

  /** The chain of refusals does not say where this key begins. */
  #isOfOlderKey(chain: AuditChain, bucket: string, { keyId, seq }: AuditEntry): boolean {
    const { since, keyId: ownId } = this.#options
    if (since === null || keyId === ownId) return false
    return chain === 'refused' || !isBefore(since, { bucket, seq })
  }
}
