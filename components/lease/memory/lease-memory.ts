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

/** When it took effect, or where that is not known, when it was asked for. */
const actedAt = ({ doneAt, requestedAt }: LeaseRelease): string => doneAt ?? requestedAt

/** When the last of these took effect that is known to have. null: none has. */
export const lastDoneAt = (releases: readonly LeaseRelease[]): string | null =>
  releases.reduce<string | null>(
    (last, { doneAt }) => (doneAt !== null && (last === null || doneAt > last) ? doneAt : last),
    null,
  )

/** The row of the holder now, as far as it says whether a release was of the tenure before it. */
type Holder = Pick<Lease, 'owner' | 'writtenAt' | 'read'>

/**
 * Whether the owner that lost the lease by this release has acquired it again: an owner id may be that of many processes. Its row
 * was written after that, and read after that: by the clocks of Cassandra and of the server.
 */
export const holdsAgain = (release: LeaseRelease, { owner, writtenAt, read }: Holder): boolean =>
  tookEffect(release.outcome) &&
  release.owner === owner &&
  writtenAt !== null &&
  writtenAt > actedAt(release) &&
  read.at > actedAt(release)

/**
 * The kill after which an old holder may still act; undefined: there is none.
 * @param holder the holder now; null: there is none
 */
export const stillActing = (
  releases: readonly LeaseRelease[],
  holder: Holder | null,
  nowMs: number,
): LeaseRelease | undefined =>
  releases.find(
    (release) =>
      release.mode === 'kill' &&
      mayHaveEnded(release) &&
      (holder === null || release.owner !== holder.owner || holdsAgain(release, holder)) &&
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
      (writtenAt === null || actedAt(release) >= writtenAt),
  )

/** The break or kill, after a request to resign, of a holder with the same owner id; undefined: there was none. */
export const endedTenureOf = (
  asked: LeaseRelease,
  releases: readonly LeaseRelease[],
): LeaseRelease | undefined =>
  releases.find(
    (release) =>
      (release.outcome === 'released' || release.outcome === 'broken') &&
      release.owner === asked.owner &&
      actedAt(release) >= actedAt(asked),
  )

/** The heading over releases: a request takes nothing from its holder. */
export function headingOf(releases: readonly Pick<LeaseRelease, 'mode'>[]): string {
  const asks = releases.filter(({ mode }) => mode === 'ask').length
  if (asks === 0) return 'Releases by force'
  return asks === releases.length ? 'Release requests' : 'Release requests and releases by force'
}
