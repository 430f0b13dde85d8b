/**
 * The forced release *break*: writes a mark in the place of the holder that the operator saw. The mark keeps the lease
 * from other owners until the old holder's deadline is certainly past, and then expires.
 *
 * Guarantees: only the planned owner can lose the lease. No other owner acquires it before the old holder must consider
 * it lost, even if that holder renews between the re-read and the mark. The mark is sent once and never again.
 * Does not guarantee: that the old holder stops at its deadline; use the fencing token where that matters. The holder
 * learns of the break when Cassandra refuses its next renewal.
 * Assumes: the clocks of `time/quarantine-time.ts`. The holder keeps to its deadline and to its TTL: one that renews by
 * hand with a longer TTL, between the re-read and the mark, may outlive the quarantine. No other break uses the id.
 * Tuned by: maxClockSkew and the Paxos variant, which lengthen the quarantine. Its length depends on the holder's full
 * TTL, not on the rest of it.
 */

import {
  InvalidArgumentError,
  type LeaseContext,
  type LeaseView,
  type QuarantineWrite,
  readLease,
  type StatementUnknownError,
  serverTimeMs,
  type Verdict,
} from '../lease/index.ts'
import type { Resolution } from '../telemetry/index.ts'
import { quarantineSeconds } from '../time/index.ts'
import { forcedSettleMs, isAhead, isSameRow, quietly } from './forced-write.ts'

export type BreakOutcome =
  /**
   * The mark took the holder's place. `safeAtMs`: when the mark expires and the lease can be acquired, in milliseconds
   * since the epoch by Cassandra's clocks. `view`: the mark as read; null: the read failed, or an operator has killed
   * the mark already, and `safeAtMs` is the latest possible time.
   */
  | { kind: 'broken'; safeAtMs: number; view: LeaseView | null }
  /**
   * Another owner holds the lease, or none: nothing was sent, or the store refused the mark. `owner`: the holder now;
   * null: none. `current`: the lease as read; undefined: the store refused, and the read after it failed.
   */
  | { kind: 'holder-changed'; owner: string | null; current: LeaseView | null | undefined }
  /**
   * The answer was lost, and a read shows neither the planned owner nor the mark. Whether the mark was ever there and
   * has expired cannot be known.
   */
  | { kind: 'superseded' }
  /**
   * Not applied, and the planned owner still holds the lease. The answer was lost: the server reported a time-out, and a SERIAL read after
   * it proves this. Or the store refused the mark, and a read after it shows that owner: its expiry is near, and the clocks of two
   * coordinators differ. Or the answer was *applied*, and a read after it shows the same owner: see the step `no-effect`.
   */
  | { kind: 'not-broken' }
  /**
   * The answer was lost, and the planned owner still holds the lease. The mark may yet take that owner's place. Or it was *applied*, and
   * a read after it shows a later write of that owner; or the row was dated ahead, and no read after it shows a row.
   */
  | { kind: 'unknown' }

export type BreakStep =
  | { step: 're-read'; lease: LeaseView | null }
  /** `ttlSeconds`: the TTL of the mark. */
  | { step: 'sent'; ttlSeconds: number }
  | { step: 'answered' }
  /**
   * Cassandra answered *applied*, and the owner is as it was: a client wrote it with a timestamp that is ahead of the statement's. In the
   * place of a value that the client wrote with an older one is the mark's.
   */
  | { step: 'no-effect'; before: LeaseView; lease: LeaseView }
  | { step: 'answer-lost'; error: StatementUnknownError }
  | { step: 'read-again'; lease: LeaseView | null }

/** How long to retry the read of a mark that was applied, in milliseconds. */
const readMarkWithinMs = 5_000

/**
 * @throws StoreUnavailableError, StoreRefusedError when the re-read failed, or the mark was not sent;
 * InvalidArgumentError when no quarantine is safe or possible: the table has no owner column, or the lease has no expiry (its
 * holder never has to stop, so that no time is long enough: kill it), or a TTL of nearly the 20 years that Cassandra takes at
 * most, or the row's ballots are ahead of the clocks
 */
