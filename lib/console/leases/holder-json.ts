import { type LeaseView, remainingMs } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import { quarantineOf } from '../../contract/leases/quarantine.ts'
import type { LockHolder } from '../../contract/programs/lock.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso, isoOrNull } from '../http/instant.ts'
import type { LeaseTable } from './lease-table.ts'

/** The holder of a lock, as of now. */
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

const unnamed = 'a holder that this table does not name'

export function heldProblem(
  view: LeaseView,
  { mapping }: LeaseTable,
  services: { clock: Clock },
): HttpProblem {
  const holder = holderOf(view, services)
  // Without an expiry, any moment to look again is as good as another.
  const seconds = holder.remainingMs === null ? 60 : Math.max(1, Math.ceil(holder.remainingMs / 1000))
  const never = mapping.owner === null ? 'its expiry cannot be read in this table' : 'it has no expiry'
  const until = holder.expiresAt === null ? never : `until ${holder.expiresAt} unless renewed`
  return new HttpProblem(
    'lock-held',
    brokenText(holder) ?? `Held by ${view.owner ?? unnamed}; ${until}.`,
    { holder },
    { 'Retry-After': String(seconds) },
  )
}

/** Of a broken lease: its row has a mark in the owner's place, which no process renews. null: it is not broken. */
function brokenText({ owner, value, expiresAt }: LockHolder): string | null {
  const quarantine = quarantineOf(owner, value)
  if (quarantine === null) return null
  const { note } = quarantine
  const who =
    note === null ? 'An operator broke this lease' : `${note.by} broke this lease, which ${note.was} held`
  const until =
    expiresAt === null ? ', because its mark has no expiry' : ` until ${expiresAt}, when it is safe`
  return `${who}. No process can acquire it${until}.`
}

/**
 * Another owner held it at each try, and none did at the read after it. Its refusal named the owner, and nothing more.
 * @param owner null: the table has no owner column
 */
export function racedProblem(name: string, owner: string | null, { clock }: { clock: Clock }): HttpProblem {
  const unread = { value: null, version: null, ttlSeconds: null }
  // The holder's time was over by now. Without an owner column there is no expiry to tell.
  const ended =
    owner === null
      ? { expiresAt: null, remainingMs: null }
      : { expiresAt: iso(clock.now().wallMs), remainingMs: 0 }
  return new HttpProblem(
    'lock-held',
    `The lock changes hands faster than this server can try to acquire it. Last held by ${owner ?? unnamed}.`,
    { holder: { name, owner, ...unread, ...ended } },
    { 'Retry-After': '1' },
  )
}

/** A caller that is not the holder asked for what the holder alone may do. `view`: the holder; null: there is none. */
export function notHolderProblem(
  view: LeaseView | null,
  owner: string,
  services: { clock: Clock },
): HttpProblem {
  if (view?.owner == null) return notHeldProblem()
  const holder = holderOf(view, services)
  const broken = brokenText(holder)
  return new HttpProblem(
    'not-holder',
    broken === null ? `Held by ${view.owner}, not by ${owner}.` : `${broken} It is not held by ${owner}.`,
    { holder },
  )
}

export const notHeldProblem = () => new HttpProblem('not-held', 'The lock has no holder.')
