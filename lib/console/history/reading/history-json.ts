import type { RenewalMinute, LeaseEvent as StoredEvent } from 'leasehold/history'
import type { LeaseEvent, NotObserved, Renewals } from '../../../contract/leases/history.ts'
import { type ReleaseMode, releaseModeSchema } from '../../../contract/releases/release.ts'
import { iso, isoOrNull } from '../../http/instant.ts'
import type { Gap } from './not-observed.ts'

/** @param showsPeople whether the reader may know who released a lease by force, and why */
export function eventJson(event: StoredEvent, showsPeople: boolean): LeaseEvent {
  const { id, kind, atMs, notBeforeMs, notAfterMs, owner, previousOwner, ttlSeconds, source } = event
  const isForced = event.release !== null
  return {
    id,
    kind,
    at: iso(atMs),
    notBefore: isoOrNull(notBeforeMs),
    notAfter: isoOrNull(notAfterMs),
    owner,
    previousOwner,
    token: event.token?.toString() ?? null,
    version: event.version?.toString() ?? null,
    ttlSeconds,
    source,
    reason: isForced ? null : event.reason,
    release: showsPeople ? releaseOf(event) : null,
  }
}

function releaseOf({ release, reason }: StoredEvent): LeaseEvent['release'] {
  // A program that may write the table can write any text.
  const mode = releaseModeSchema.safeParse(release?.mode)
  if (release === null || !mode.success) return null
  return { id: release.id, mode: mode.data as ReleaseMode, by: release.by, reason }
}

export const renewalsJson = ({
  atMs,
  owner,
  source,
  count,
  exact,
  leastMarginMs,
}: RenewalMinute): Renewals => ({
  at: iso(atMs),
  owner,
  source,
  count,
  exact: exact?.map(({ atMs: at, marginMs }) => ({ at: iso(at), marginMs })) ?? null,
  leastMarginMs,
})

export const gapJson = ({ fromMs, toMs, why, what }: Gap): NotObserved => ({
  from: iso(fromMs),
  to: iso(toMs),
  why,
  what,
})
