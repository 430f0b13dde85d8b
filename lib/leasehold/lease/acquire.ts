/**
 * Acquiring a lease, answers lost included.
 *
 * Guarantees: a caller that gets *acquired* is the owner that Cassandra shows, until the deadline in the tenure.
 * *held* is said only when the store answered that another owner holds the lease, and, where the caller does not wait, no
 * try of this acquisition is still under way. An owner id is sent once: a try whose answer was lost is made again under another id. So a try that lands
 * late can never be taken for the tenure that followed it, and a holder that was killed stays killed.
 * Does not guarantee: that a try whose answer was lost never appears. It may, up to half a minute later (over the REST API a
 * minute and a half): after an OutcomeUnknownError, and behind the lease of a later try once that is released. It is looked for in the background, and
 * released. Where the process ends first, it lives for one TTL. That a lease under a chosen owner stays released, if it is released before this
 * call has its outcome: a read after a lost answer takes a row that is gone for one that never came, and the try is sent again.
 * Assumes: `lease-time.ts`'s assumptions on clocks; that owner ids are unique. An owner chosen by the caller may have
 * been used before, and may be matched by a statement sent before. It is sent again only once the store has said that
 * the earlier try was not applied.
 */
import {
  type Deadline,
  deadlineOf,
  elapsedMs,
  type Moment,
  surelyElapsedMs,
  untilDeadlineMs,
} from '../time/index.ts'
import type { LeaseContext } from './context.ts'
import type { Resending, Verdict } from './engine/outcome-engine.ts'
import { isLeaseholdError, OutcomeUnknownError, type StatementUnknownError } from './errors.ts'
import { OpenTries, openForMs } from './open-tries.ts'
import { uniqueOwner } from './owner-id.ts'
import { type LeaseView, readLease, readWritten } from './reading/lease-view.ts'
import { release } from './release.ts'
import { type RenewOutcome, renew } from './renew.ts'
import type { Tenure } from './tenure.ts'

interface Wanted extends Resending {
  readonly name: string
  readonly value: string | null
  readonly ttlSeconds: number
  /** Chosen by the caller, who may hold the lease already. Left out: each try has an id of its own. */
  readonly owner?: string | undefined
  /**
   * A row of `owner` that was written since the send counts as this call's: the caller made the id for it alone, or all who use the
   * id are one holder.
   */
  readonly ownerIsUnique?: boolean | undefined
  /** The row is a record that no caller holds: neither its token nor its deadline is of use. */
  readonly isRecord?: boolean | undefined
  /** The caller waits for the holder to go: *held* is worth saying although an earlier try may still appear. */
  readonly waits?: boolean | undefined
}

export type AcquireOutcome =
  /** `seen`: the row as read right after, for showing. null: the table has no owner column. */
  | { kind: 'acquired'; tenure: Tenure; seen: LeaseView | null }
  /**
   * `owner` as the store answered; null in a table without an owner column. `behindQueue`: no owner holds the lease, but other
   * waiters stand before this one.
   */
  | { kind: 'held'; owner: string | null; behindQueue?: true | undefined }

/** Before the owner of a record: no process keeps it alive, so that a reader misses no renewal of it. */
const recordPrefix = 'record:'

/** A row that is ours. `late`: found out by a read, or by a refusal, and not by an answer to its own try. */
interface Won {
  readonly owner: string
  readonly tried: Try
  readonly late: boolean
}

interface Try {
  readonly sent: Moment
  /** When its last statement was sent that may still be applied, or since when its row has no holder. */
  openSince: Moment
  /** It may still be applied. */
  open: boolean
  /** Its row was won, and is gone again: it never comes back. */
  gone: boolean
  /** The tries of the tenure: one that is handed out after a renewal went unanswered has that one open. */
  readonly tries: OpenTries
}

/** What one caller wants, over as many tries as it takes, waiting included. */
export class Acquisition {
  readonly wanted: Wanted
  /** The last answer that another owner holds the lease. */
  refusal: { readonly owner: string | null } | undefined
  /** Its row is there, and the token is being read. */
  isWon = false
  readonly #tries = new Map<string, Try>()

