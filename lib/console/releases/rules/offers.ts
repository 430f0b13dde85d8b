import { isReservedOwner } from 'leasehold/lease'
import { type PaxosVariant, quarantineSeconds, tenureMs } from 'leasehold/time'
import type { Lease } from '../../../contract/leases/lease.ts'
import { isLibraryOwner } from '../../../contract/leases/lease-state.ts'
import { isAtLeast, isElevated } from '../../../contract/people/rights.ts'
import type { Session } from '../../../contract/people/session.ts'
import { type ModeOffer, type ReleaseMode, releaseModeSchema } from '../../../contract/releases/release.ts'
import { releaseModes, releasesDisabledText } from '../../../contract/releases/release-modes.ts'
import { ownerMaxBytes } from '../../../contract/text-size.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { fullTtlSeconds, killOverlapMs } from './kill-overlap.ts'

/** The configuration of forced releases. */
export interface ReleaseRules {
  /** LEASEHOLD_ADMIN_ACTIONS */
  readonly adminActions: boolean
  readonly maxClockSkewMs: number
  /** Prefixes of names whose forced release needs a second person. */
  readonly secondPersonFor: readonly string[]
  /** How long after an account was made, or changed by another one, it takes part in a release by two people. */
  readonly secondPersonAfterMs: number
}

interface Rules {
  readonly config: ReleaseRules
  readonly paxosVariant: PaxosVariant
}

/** What each mode would do to a lease, and whether this person may do it now. */
export const offersOf = (
  lease: Lease,
  session: Session,
  rules: Rules,
  nowMs: number,
): Record<ReleaseMode, ModeOffer> => {
  const offers = releaseModeSchema.options.map((mode) => [mode, offerOf(mode, lease, session, rules, nowMs)])
  return Object.fromEntries(offers) as Record<ReleaseMode, ModeOffer>
}

/**
 * Why a person may not release a lease in a mode at all; undefined: they may, once elevated where that is needed.
 * Asked when a plan is made, and again when it is acted on.
 */
function modeRefusal(
  mode: ReleaseMode,
  session: Session,
  { config }: Pick<Rules, 'config'>,
  lease?: Lease,
): string | undefined {
  if (!config.adminActions) return releasesDisabledText
  const { role } = releaseModes[mode]
  if (!isAtLeast(session, role)) return `Only ${role}s may ${mode}; your role is ${session.role}.`
  return mode === 'break' && lease !== undefined ? breakRefusal(lease, config) : undefined
}

/** As the library refuses it, but before a plan is used up. */
function breakRefusal(
  { owner, version, expiresAt, ttlSeconds, remainingMs }: Lease,
  { maxClockSkewMs }: ReleaseRules,
): string | undefined {
  if (
    owner === '' ||
    (owner !== null && (isReservedOwner(owner) || Buffer.byteLength(owner) > ownerMaxBytes))
  )
    return `The owner is empty, longer than ${ownerMaxBytes} bytes, or begins with “!”: the library writes no such owner, and breaks the lease of none.`
  if (expiresAt === null || ttlSeconds === null)
    return 'The lease has no expiry: its holder never has to stop, so no quarantine is long enough.'
  // The longer margin of the two variants: of twenty years, eight seconds do not matter.
  if (quarantineSeconds(ttlSeconds, maxClockSkewMs, 'v1') === null)
    return 'The lease has a TTL of nearly 20 years or more: Cassandra takes no quarantine that is longer.'
  const readMs = Date.parse(expiresAt) - (remainingMs ?? 0)
  const aheadMs = version === null ? 0 : Number(BigInt(version) / 1000n) - readMs
  if (aheadMs > maxClockSkewMs)
    return `The row is dated ${Math.ceil(aheadMs)} ms ahead of Cassandra’s clock, where ${maxClockSkewMs} ms are allowed: its TTL cannot be computed, so no quarantine is surely long enough.`
  return undefined
}

/** @throws HttpProblem forbidden, elevation-needed: this person may not act in this mode now */
export function checkMayRelease(
  mode: ReleaseMode,
  session: Session,
  rules: Pick<Rules, 'config'>,
  nowMs: number,
  lease?: Lease,
): void {
  const refusal = modeRefusal(mode, session, rules, lease)
  if (refusal !== undefined) throw new HttpProblem('forbidden', refusal)
  if (releaseModes[mode].elevation && !isElevated(session, nowMs))
    throw new HttpProblem(
      'elevation-needed',
      `${session.via === 'sso' ? 'Sign in again' : 'Confirm your password'} first, then ${mode}. Nothing was released.`,
    )
}

/**
 * kill: at worst the holder renewed just before the delete, is cut off, and stops only when its TTL is over. Usually its next
 * renewal is refused; a holder written with the library sends it a third of its window after the last one. Of other holders
 * one read cannot tell whether they renew at all.
 */
function offerOf(mode: ReleaseMode, lease: Lease, session: Session, rules: Rules, nowMs: number): ModeOffer {
  const refusal = modeRefusal(mode, session, rules, lease)
  const { maxClockSkewMs } = rules.config
  const { ttlSeconds, remainingMs } = lease
  const nextRenewalMs =
    ttlSeconds === null || remainingMs === null || !isLibraryOwner(lease.owner)
      ? null
      : Math.round(tenureMs(ttlSeconds, maxClockSkewMs) / 3 - (ttlSeconds * 1000 - remainingMs))
  const renewalMs = nextRenewalMs !== null && nextRenewalMs > 0 ? nextRenewalMs : null
  const isKill = mode === 'kill'
  return {
    allowed: refusal === undefined,
    reason: refusal,
    needsElevation: releaseModes[mode].elevation && !isElevated(session, nowMs),
    overlapMs: isKill ? killOverlapMs(lease, rules.paxosVariant) : 0,
    usualOverlapMs: isKill ? renewalMs : 0,
    quarantineMs: mode === 'break' ? quarantineMs(lease, rules) : null,
    answerDueMs: mode === 'ask' ? renewalMs : null,
  }
}

function quarantineMs(lease: Lease, { config, paxosVariant }: Rules): number | null {
  const fullSeconds = fullTtlSeconds(lease)
  if (fullSeconds === null) return null
  const seconds = quarantineSeconds(fullSeconds, config.maxClockSkewMs, paxosVariant)
  return seconds === null ? null : seconds * 1000
}

/** Whether a name is released by two people. */
export const needsSecondPerson = (
  name: string,
  { secondPersonFor }: Pick<ReleaseRules, 'secondPersonFor'>,
): boolean => secondPersonFor.some((prefix) => name.startsWith(prefix))
