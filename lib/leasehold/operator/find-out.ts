/**
 * What became of a forced release whose process died between sending and hearing: told from one SERIAL read.
 *
 * What can be known: our own mark is the certain proof of a break. A holder that is not the planned one any more has
 * been superseded. What cannot: whether a kill, or a break whose mark has expired since, was what ended the planned
 * holder; it may have released, or have lost its lease by itself.
 * Guarantees: nothing is sent. *unknown* is said for as long as the write may still be under way.
 * Does not guarantee: that *not-released* and *not-broken* stay true of a statement that is held back for longer than any
 * that was ever measured (`killSettleMs`). It can take effect on the planned owner alone.
 * Assumes: that the clock of whoever sent it and this one's differ by less than what `killSettleMs` is long of (5 s).
 */

import type { LeaseContext } from '../lease/context.ts'
import { type LeaseView, readLease } from '../lease/lease-view.ts'
import { quarantineMark } from '../lease/limits.ts'
import type { BreakOutcome } from './break.ts'
import { type KillOutcome, killSettleMs } from './kill.ts'

interface Act {
  name: string
  /** The planned one. */
  owner: string
  /**
   * When it was sent at the latest, by the wall clock, in milliseconds since the epoch. Left out: nobody knows, and as long as the
   * planned owner is there, the answer is *unknown*.
   */
  sentAtMs?: number | undefined
}
export type KillAct = Act & { mode: 'kill' }
/** `id`: of the quarantine, as it was given to `break`. */
export type BreakAct = Act & { mode: 'break'; id: string }
export type ForcedAct = KillAct | BreakAct

/** @throws StoreUnavailableError, StoreRefusedError */
export async function findKill(context: LeaseContext, act: KillAct): Promise<KillOutcome> {
  const seen = await see(context, act)
  if (seen?.owner !== act.owner) return { kind: 'superseded' }
  return { kind: settled(context, act) ? 'not-released' : 'unknown' }
}

/** @throws StoreUnavailableError, StoreRefusedError, InvalidArgumentError on an id that cannot be */
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