export async function breakLease(
  context: LeaseContext,
  planned: Omit<QuarantineWrite, 'ttlSeconds'>,
  onStep: (step: BreakStep) => void = () => {},
): Promise<BreakOutcome> {
  const { store, clock, expiries, maxClockSkewMs, engine } = context
  const { name, owner, mark } = planned
  if (!store.columns.owner)
    throw new InvalidArgumentError('A table without an owner column has no room for a mark: kill the lease.')
  const read = () => readLease(store, clock, expiries, name)
  const broken = (view: LeaseView): Verdict<BreakOutcome> => ({
    done: { kind: 'broken', safeAtMs: view.expiresAtMs as number, view },
  })
  let before: LeaseView | undefined
  let lost: StatementUnknownError | undefined
  return engine.settle<BreakOutcome>(
    {
      name: 'break',
      resolution: ({ kind }) => resolutions[kind],
      first: 'look',
      async look() {
        const seen = await read()
        onStep({ step: lost === undefined ? 're-read' : 'read-again', lease: seen })
        // The mark proves the break, also one by an earlier call with this id.
        if (seen?.owner === mark) return broken(seen)
        if (lost === undefined) {
          // 1. Re-read the holder. If it is another one, do nothing.
          if (seen?.owner !== owner)
            return { done: { kind: 'holder-changed', owner: seen?.owner ?? null, current: seen } }
          before = seen
          return { next: 'send', soon: true }
        }
        // 5. Is the read final? If not, read again; never send the mark again.
        if (seen?.owner !== owner) return { done: { kind: 'superseded' } }
        return lost.finality === 'read' ? { done: { kind: 'not-broken' } } : { next: 'look' }
      },
      async send() {
        const holder = before as LeaseView
        // 2. Count the full TTL: between 1 and 3 the holder may renew, and then has all of it again.
        const fullSeconds = fullTtlSeconds(holder, maxClockSkewMs)
        const ttlSeconds = quarantineSeconds(fullSeconds, maxClockSkewMs, store.paxosVariant)
        if (ttlSeconds === null)
          throw new InvalidArgumentError(
            `${JSON.stringify(name)} has a TTL of ${fullSeconds} s: Cassandra takes no quarantine that is longer. Kill it.`,
          )
        // 3. Send the mark, on condition that the planned owner still holds the lease.
        onStep({ step: 'sent', ttlSeconds })
        const answer = await store.quarantine({ ...planned, ttlSeconds })
        onStep({ step: 'answered' })
        if (!answer.applied) {
          const current = await quietly(read)
          if (current?.owner === owner) return { done: { kind: 'not-broken' } }
          return {
            done: { kind: 'holder-changed', owner: (current ?? answer.found)?.owner ?? null, current },
          }
        }
        // The statement began before this moment. Its coordinator's clock may be ahead of the one read in 1 by the
        // skew.
        const answeredBy = serverTimeMs(holder, clock.now()) + maxClockSkewMs
        const latestMs = (Math.floor(answeredBy / 1000) + ttlSeconds) * 1000
        const seen = await quietly(() => readAfter(context, planned.name))
        if (seen != null && isSameRow(seen, holder)) {
          onStep({ step: 'no-effect', before: holder, lease: seen })
          return { done: { kind: 'not-broken' } }
        }
        // No conditional write brings the owner back while the mark stands: a plain one hides the mark, or has replaced it.
        if (seen?.owner === owner || (seen == null && isAhead(holder))) return { done: { kind: 'unknown' } }
        const view = seen?.owner === mark ? seen : null
        return { done: { kind: 'broken', safeAtMs: view?.expiresAtMs ?? latestMs, view } }
      },
      // 4. No answer: read the lease.
      lost(error) {
        lost = error
        onStep({ step: 'answer-lost', error })
        return { next: 'look', soon: true }
      },
      unknown: () => ({ done: { kind: 'unknown' } }),
    },
    { budgetMs: forcedSettleMs },
  )
}

const resolutions = {
  broken: 'applied',
  'holder-changed': 'superseded',
  superseded: 'superseded',
  'not-broken': 'not-applied',
  unknown: 'open',
} as const satisfies Record<BreakOutcome['kind'], Resolution>

/** @throws InvalidArgumentError */
function fullTtlSeconds({ name, version, ttlSeconds, read }: LeaseView, maxClockSkewMs: number): number {
  if (version === null || ttlSeconds === null || read.ownerTtlSeconds === null)
    throw new InvalidArgumentError(
      `${JSON.stringify(name)} has no expiry: its holder never has to stop, so that no quarantine is long enough. Kill it.`,
    )
  // A clock that was ahead once has pushed the row's ballots ahead: the writetime does not show the TTL any more.
  const aheadMs = Number(version / 1_000n) - read.serverNowMs
  if (aheadMs > maxClockSkewMs)
    throw new InvalidArgumentError(
      `${JSON.stringify(name)} was written ${Math.ceil(aheadMs)} ms ahead of Cassandra's clock, where ${maxClockSkewMs} ms are allowed: its TTL cannot be computed. A kill ends it, unless a client dated the row itself.`,
    )
  return Math.max(ttlSeconds, read.ownerTtlSeconds)
}

/** The row after the mark was applied. null: there is none, or it could not be read in time. */
async function readAfter({ store, clock, expiries, engine }: LeaseContext, name: string) {
  return engine.settle<LeaseView | null>(
    {
      first: 'look',
      look: async () => ({ done: await readLease(store, clock, expiries, name) }),
      send: () => Promise.reject(new Error('Reading the mark sends no write.')),
      lost: () => ({ next: 'look' }),
      ridesOutUnavailable: true,
      unknown: () => ({ done: null }),
    },
    { budgetMs: readMarkWithinMs },
  )
}
