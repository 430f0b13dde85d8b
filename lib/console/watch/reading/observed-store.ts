/**
 * A lease store that passes on what it reads and does: every SERIAL read of this process, whatever it was for, is one that
 * the watch need not send, and every write that was applied is a reason for one.
 */
import type {
  AcquireWrite,
  CasAnswer,
  LeaseHint,
  LeaseStore,
  QuarantineWrite,
  ReadAnswer,
  ReleaseWrite,
  RenewWrite,
  ScanAnswer,
  ScanRange,
  ScanRowsAnswer,
  StoreColumns,
} from 'leasehold/lease'
import type { Clock, PaxosVariant } from 'leasehold/time'
import type { Reading } from '../rows/watched-row.ts'

export interface StoreObserver {
  read(reading: Reading): void
  /**
   * A conditional write of this row was applied, or may have been.
   * @param isRead the one who wrote is about to read the row
   */
  written(name: string, isRead: boolean): void
}

export class ObservedStore implements LeaseStore {
  readonly columns: StoreColumns
  readonly paxosVariant: PaxosVariant
  readonly repeats: boolean | undefined
  readonly #store: LeaseStore
  #observer: StoreObserver | null = null
  readonly #clock: Clock

  constructor(store: LeaseStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.columns = store.columns
    this.paxosVariant = store.paxosVariant
    this.repeats = store.repeats
  }

  /** The watch reads through this store itself: it is there after it. */
  observedBy(observer: StoreObserver): void {
    this.#observer = observer
  }

  acquire(write: AcquireWrite): Promise<CasAnswer> {
    // Without an owner there is no token to read.
    return this.#write(write.name, this.columns.owner, this.#store.acquire(write))
  }

  renew(write: RenewWrite): Promise<CasAnswer> {
    return this.#write(write.name, true, this.#store.renew(write))
  }

  release(write: ReleaseWrite): Promise<CasAnswer> {
    return this.#write(write.name, false, this.#store.release(write))
  }

  quarantine(write: QuarantineWrite): Promise<CasAnswer> {
    return this.#write(write.name, false, this.#store.quarantine(write))
  }

  async read(name: string): Promise<ReadAnswer> {
    const sent = this.#clock.now()
    const answer = await this.#store.read(name)
    const at = this.#clock.now()
    const serverNowMs = answer.cells?.serverNowMs ?? at.wallMs
    this.#observer?.read({
      name,
      cells: answer.cells,
      read: { level: 'SERIAL', sent, at, serverNowMs },
      earliestServerMs: serverNowMs,
    })
    return answer
  }

  hint(name: string): Promise<LeaseHint | null> {
    return this.#store.hint(name)
  }

  scan(range: ScanRange): Promise<ScanAnswer> {
    return this.#store.scan(range)
  }

  scanRows(range: ScanRange): Promise<ScanRowsAnswer> {
    return this.#store.scanRows(range)
  }

  async #write(name: string, isRead: boolean, answering: Promise<CasAnswer>): Promise<CasAnswer> {
    try {
      const answer = await answering
      if (answer.applied) this.#observer?.written(name, isRead)
      return answer
    } catch (thrown) {
      this.#observer?.written(name, isRead)
      throw thrown
    }
  }
}
