import { type LeaseView, remainingMs } from 'leasehold/lease'
import type { LockHolder } from '../../contract/lock.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { ConsoleContext, TableContext } from '../start/context.ts'
import { isoOrNull } from './lease-json.ts'

/** Who holds a lock, as of now. */
export function holderOf(view: LeaseView, { clock }: ConsoleContext): LockHolder {
  const left = remainingMs(view, clock.now())
  return {
    name: view.name,
    owner: view.owner,
    value: view.value,
    version: view.version?.toString() ?? null,
    ttlSeconds: view.ttlSeconds,
    expiresAt: isoOrNull(view.expiresAtMs),
    remainingMs: left === null ? null : Math.round(left),
  }
}

export function heldProblem(
  view: LeaseView,
  { mapping }: TableContext,
  context: ConsoleContext,
): HttpProblem {
  const holder = holderOf(view, context)
  const who = view.owner ?? 'somebody'
  // Without an expiry nobody can say when; a minute is when to look again.
  const seconds = holder.remainingMs === null ? 60 : Math.max(1, Math.ceil(holder.remainingMs / 1000))
  const never = mapping.owner === null ? 'its expiry cannot be read in this table' : 'it has no expiry'
  const until = holder.expiresAt === null ? never : `until ${holder.expiresAt} unless renewed`
  return new HttpProblem(
    'lock-held',
    `It is held by ${who}; ${until}.`,
    { holder },
    { 'Retry-After': String(seconds) },
  )
}

/** Somebody who is not the holder wanted to do what the holder alone may. `view`: who holds it; null: nobody. */
export function notHolderProblem(
  view: LeaseView | null,
  owner: string,
  context: ConsoleContext,
): HttpProblem {
  if (view?.owner == null) return notHeldProblem()
  return new HttpProblem('not-holder', `It is held by ${view.owner}, not by ${owner}.`, {
    holder: holderOf(view, context),
  })
}

export const notHeldProblem = () => new HttpProblem('not-held', 'Nobody holds it.')
