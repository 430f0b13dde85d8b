/**
 * Bounds how many refusals are written: of one sender and of all together so many in ten minutes, each by itself; the
 * others are counted and written as one entry, a minute after the first of them. Strangers, who can send as many as they
 * like, have the smallest share: 60 in ten minutes and 1,440 counts a day are at most some 15 MB a day.
 *
 * The server's own reports, of rows that another client forged, are bounded where they are made (store/sealed-rows.ts). They
 * are written by themselves however many others are refused in the same second: a count says neither which row it was nor why,
 * and a sender in a loop could hide what it forges.
 *
 * So are the entries that say how many acts of one sender were refused (act-limit.ts): there is one for each sender and limit time, and the
 * sender that they are about could else hide them among 200 refusals of its own.
 */
import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from 'leasehold/time'
import type { AuditEntry, AuditEvent } from '../../../contract/audit.ts'
import { addressKey } from '../../http/limits/request-limits.ts'
import { Sampler } from '../../http/limits/sampler.ts'

const windowMs = 1_000
const tellAfterMs = 60_000
const tenMinutesMs = 600_000
/** Refusals without a session, by their addresses; and those of signed-in people and tokens, by their names. */
const strangersShare = { windowMs: tenMinutesMs, perKey: 10, total: 60 }
const signedInShare = { windowMs: tenMinutesMs, perKey: 200, total: 2_000 }
/** Of addresses and acts named in the count; the rest are in its total. */
const namedAtMost = 20

interface FloodGateOptions {
  clock: Clock
  timer: Timer
  perSecond: number
  /** Writes the count, and retries until it is written. */
  write(event: AuditEvent): Promise<AuditEntry>
}

export class FloodGate {
  readonly #options: FloodGateOptions
  #window = { fromMs: Number.NEGATIVE_INFINITY, admitted: 0 }
  #counted: Counted | null = null
  readonly #strangers: Sampler
  readonly #signedIn: Sampler

  constructor(options: FloodGateOptions) {
    this.#options = options
    this.#strangers = new Sampler(options.clock, strangersShare)
    this.#signedIn = new Sampler(options.clock, signedInShare)
  }

  /**
   * @param full so many wait to be written that no other may
   * @returns null: it may be written by itself. Else the entry that will count it
   */
  count(event: AuditEvent, full: boolean): Promise<AuditEntry> | null {
    const { clock, timer, perSecond } = this.#options
    const { monotonicMs, wallMs } = clock.now()
    const isBounded = event.actor.via === 'server' || event.act === 'flood'
    if (isBounded && !full) return null
    if (monotonicMs - this.#window.fromMs >= windowMs) this.#window = { fromMs: monotonicMs, admitted: 0 }
    if (!full && this.#window.admitted < perSecond && this.#admits(event)) {
      this.#window.admitted += 1
      return null
    }
    if (this.#counted === null) {
      this.#counted = new Counted(wallMs)
      timer.after(tellAfterMs, () => this.tell())
    }
    this.#counted.add(event, wallMs)
    return this.#counted.entry
  }

  #admits({ actor: { role, username, address } }: AuditEvent): boolean {
    const admitted =
      role === null ? this.#strangers.admit(addressKey(address ?? '')) : this.#signedIn.admit(username)
    return admitted !== null
  }

  /** Writes the count so far. */
  tell(): void {
    const counted = this.#counted
    this.#counted = null
    if (counted !== null) counted.settle(this.#options.write(counted.event()))
  }
}

class Counted {
  readonly entry: Promise<AuditEntry>
  settle!: (entry: Promise<AuditEntry>) => void
  #total = 0
  readonly #fromMs: number
  #toMs: number
  readonly #acts = new Map<string, number>()
  readonly #addresses = new Map<string, number>()

  constructor(wallMs: number) {
    this.#fromMs = wallMs
    this.#toMs = wallMs
    this.entry = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  add({ act, actor }: AuditEvent, wallMs: number): void {
    this.#total += 1
    this.#toMs = wallMs
    const tally = (counts: Map<string, number>, key: string) => {
      if (counts.has(key) || counts.size < namedAtMost) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    tally(this.#acts, act)
    tally(this.#addresses, actor.address ?? 'unknown')
  }

  event(): AuditEvent {
    const iso = (ms: number) => new Date(ms).toISOString()
    const actor = {
      username: 'leasehold',
      role: null,
      via: 'server',
      address: null,
      requestId: null,
    } as const
    const after = {
      counted: this.#total,
      from: iso(this.#fromMs),
      to: iso(this.#toMs),
      acts: Object.fromEntries(this.#acts),
      addresses: Object.fromEntries(this.#addresses),
    }
    return {
      act: 'flood',
      phase: 'event',
      id: randomUUID(),
      actor,
      on: { kind: 'console' },
      reason: null,
      before: null,
      after,
      outcome: 'refused',
    }
  }
}
