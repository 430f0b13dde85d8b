/**
 * The outcome of a forced release whose answer never came, from one SERIAL read: in the process that sent it, or in another one
 * after that process died.
 *
 * What the read can show: the mark proves a break; another holder, or none, means *superseded*. What it cannot show:
 * whether the kill, or a break whose mark has expired since, ended the planned holder's tenure. That holder may have
 * released its lease or lost it.
 * Guarantees: nothing is written. The outcome is *unknown* as long as the write may still be under way.
 * Does not guarantee: that *not-released* and *not-broken* stay true. A statement may be held back for longer than any
 * that was measured (`forcedSettleMs`); it can then still take effect, on the planned owner alone.
 * Assumes: with `sent`, nothing of clocks: the process that sent the write measures by its monotonic clock. With `sentAtMs`,
 * after a restart or in another process: this wall clock and that of the process which sent the write differ by less than the
 * reserve in `forcedSettleMs` (5 s), and neither was set forward meanwhile.
 */

import { type LeaseContext, type LeaseView, quarantineMark, readLease } from '../lease/index.ts'
import { type Moment, surelyElapsedMs } from '../time/index.ts'
import type { BreakOutcome } from './break.ts'
import { forcedSettleMs } from './forced-write.ts'
import type { KillOutcome } from './kill.ts'

/** When a write was sent, at the latest. With neither: unknown, and as long as the planned owner holds the lease, so is the outcome. */
export interface SentAt {
  /** By the clocks of this process. The process that sent the write gives it: a wall clock that is set forward settles nothing. */
  sent?: Moment | undefined
  /** By the wall clock, in milliseconds since the epoch: all that another process, or one after a restart, can know. */
  sentAtMs?: number | undefined
}

interface Act extends SentAt {
  name: string
  /** The planned owner. */
  owner: string
}
export type KillAct = Act & { mode: 'kill' }
/** `id`: the quarantine's id, as the caller gave it to `break`. */
export type BreakAct = Act & { mode: 'break'; id: string }
export type ForcedAct = KillAct | BreakAct

/** @throws StoreUnavailableError, StoreRefusedError */
export async function findKill(context: LeaseContext, act: KillAct): Promise<KillOutcome> {
  const seen = await see(context, act)
  if (seen?.owner !== act.owner) return { kind: 'superseded' }
  return { kind: isSettled(context.clock.now(), act) ? 'not-released' : 'unknown' }
}

/** @throws StoreUnavailableError, StoreRefusedError, InvalidArgumentError on an invalid id */
export async function findBreak(context: LeaseContext, act: BreakAct): Promise<BreakOutcome> {
  const mark = quarantineMark(act.id)
  const seen = await see(context, act)
  if (seen?.owner === mark) return { kind: 'broken', safeAtMs: seen.expiresAtMs as number, view: seen }
  if (seen?.owner !== act.owner) return { kind: 'superseded' }
  return { kind: isSettled(context.clock.now(), act) ? 'not-broken' : 'unknown' }
}

const see = ({ store, clock, expiries }: LeaseContext, { name }: Act): Promise<LeaseView | null> =>
  readLease(store, clock, expiries, name)

/** Whether a write that was sent then has been applied by now, or never will be. */
export function isSettled(now: Moment, { sent, sentAtMs }: SentAt): boolean {
  if (sent !== undefined) return surelyElapsedMs(sent, now) >= forcedSettleMs
  return sentAtMs !== undefined && now.wallMs - sentAtMs >= forcedSettleMs
}
