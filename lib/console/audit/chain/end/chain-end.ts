/**
 * The end of one chain, as this process knows it, and whether entries may be appended to it.
 *
 * Guarantees: a tail that is before what this process, or an anchor of its data directory, has seen gets no further entry;
 * nor is one whose head and last entry differ, whose last entry no holder of the key has written, or which will vanish.
 * The alarm stays until an operator has restarted the chain (`npm run audit -- restart`): by an entry in a later bucket,
 * which only a holder of the key can write, and which each process finds by itself.
 * Does not guarantee: anything of entries before the last one: the follower and `verify` look at those.
 */
import type { Clock } from 'leasehold/time'
import type { AuditAlarm, AuditChain } from '../../../../contract/audit.ts'
import type { Log } from '../../../http/log/log.ts'
import type { AuditKey } from '../../anchors/audit-key.ts'
import type { AuditStore } from '../audit-store.ts'
import { clocksApartMs, compareBuckets, hasExpired, originBucket } from '../bucket.ts'
import { type AuditRow, entryOf } from '../entry-body.ts'
import { AuditDamagedError, alarmTexts } from './chain-alarm.ts'
import { restartIn } from './chain-reader.ts'
import { bucketsOf, firstFound, isOursWith, isOwnBucket, type OwnChain, plantedAfter } from './own-rows.ts'
import { isBefore, type Seen } from './seen.ts'
import { findTail, type Tail } from './tail.ts'

export interface ChainEndOptions {
  store: AuditStore
  chain: AuditChain
  key: AuditKey
  clock: Clock
  log: Log
  /** The newest one that was anchored; null: none. */
  anchored: Seen | null
}

export class ChainEnd {
  readonly #options: ChainEndOptions
  readonly own: OwnChain
  #seen: Seen | null
  #alarm: AuditAlarm | null = null
  #raised = 0
  #restartedIn: string | null = null
  #planted: AuditAlarm | null = null

  constructor(options: ChainEndOptions) {
    this.#options = options
    const { store, chain, key } = options
    this.own = { store, chain, isOurs: isOursWith(key, chain) }
    this.#seen = options.anchored
  }

  get seen(): Seen | null {
    return this.#seen
  }

  /** While it is set, no entry is appended. */
  get alarm(): AuditAlarm | null {
    return this.#alarm
  }

  /** How often an alarm was raised: what was read before the last one counts no longer. */
  get raised(): number {
    return this.#raised
  }

