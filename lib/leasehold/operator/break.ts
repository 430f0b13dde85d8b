/**
 * The forced release *break*: the owner is replaced by a mark, bound to the holder that a person saw. The mark keeps
 * everybody out until the old holder's own deadline is certainly past, and then expires.
 *
 * Guarantees: only the planned owner can lose the lease by this. Nobody acquires it before the old holder must consider
 * it lost, a renewal that slips in between the re-read and the mark included. The write is sent once and never again.
 * Does not guarantee: that the old holder stops when it must; fence, where that matters. It learns of the mark at its
 * next renewal, which is refused.
 * Assumes: the clocks of `time/quarantine-time.ts`; a holder that keeps to its deadline, and to the TTL that it has: one
 * that renews by hand with a longer TTL, in the moment between re-read and mark, may outlive the quarantine. That
 * the id is used for this break alone.
 * Tuned by: maxClockSkew and the Paxos variant, which lengthen the quarantine. How long it is hangs on the TTL alone, not
 * on what is left of it.
 */

import type { LeaseContext } from '../lease/context.ts'
import { InvalidArgumentError, type StatementUnknownError } from '../lease/errors.ts'
import { type LeaseView, readLease, serverTimeMs } from '../lease/lease-view.ts'
import type { Verdict } from '../lease/outcome-engine.ts'
import type { QuarantineWrite } from '../lease/store.ts'
import { quarantineSeconds } from '../time/index.ts'
import { killSettleMs, quietly } from './kill.ts'

export type BreakOutcome =
  /**
   * The mark is there. `safeAtMs`: when it expires, and the lease can be acquired, in milliseconds since the epoch by
   * Cassandra's clocks. `view`: the mark as read; null: it could not be read, or has
   * been killed already, and `safeAtMs` is the latest that it can be.
   */
  | { kind: 'broken'; safeAtMs: number; view: LeaseView | null }
  /**
   * Refused: nothing was sent, or the store said no. `owner`: who holds it now, null: nobody. `current`: the lease as
   * read; undefined: the store said who, and a read of it failed.
   */
  | { kind: 'holder-changed'; owner: string | null; current: LeaseView | null | undefined }
  /**
   * The answer was lost; the planned owner is gone, and the mark is not there. It never was, or has expired meanwhile:
   * nobody can tell.
   */
  | { kind: 'superseded' }
  /** The answer was lost, and the server's word is final: not applied. */
  | { kind: 'not-broken' }
  /** The answer was lost, and the planned owner is still there. The mark may yet take its place, and its alone. */
  | { kind: 'unknown' }

export type BreakStep =
  | { step: 're-read'; lease: LeaseView | null }
  /** `ttlSeconds`: for how long the mark is to stay. */
  | { step: 'sent'; ttlSeconds: number }
  | { step: 'answered' }
  | { step: 'answer-lost'; error: StatementUnknownError }
  | { step: 'read-again'; lease: LeaseView | null }

/** For how long a mark that is certainly there is tried to be read, in milliseconds. */
const readMarkWithinMs = 5_000

/**
 * @throws StoreUnavailableError, StoreRefusedError when the holder cannot be re-read, or the mark was not sent;
 * InvalidArgumentError when no quarantine is safe: the table has no owner column, or the lease no expiry (its holder
 * never has to stop, so that no time is long enough: kill it), or the row's ballots are ahead of the clocks
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
      first: 'look',
      async look() {
        const seen = await read()
        onStep({ step: lost === undefined ? 're-read' : 'read-again', lease: seen })
        // Our mark is the certain proof, also of an earlier call with this id.
        if (seen?.owner === mark) return broken(seen)
        if (lost === undefined) {
          // 1. Who holds it now? Another one: hands off.
          if (seen?.owner !== owner)
            return { done: { kind: 'holder-changed', owner: seen?.owner ?? null, current: seen } }
          before = seen
          return { next: 'send', soon: true }
        }
        // 5. Something final? The mark is not sent again.
        if (seen?.owner !== owner) return { done: { kind: 'superseded' } }
        return lost.finality === 'read' ? { done: { kind: 'not-broken' } } : { next: 'look' }
      },
      async send() {
        const holder = before as LeaseView
        // 2. For the full TTL: between 1 and 3 the holder may renew, and then has all of it again.
        const fullSeconds = fullTtlSeconds(holder, maxClockSkewMs)
        const ttlSeconds = quarantineSeconds(fullSeconds, maxClockSkewMs, store.paxosVariant)
        // 3. The mark, on condition that it is still the planned one: between 1 and 3 everything may have happened.
        onStep({ step: 'sent', ttlSeconds })
        const answer = await store.quarantine({ ...planned, ttlSeconds })
        onStep({ step: 'answered' })
        if (!answer.applied) {
          const current = await quietly(read)
          return {
            done: { kind: 'holder-changed', owner: (current ?? answer.found)?.owner ?? null, current },
          }
        }
        // The statement began before this moment, by a clock that is ahead of the one that was read by the skew at most.
        const answeredBy = serverTimeMs(holder, clock.now()) + maxClockSkewMs
        const latestMs = (Math.floor(answeredBy / 1000) + ttlSeconds) * 1000
        const view = await readMark(context, planned)
        return { done: { kind: 'broken', safeAtMs: view?.expiresAtMs ?? latestMs, view } }
      },
      // 4. No answer: look.
      lost(error) {
        lost = error
        onStep({ step: 'answer-lost', error })
        return { next: 'look', soon: true }
      },
      unknown: () => ({ done: { kind: 'unknown' } }),
    },
    { budgetMs: killSettleMs },
  )
}

/** @throws InvalidArgumentError */
function fullTtlSeconds({ name, version, ttlSeconds, read }: LeaseView, maxClockSkewMs: number): number {
  if (version === null || ttlSeconds === null || read.ownerTtlSeconds === null)
    throw new InvalidArgumentError(
      `${JSON.stringify(name)} has no expiry: its holder never has to stop, so that no quarantine is long enough. Kill it.`,
    )
  // Dragged along by a clock that was wrong once: then the TTL cannot be told from the writetime.
  const aheadMs = Number(version / 1_000n) - read.serverNowMs
  if (aheadMs > maxClockSkewMs)
    throw new InvalidArgumentError(
      `${JSON.stringify(name)} was written ${Math.ceil(aheadMs)} ms ahead of Cassandra's clock, where ${maxClockSkewMs} ms are allowed: its TTL cannot be told. Kill it.`,
    )
  return Math.max(ttlSeconds, read.ownerTtlSeconds)
}

async function readMark(context: LeaseContext, { name, mark }: { name: string; mark: string }) {
  const { store, clock, expiries, engine } = context
  return engine.settle<LeaseView | null>(
    {
      first: 'look',
      async look() {
        const seen = await readLease(store, clock, expiries, name)
        return { done: seen?.owner === mark ? seen : null }
      },
      send: () => Promise.reject(new Error('A look sends nothing.')),
      lost: () => ({ next: 'look' }),
      ridesOutUnavailable: true,
      unknown: () => ({ done: null }),
    },
    { budgetMs: readMarkWithinMs },
  )
}
