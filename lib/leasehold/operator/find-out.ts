/**
 * The outcome of a forced release whose process died before the answer came, from one SERIAL read.
 *
 * What the read can show: the mark proves a break; another holder, or none, means *superseded*. What it cannot show:
 * whether the kill, or a break whose mark has expired since, ended the planned holder's tenure. That holder may have
 * released its lease or lost it.
 * Guarantees: nothing is written. The outcome is *unknown* as long as the write may still be under way.
 * Does not guarantee: that *not-released* and *not-broken* stay true. A statement may be held back for longer than any
 * that was measured (`killSettleMs`); it can then still take effect, on the planned owner alone.
 * Assumes: this clock and that of the process which sent the write differ by less than the reserve in `killSettleMs`
 * (5 s).
 */

import type { LeaseContext } from '../lease/context.ts'
import { quarantineMark } from '../lease/limits.ts'
import { type LeaseView, readLease } from '../lease/reading/lease-view.ts'
import type { BreakOutcome } from './break.ts'
import { type KillOutcome, killSettleMs } from './kill.ts'

interface Act {
  name: string
  /** The planned owner. */
  owner: string
  /**
   * The latest time at which the write was sent, by the wall clock, in milliseconds since the epoch. Left out: unknown,
   * and as long as the planned owner holds the lease, so is the outcome.
   */
  sentAtMs?: number | undefined
}
export type KillAct = Act & { mode: 'kill' }
/** `id`: the quarantine's id, as the caller gave it to `break`. */
export type BreakAct = Act & { mode: 'break'; id: string }
export type ForcedAct = KillAct | BreakAct

/** @throws StoreUnavailableError, StoreRefusedError */
export async function findKill(context: LeaseContext, act: KillAct): Promise<KillOutcome> {
  const seen = await see(context, act)
  if (seen?.owner !== act.owner) return { kind: 'superseded' }
  return { kind: settled(context, act) ? 'not-released' : 'unknown' }
}

/** @throws StoreUnavailableError, StoreRefusedError, InvalidArgumentError on an invalid id */
export async function findBreak(context: LeaseContext, act: BreakAct): Promise<BreakOutcome> {
  const mark = quarantineMark(act.id)
  const seen = await see(context, act)
  if (seen?.owner === mark) return { kind: 'broken', safeAtMs: seen.expiresAtMs as number, view: seen }
  if (seen?.owner !== act.owner) return { kind: 'superseded' }
  return { kind: settled(context, act) ? 'not-broken' : 'unknown' }
}

const see = ({ store, clock, expiries }: LeaseContext, { name }: Act): Promise<LeaseView | null> =>
  readLease(store, clock, expiries, name)

const settled = ({ clock }: LeaseContext, { sentAtMs }: Act): boolean =>
  sentAtMs !== undefined && clock.now().wallMs - sentAtMs >= killSettleMs