  /** The alarms of the chain; with only `planted`, appends continue. */
  get alarms(): AuditAlarm[] {
    return [this.#alarm, this.#planted].filter((alarm) => alarm !== null)
  }

  /** The bucket with which an operator restarted the chain after this process had raised the alarm; null: none. */
  get restartedIn(): string | null {
    return this.#restartedIn
  }

  /** Whether one read finds the end, or the end has an alarm; else all partitions are listed for it. */
  get isKnown(): boolean {
    return this.#alarm !== null || (this.#seen !== null && !this.#mayHaveExpired(this.#seen))
  }

  /** An entry that was written, or read. */
  see(place: Seen): void {
    if (this.#seen === null || !isBefore(place, this.#seen)) this.#seen = place
  }

  /** @throws AuditDamagedError; StoreUnavailableError */
  async find(): Promise<Tail> {
    // Before it is read: another append of this process may be later than the read.
    const seen = this.#seen
    const raised = this.#raised
    if (this.#alarm !== null) return this.#restarted(this.#alarm)
    const tail = await findTail(this.own, seen?.bucket ?? null)
    // Another caller has raised an alarm since, and may have gone on with a restart, which `seen` does not know of.
    if (raised !== this.#raised) return this.find()
    const kind = this.#problemOf(tail, seen)
    const end = tail.last === null ? tail : { bucket: tail.last.bucket, seq: tail.last.row.seq }
    if (kind !== null) return this.damaged(kind, end)
    if (tail.last !== null) this.see(seenOf(tail.last))
    return tail
  }

  /**
   * Looks for a bucket after the end that is not the chain's. It is passed over: the chain does not lead there, and does
   * not enter a bucket that has something in it. @throws StoreUnavailableError
   */
  async lookForPlanted(): Promise<void> {
    const bucket = await plantedAfter(this.own, this.#seen?.bucket ?? originBucket)
    if (bucket === (this.#planted?.bucket ?? null)) return
    this.#planted = bucket === null ? null : this.alarmOf('planted', { bucket, seq: 0 })
    const { log } = this.#options
    if (this.#planted !== null)
      log.error(
        { alarm: this.#planted },
        'audit: a partition that no console has written; docs/operations.md says what to do',
      )
  }

  /**
   * Raises the alarm, unless the chain was restarted meanwhile.
   * @param raised what `raised` was before the reads that found the damage
   * @throws AuditDamagedError; StoreUnavailableError
   */
  async damaged(
    kind: AuditAlarm['kind'],
    { bucket, seq }: Pick<Tail, 'bucket' | 'seq'>,
    raised = this.#raised,
  ): Promise<Tail> {
    // Another caller has gone on with a restart since: the damage is before it, or is found again after it.
    if (raised !== this.#raised && this.#alarm === null) return this.find()
    const { log } = this.#options
    const alarm = this.alarmOf(kind, { bucket, seq })
    const isNew = this.#alarm === null
    if (isNew) this.#raised += 1
    this.#alarm ??= alarm
    const tail = await this.#restarted(this.#alarm).catch((thrown) => {
      if (isNew && this.#alarm === alarm)
        log.error(
          { alarm, seen: this.#seen },
          'audit: the log was changed; docs/operations.md says what to do',
        )
      throw thrown
    })
    return tail
  }

  alarmOf(kind: AuditAlarm['kind'], { bucket, seq }: Pick<Tail, 'bucket' | 'seq'>): AuditAlarm {
    const { chain, clock } = this.#options
    const since = new Date(clock.now().wallMs).toISOString()
    return { chain, kind, bucket, seq, since, detail: alarmTexts[kind] }
  }

  /** Where the chain was restarted, after what was seen and after the bucket that is damaged. */
  async #restarted(alarm: AuditAlarm): Promise<Tail> {
    const { chain, log } = this.#options
    // A bucket that another client has planted may be of any day: what an operator begins need not be later.
    const isAfterOwn = await isOwnBucket(this.own, alarm.bucket)
    const mayBe = (bucket: string) =>
      bucket !== alarm.bucket &&
      (!isAfterOwn || compareBuckets(bucket, alarm.bucket) > 0) &&
      (this.#seen === null || compareBuckets(bucket, this.#seen.bucket) > 0)
    const candidates = (await bucketsOf(this.own)).filter(mayBe).reverse()
    const found = await firstFound(candidates, async (bucket) => {
      if ((await restartIn(this.own, bucket)) === null) return null
      const tail = await findTail(this.own, bucket)
      return this.#problemOf(tail, null) === null ? { bucket, tail } : null
    })
    // Another caller has gone on with a restart since, after which these are no candidates, and the alarm of now is its own.
    if (this.#alarm !== alarm) return this.find()
    if (found === null) throw new AuditDamagedError(alarm)
    const { bucket, tail } = found
    this.#alarm = null
    this.#restartedIn = bucket
    this.#seen = tail.last === null ? null : seenOf(tail.last)
    log.warn({ chain, bucket }, 'audit: the log was restarted')
    return tail
  }

  #problemOf(tail: Tail, seen: Seen | null): AuditAlarm['kind'] | null {
    const { last } = tail
    const place = last === null ? null : seenOf(last)
    // An expired entry is no damage.
    if (seen !== null && !this.#mayHaveExpired(seen)) {
      if (place === null || isBefore(place, seen)) return 'backwards'
      if (place.bucket === seen.bucket && place.seq === seen.seq && place.hash !== seen.hash)
        return 'backwards'
    }
    if (tail.damaged) return 'head'
    if (last !== null && !this.isOurs(last.bucket, last.row))
      return entryOf(last.row)?.keyId === this.#options.key.id ? 'forged' : 'key'
    return this.#options.chain === 'main' && tail.ttlSeconds !== null ? 'expiring' : null
  }

  /** The day of a bucket began before its first entries were written, which expire first: by a clock that may be ahead. */
  #mayHaveExpired({ bucket }: Seen): boolean {
    const { chain, clock } = this.#options
    return chain === 'refused' && hasExpired(bucket, clock.now().wallMs + clocksApartMs)
  }

  /** Written with the key, for this place. */
  isOurs(bucket: string, row: AuditRow): boolean {
    return this.own.isOurs(bucket, row)
  }
}

const seenOf = ({ bucket, row: { seq, hash } }: { bucket: string; row: AuditRow }): Seen => ({
  bucket,
  seq,
  hash,
})
