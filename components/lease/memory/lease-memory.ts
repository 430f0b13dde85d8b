/** What still matters of the forced releases of a lease, and what follows from it. Pure, by the server's clock. */
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'

/** How long a release that is over still explains the lease's state. */
const explainsForMs = 10 * 60_000

const tookEffect = (outcome: LeaseRelease['outcome']): boolean =>
  outcome === 'released' || outcome === 'broken' || outcome === 'superseded'

/** Whether it may have ended the tenure of its holder. */
const mayHaveEnded = ({ outcome }: LeaseRelease): boolean =>
  tookEffect(outcome) || outcome === 'pending' || outcome === 'unknown'

/** @param owner the holder now; null: there is none */
export function stillMatters(release: LeaseRelease, owner: string | null, nowMs: number): boolean {
  const recent = nowMs - Date.parse(release.safeAt ?? release.requestedAt) < explainsForMs
  switch (release.outcome) {
    case 'pending':
    case 'awaiting-approval':
      return true
    case 'asked':
    case 'unknown':
      return owner === release.owner || recent
    case 'released':
    case 'broken':
    case 'superseded':
      return recent || hasNoEnd(release)
    // Nothing was done.
    default:
      return false
  }
}

/** A kill of a lease without an expiry: its holder has no deadline. */
const hasNoEnd = ({ mode, outcome, safeAt }: LeaseRelease): boolean =>
  mode === 'kill' && tookEffect(outcome) && safeAt === null

/**
 * The kill after which an old holder may still act; undefined: there is none.
 * @param owner the holder now, who is no old one
 */
export const stillActing = (
  releases: readonly LeaseRelease[],
  owner: string | null,
  nowMs: number,
): LeaseRelease | undefined =>
  releases.find(
    (release) =>
      release.mode === 'kill' &&
      mayHaveEnded(release) &&
      release.owner !== owner &&
      (release.safeAt === null || Date.parse(release.safeAt) > nowMs),
  )

/**
 * The break or kill that ended the tenure of this row; undefined: none of these is known to. One from before the row was written
 * ended a tenure before it, also where the owner is the same.
 */
export const endedByForce = (
  releases: readonly LeaseRelease[],
  { owner, writtenAt }: Pick<Lease, 'owner' | 'writtenAt'>,
): LeaseRelease | undefined =>
  releases.find(
    (release) =>
      (release.outcome === 'released' || release.outcome === 'broken') &&
      release.owner === owner &&
      (writtenAt === null || (release.doneAt ?? release.requestedAt) >= writtenAt),
  )

/** The break or kill that took the lease from the holder who was asked to resign; undefined: none did. */
export const endedTenureOf = (
  asked: LeaseRelease,
  releases: readonly LeaseRelease[],
): LeaseRelease | undefined =>
  releases.find(
    ({ outcome, owner, requestedAt }) =>
      (outcome === 'released' || outcome === 'broken') &&
      owner === asked.owner &&
      requestedAt >= asked.requestedAt,
  )

/** The heading over releases: a request takes nothing from its holder. */
export function headingOf(releases: readonly Pick<LeaseRelease, 'mode'>[]): string {
  const asks = releases.filter(({ mode }) => mode === 'ask').length
  if (asks === 0) return 'Releases by force'
  return asks === releases.length ? 'Release requests' : 'Release requests and releases by force'
}
