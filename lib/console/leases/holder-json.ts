import { type LeaseView, remainingMs } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import type { LockHolder } from '../../contract/lock.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { isoOrNull } from '../http/instant.ts'
import type { LeaseTable } from './lease-table.ts'

/** Who holds a lock, as of now. */
export function holderOf(view: LeaseView, { clock }: { clock: Clock }): LockHolder {
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
  { mapping }: LeaseTable,
  services: { clock: Clock },
): HttpProblem {
  const holder = holderOf(view, services)
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
  services: { clock: Clock },
): HttpProblem {
  if (view?.owner == null) return notHeldProblem()
  return new HttpProblem('not-holder', `It is held by ${view.owner}, not by ${owner}.`, {
    holder: holderOf(view, services),
  })
}

export const notHeldProblem = () => new HttpProblem('not-held', 'Nobody holds it.')