  constructor(wanted: Wanted) {
    this.wanted = wanted
  }

  /** Notes a try, before it is sent. */
  begin(sent: Moment, ownerPrefix: string): { owner: string; tried: Try } {
    const { owner: chosen, isRecord } = this.wanted
    const owner = chosen ?? `${ownerPrefix}${isRecord ? recordPrefix : ''}${uniqueOwner()}`
    const tried = { sent, openSince: sent, open: true, gone: false, tries: new OpenTries() }
    this.#forgetOld(sent)
    this.#tries.set(owner, tried)
    return { owner, tried }
  }

  /** A wait may go through an outage of days, and sends twice a second. */
  #forgetOld(now: Moment): void {
    const rowIsGoneAfterMs = openForMs + this.wanted.ttlSeconds * 1_000
    for (const [owner, { openSince }] of this.#tries) {
      if (surelyElapsedMs(openSince, now) < rowIsGoneAfterMs) return
      this.#tries.delete(owner)
    }
  }

  /** The try that was made under this owner; undefined: it is not one of ours. */
  tryOf(owner: string | null | undefined): Try | undefined {
    return owner == null ? undefined : this.#tries.get(owner)
  }

  /** Whether a try may still be applied. */
  isOpen(now: Moment): boolean {
    return this.#open(now).length > 0
  }

  /** It cannot be applied any more. */
  settle(tried: Try | undefined): void {
    if (tried !== undefined) tried.open = false
  }

  /** Its row was won, and could not be handed out: it has no holder, and is looked for. */
  reopen(tried: Try, now: Moment): void {
    if (tried.gone) return
    tried.open = true
    tried.openSince = now
  }

  /** The try's own statement was refused, or never sent: its row never was there, and never will be. */
  refused(owner: string): void {
    if (this.wanted.owner === undefined) this.#tries.delete(owner)
    else this.settle(this.#tries.get(owner))
  }

  /** The owners that may still appear. */
  ghosts(now: Moment): string[] {
    return this.#open(now).map(([owner]) => owner)
  }

  #open(now: Moment): [string, Try][] {
    return [...this.#tries].filter(
      ([, { open, openSince }]) => open && surelyElapsedMs(openSince, now) < openForMs,
    )
  }
}

/**
 * One round: tries until the store says who holds the lease.
 * @param abandoned the caller has left: no further try is made
 */
export async function acquire(
  context: LeaseContext,
  acquisition: Acquisition,
  abandoned?: AbortSignal,
): Promise<AcquireOutcome> {
  const won = await win(context, acquisition, abandoned)
  if (won.kind === 'held') {
    acquisition.refusal = won
    return won
  }
  acquisition.isWon = true
  try {
    return await handOut(context, acquisition, won.won)
  } catch (thrown) {
    acquisition.isWon = false
    acquisition.reopen(won.won.tried, context.clock.now())
    throw thrown
  }
}

type Round = { kind: 'won'; won: Won } | { kind: 'held'; owner: string | null }

