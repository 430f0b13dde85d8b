import {
  type AcquireWrite,
  type CasAnswer,
  type LeaseStore,
  type QuarantineWrite,
  type ReleaseWrite,
  type RenewWrite,
  type ScanRange,
  StoreRefusedError,
} from 'leasehold/lease'
import { distrustText, type TableTrust } from './table-trust.ts'

/**
 * A store whose conditional writes are refused while its table is not trusted: those too of requests that were waiting when
 * the canary failed, and of work that the console does by itself. Reads pass.
 */
export class TrustedStore implements LeaseStore {
  readonly #store: LeaseStore
  readonly #table: string
  readonly #trust: TableTrust

  constructor(store: LeaseStore, table: string, trust: TableTrust) {
    this.#store = store
    this.#table = table
    this.#trust = trust
  }

  get columns() {
    return this.#store.columns
  }

  get paxosVariant() {
    return this.#store.paxosVariant
  }

  get repeats() {
    return this.#store.repeats
  }

  acquire(write: AcquireWrite): Promise<CasAnswer> {
    return this.#ifTrusted(() => this.#store.acquire(write))
  }

  renew(write: RenewWrite): Promise<CasAnswer> {
    return this.#ifTrusted(() => this.#store.renew(write))
  }

  release(write: ReleaseWrite): Promise<CasAnswer> {
    return this.#ifTrusted(() => this.#store.release(write))
  }

  quarantine(write: QuarantineWrite): Promise<CasAnswer> {
    return this.#ifTrusted(() => this.#store.quarantine(write))
  }

  read(name: string) {
    return this.#store.read(name)
  }

  readWritten(name: string) {
    return this.#store.readWritten?.(name) ?? this.#store.read(name)
  }

  hint(name: string) {
    return this.#store.hint(name)
  }

  scan(range: ScanRange) {
    return this.#store.scan(range)
  }

  scanRows(range: ScanRange) {
    return this.#store.scanRows(range)
  }

  async #ifTrusted(write: () => Promise<CasAnswer>): Promise<CasAnswer> {
    const { distrust } = this.#trust
    if (distrust !== null) throw new StoreRefusedError(distrustText(this.#table, distrust))
    return write()
  }
}
