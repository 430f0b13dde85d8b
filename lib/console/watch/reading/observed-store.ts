/**
 * A lease store that passes on what it reads and does: every SERIAL read of this process, whatever it was for, is one that
 * the watch need not send. So is a DELETE that was applied: it says that the row is gone, as a SERIAL read would, unless the row is
 * dated ahead of Cassandra's clock. Other writes are a reason to read, unless the one who wrote does.
 */
import type {
  AcquireWrite,
  CasAnswer,
  LeaseCells,
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
import { BoundedMap, isLeaseholdError } from 'leasehold/lease'
import type { Clock, Moment, PaxosVariant } from 'leasehold/time'
import type { Reading } from '../rows/watched-row.ts'

export interface StoreObserver {
  read(reading: Reading): void
  /** A DELETE of this row was applied. Of a row that is dated ahead Cassandra says so too, and leaves it as it is. */
  deleted(reading: Reading): void
  /**
   * A conditional write of this row was applied, or may have been.
   * @param isRead the one who wrote is about to read the row
   */
  written(name: string, isRead: boolean): void
}

/** Writes whose rows are about to be read: as many as requests are under way. */
const writtenMax = 1_000

export class ObservedStore implements LeaseStore {
  readonly columns: StoreColumns
  readonly paxosVariant: PaxosVariant
  readonly repeats: boolean | undefined
  readonly #store: LeaseStore
  #observer: StoreObserver | null = null
  readonly #clock: Clock
  /** By name, who acquired or renewed it last through this store, and when that was answered. */
  readonly #written = new BoundedMap<string, { readonly owner: string; readonly at: Moment }>(writtenMax)

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
    const { name } = write
    return this.#write(
      name,
      () => this.#store.acquire(write),
      (sent, at) => {
        // Without an owner there is no token to read, and nothing else: the row itself is the lock.
        if (this.columns.owner) {
          this.#written.set(name, { owner: write.owner, at })
          this.#observer?.written(name, true)
        } else this.#seen(name, sent, at, { ...bare, serverNowMs: at.wallMs })
      },
    )
  }

  renew(write: RenewWrite): Promise<CasAnswer> {
    const { name, owner } = write
    return this.#write(
      name,
      () => this.#store.renew(write),
      (_, at) => {
        this.#written.set(name, { owner, at })
        this.#observer?.written(name, true)
      },
    )
  }

  release(write: ReleaseWrite): Promise<CasAnswer> {
    return this.#write(
      write.name,
      () => this.#store.release(write),
      (sent, at) => this.#observer?.deleted(readingOf(write.name, sent, at, null)),
    )
  }

  quarantine(write: QuarantineWrite): Promise<CasAnswer> {
    return this.#write(
      write.name,
      () => this.#store.quarantine(write),
      () => this.#observer?.written(write.name, false),
    )
  }

  async read(name: string): Promise<ReadAnswer> {
    const sent = this.#clock.now()
    const answer = await this.#store.read(name)
    this.#seen(name, sent, this.#clock.now(), answer.cells)
    return answer
  }

  /**
   * That the row of an acquisition, or of a renewal, is its owner's was decided when the write was answered: the watch takes what this
   * read shows of it as a SERIAL read of that moment.
   */
  async readWritten(name: string): Promise<ReadAnswer> {
    const written = this.#written.get(name)
    this.#written.delete(name)
    const answer = await (this.#store.readWritten?.(name) ?? this.#store.read(name))
    if (written !== undefined && answer.cells?.owner === written.owner)
      this.#seen(name, written.at, this.#clock.now(), answer.cells)
    else this.#observer?.written(name, false)
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

  async #write(
    name: string,
    write: () => Promise<CasAnswer>,
    applied: (sent: Moment, at: Moment) => void,
  ): Promise<CasAnswer> {
    const sent = this.#clock.now()
    try {
      const answer = await write()
      if (answer.applied) applied(sent, this.#clock.now())
      return answer
    } catch (thrown) {
      // Any other error says that it was not applied: a read of the row for each would be a load of its own in an outage.
      if (isLeaseholdError(thrown, 'statement-unknown')) this.#observer?.written(name, false)
      throw thrown
    }
  }

  #seen(name: string, sent: Moment, at: Moment, cells: LeaseCells | null): void {
    this.#observer?.read(readingOf(name, sent, at, cells))
  }
}

function readingOf(name: string, sent: Moment, at: Moment, cells: LeaseCells | null): Reading {
  const serverNowMs = cells?.serverNowMs ?? at.wallMs
  return { name, cells, read: { level: 'SERIAL', sent, at, serverNowMs }, earliestServerMs: serverNowMs }
}

/** A row without an owner column. */
const bare = { owner: null, value: null, ownerWritetime: null, ownerTtlSeconds: null, valueTtlSeconds: null }