function win(context: LeaseContext, acquisition: Acquisition, abandoned?: AbortSignal): Promise<Round> {
  const { store, clock, expiries, engine } = context
  const { name, value, ttlSeconds, owner: chosen } = acquisition.wanted
  /** The try whose answer was lost last, and whether a read settles it. */
  let unanswered: { tried: Try; settledByRead: boolean } | undefined
  let last: Try | undefined

  const won = (owner: string, tried: Try, late: boolean): Verdict<Round> => ({
    done: { kind: 'won', won: { owner, tried, late } },
  })
  const heldBy = (owner: string | null): Verdict<Round> =>
    acquisition.wanted.waits !== true && acquisition.isOpen(clock.now())
      ? { unknown: 'an answer was lost, and another owner holds it by now.' }
      : { done: { kind: 'held', owner } }
  /** An unanswered try under a chosen owner must not be sent beside another one of the same owner. */
  const afterNothing = (): Verdict<Round> =>
    acquisition.isOpen(clock.now())
      ? { next: chosen === undefined ? 'send' : 'look' }
      : { next: 'send', settled: true }

  return engine.settle<Round>(
    {
      name: 'acquire',
      resolution: (round) => {
        if (round.kind === 'won' && round.won.late) return 'applied'
        // A try that lost its answer may still appear behind the one that won, or behind the holder's.
        if (acquisition.isOpen(clock.now())) return 'open'
        return round.kind === 'won' ? 'not-applied' : 'superseded'
      },
      async send() {
        const { owner, tried } = acquisition.begin(clock.now(), context.ownerPrefix)
        last = tried
        try {
          const answer = await store.acquire({ name, owner, value, ttlSeconds })
          acquisition.settle(tried)
          if (answer.applied) {
            tried.tries.applied(clock.now())
            return won(owner, tried, false)
          }
          const found = answer.found?.owner ?? null
          if (found !== owner) acquisition.refused(owner)
          const mine = store.columns.owner ? acquisition.tryOf(found) : undefined
          if (found === null || mine === undefined) return heldBy(found)
          // The caller's own id may have been there before. The version of a read shows that.
          if (chosen !== undefined)
            return unanswered === undefined
              ? { done: { kind: 'held', owner: found } }
              : { next: 'look', soon: true }
          acquisition.settle(mine)
          return won(found, mine, true)
        } catch (thrown) {
          if (!isLeaseholdError(thrown, 'statement-unknown')) acquisition.refused(owner)
          throw thrown
        }
      },
      lost(error: StatementUnknownError) {
        if (!store.columns.owner)
          return { unknown: 'the answer was lost, and this table does not say whose a lock is.' }
        if (last !== undefined) unanswered = { tried: last, settledByRead: error.finality === 'read' }
        return { next: 'look', soon: true }
      },
      async look() {
        const seen = await readLease(store, clock, expiries, name)
        if (unanswered?.settledByRead) acquisition.settle(unanswered.tried)
        const mine = acquisition.tryOf(seen?.owner)
        if (seen == null || seen.owner === null) return afterNothing()
        if (mine === undefined) return heldBy(seen.owner)
        const proves = acquisition.wanted.ownerIsUnique === true && isSince(seen, mine.sent)
        if (chosen !== undefined && !proves) return { done: { kind: 'held', owner: seen.owner } }
        acquisition.settle(mine)
        return won(seen.owner, mine, true)
      },
      unread: afterNothing,
      unknown: (why, cause) => unknownAcquisition(acquisition, last, { why, cause, repeats: store.repeats }),
    },
    { abandoned, mayResend: acquisition.wanted.mayResend },
  )
}

/**
 * Whether the row was written after `sent`, as far as clocks tell: then by our own try, and not before it. It may say yes of a
 * row that is older by as much as the read took. Where coordinators' clocks differ it may say yes of an older row, and no of our own
 * try, which is then *held* by its owner.
 */
function isSince({ version, read }: LeaseView, sent: Moment): boolean {
  const sentByServerMs = read.serverNowMs - elapsedMs(sent, read.at)
  return version !== null && Number(version / 1_000n) >= sentByServerMs
}

function unknownAcquisition(
  acquisition: Acquisition,
  last: Try | undefined,
  { why, cause, repeats = false }: { why: string; cause: unknown; repeats: boolean | undefined },
): OutcomeUnknownError {
  const { name, ttlSeconds, owner } = acquisition.wanted
  const ghosts = last === undefined ? [] : acquisition.ghosts(last.sent)
  // A server sends for a minute, and its last statement may be applied half a minute later: `openForMs`.
  const later = repeats ? 'a minute and a half' : 'about half a minute'
  return new OutcomeUnknownError(
    `Whether ${JSON.stringify(name)} was acquired is unknown: ${why} It may still appear, ${later} later at worst, and then blocks the name for up to ${ttlSeconds} s.`,
    name,
    ghosts.at(-1) ?? owner ?? null,
    { cause },
  )
}

/** Reads the token, and makes sure that what is handed out can be relied on. */
async function handOut(
  context: LeaseContext,
  { wanted }: Acquisition,
  { owner, tried, late }: Won,
): Promise<AcquireOutcome> {
  const { store, clock, maxClockSkewMs, engine } = context
  const { name, value, ttlSeconds, mayResend } = wanted
  const deadline = deadlineOf(tried.sent, ttlSeconds, maxClockSkewMs)
  const first: Tenure = { name, owner, value, ttlSeconds, deadline, token: null, tries: tried.tries }
  if (!store.columns.owner || wanted.isRecord) return { kind: 'acquired', tenure: first, seen: null }
  const gone = () => {
    tried.gone = true
    return new OutcomeUnknownError(
      `${JSON.stringify(name)} was acquired and gone again before it could be handed out.`,
      name,
      owner,
    )
  }
  let readFailed: unknown
  const unread = (why: string) =>
    new OutcomeUnknownError(
      `${JSON.stringify(name)} was acquired, but ${why}. It is released, or usually free again within ${ttlSeconds} s.`,
      name,
      owner,
      { cause: readFailed },
    )
  const renewed = async (tenure: Tenure) => {
    let outcome: RenewOutcome
    if (mayResend?.() === false) throw unread('it is too late to renew it')
    // By now another client may hold it under the same owner: to renew it would cut that one's lease.
    if (wanted.owner !== undefined && wanted.ownerIsUnique !== true)
      throw unread('it was read too late to rely on it')
    try {
      // All who use a chosen owner are one holder, and another of them may have written a value meanwhile.
      outcome = await renew(context, tenure, { evenIfPast: true, keepsFoundValue: true, mayResend })
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'outcome-unknown')) throw thrown
      readFailed = thrown
      throw unread('it could not be renewed in time to rely on it')
    }
    if (outcome.kind === 'lost') throw gone()
    return outcome.tenure
  }
  const inTime = (of: Deadline) => untilDeadlineMs(of, clock.now()) > 0
  // What was found out late has less time left than it seems: renew it before a caller relies on it.
  let tenure = late ? await renewed(first) : first
  return engine.settle<AcquireOutcome>({
    first: 'look',
    // The token: the ballot of the write that is there now.
    async look() {
      let seen: LeaseView | null
      try {
        seen = await readWritten(context, name, owner)
      } catch (thrown) {
        readFailed = thrown
        const mayRead = isLeaseholdError(thrown, 'store-unavailable') && inTime(tenure.deadline)
        // Whatever it was: the acquisition was applied.
        return mayRead ? { next: 'look' } : { fail: unread('its token could not be read') }
      }
      if (seen?.owner !== owner) return { fail: gone() }
      if (inTime(tenure.deadline))
        return { done: { kind: 'acquired', tenure: { ...tenure, token: seen.version }, seen } }
      return { next: 'send' }
    },
    // Read too slowly: renew, and read again. Past the deadline the row may have expired, and a rival may have come and
    // gone; the renewal says so.
    async send() {
      tenure = await renewed(tenure)
      return { next: 'look', soon: true }
    },
    lost: () => ({ next: 'look' }),
    unknown: () => unread('no read came in time to rely on it'),
  })
}

/** Between two looks for a ghost, in milliseconds. */
const ghostLookEveryMs = 1_000

/**
 * Releases the tries of an acquisition that may still appear. Goes on until none can appear any more, the engine
 * stops, or the session is closed.
 */
export async function letGo(context: LeaseContext, acquisition: Acquisition): Promise<void> {
  const { store, clock, timer, engine, expiries } = context
  const { name, owner: chosen } = acquisition.wanted
  // A chosen owner may hold the lease by a later call.
  if (chosen !== undefined || !store.columns.owner) return
  while (acquisition.isOpen(clock.now()) && !engine.background.stopped.aborted) {
    let seen: LeaseView | null | undefined
    try {
      seen = await readLease(store, clock, expiries, name)
    } catch (thrown) {
      // No later read will be answered, and the timer between two would keep the process alive.
      if (isLeaseholdError(thrown, 'closed')) return
    }
    const mine = acquisition.tryOf(seen?.owner)
    if (mine?.open && seen?.owner != null) {
      // A release without an answer leaves the ghost: the next look finds it again.
      const released = await release(context, { name, owner: seen.owner }).catch(() => undefined)
      if (released !== undefined) {
        acquisition.settle(mine)
        continue
      }
    }
    await timer.sleep(ghostLookEveryMs, engine.background.stopped)
  }
}
