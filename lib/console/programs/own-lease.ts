/**
 * Who may end a lease without a plan.
 *
 * 1. A person renews and releases what the same person acquired by hand: the owner's last `@console:` follows the name of the
 *    person, and nothing but it, and the condition of the statement names that owner.
 * 2. Any other renewal or release by a person is a forced release in the mode kill: the role, the elevation,
 *    LEASEHOLD_ADMIN_ACTIONS and the audit log apply. A name that needs a second person is released by a plan alone.
 * 3. A table without an owner column has no such condition: a release deletes the row of any holder. There a person
 *    releases by force alone, whatever owner the request names.
 * 4. A token speaks for the programs of its names. The audit log has what a token releases in a table without an owner
 *    column.
 * 5. Owners of the form `<name>@console:…` are the console's to give. A request that acquires, renews or queues under one is the
 *    named person's alone; a token's name is no person's.
 * 6. Of a name that needs a second person, the audit log has every release, every renewal that leaves the lease less time
 *    than it had, and every acquisition by a person. A renewal is judged by a read before it, and the holder may renew between the
 *    two: so each one below the TTL of the row counts. Not in the log: a renewal that shortens by a second, to which a row's TTL is
 *    known, or one whose holder meanwhile renewed for longer than its TTL before. People write and remove no tickets of such a name
 *    (queueing.ts): those keep its programs out as well.
 * 7. Acts of one person and of one token that the audit log has are bounded (audit/refusals/act-limit.ts). The release of
 *    what the person holds is not refused: an acquisition went before it, and was counted.
 * 8. A release that the audit log would have, of what the owner does not hold, sends no statement and has no entry. A read after
 *    such a release shows whether it had an effect; in a table without an owner column no read can show that, as the row of
 *    the next holder looks the same.
 * 9. What the server acquired for a caller that hung up is released by the server in the caller's name. The audit log has such a
 *    release as it has any other. No program works under it yet, so it is released also while the log takes no intent; the entry
 *    follows. A sender beyond the limit of 7 keeps the lease until it expires.
 */

import {
  type AcquireOutcome,
  type LeaseView,
  type ReleaseOutcome,
  type Resending,
  remainingMs,
  uniqueOwner,
} from 'leasehold/lease'
import type { Session } from '../../contract/people/session.ts'
import { routes } from '../../contract/routes.ts'
import { byteLength, personOwnerMark as mark, ownerMaxBytes } from '../../contract/text-size.ts'
import { actorOf, type PermittedSender, type Sender } from '../audit/actor.ts'
import { type AuditedAct, auditEvent, audited } from '../audit/audited.ts'
import { ActWindow } from '../http/act-window.ts'
import { permit } from '../http/authorise.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { isHeld, type LeaseTable } from '../leases/lease-table.ts'
import { refuseOwnName } from '../leases/tables.ts'
import { checkMayRelease, needsSecondPerson } from '../releases/rules/offers.ts'
import { type Renewal, ttlToleranceSeconds } from './lock-follow-up.ts'
import { loggedRelease, logLock } from './lock-log.ts'
import type { LockServices } from './lock-services.ts'
import { isOwnerOf, prefixOf } from './owner-name.ts'
import { noEffectProblem, releaseAndRead } from './release-effect.ts'

/** @throws HttpProblem forbidden: the owner names another person */
export function refuseOthersName({ username, role }: Session, owner: string | undefined): void {
  if (owner === undefined || !owner.includes(mark)) return
  if (role !== 'client' && isOwnerOf(username, owner)) return
  throw new HttpProblem(
    'forbidden',
    `The console gives owners of the form <name>${mark}… to the person of that name, and this one does not name you. Leave the owner out, or choose another.`,
  )
}

/** Whether the owner that a request names is the sender's own: drawn by the server, chosen by a program, or made by hand. */
export const isOwnersWord = ({ username, role }: Session, owner: string | undefined): boolean =>
  owner === undefined || role === 'client' || isOwnerOf(username, owner)

/** The owner of a lease that a person acquires by hand. undefined: a program, or a name too long; the owner is a plain one. */
export function ownerFor({ username, role }: Session): string | undefined {
  if (role === 'client') return undefined
  const owner = prefixOf(username) + uniqueOwner()
  return byteLength(owner) > ownerMaxBytes ? undefined : owner
}

/** The lease that a request is about. `owner` is null where the table has no owner column, or none is chosen yet. */
interface Named {
  name: string
  owner: string | null
}

/** Whether this statement, by its condition, can only change what this person acquired by hand. */
const isOwn = ({ session }: Sender, { mapping }: LeaseTable, { owner }: Named): boolean =>
  session.role !== 'client' && mapping.owner !== null && owner !== null && isOwnerOf(session.username, owner)

/**
 * Releases a lease, by force where it is not the sender's own, and logs what came of it.
 * @param release hands on what it gets: a release that the audit log has is not sent again after its window
 * @throws HttpProblem forbidden, elevation-needed: the person may not kill; audit-unavailable; too-many-requests;
 * bad-request: an owner is named that the table cannot check; no-effect: a client dated the row of the holder ahead of the clocks
 * @throws OutcomeUnknownError also where no read shows whether a release by force had an effect
 */
export async function releaseAs(
  services: LockServices,
  sender: PermittedSender,
  table: LeaseTable,
  named: Named,
  release: (resending: Resending) => Promise<ReleaseOutcome>,
): Promise<ReleaseOutcome> {
  const { session } = sender
  permit(routes.deleteLock.permission, session, services.clock, {
    name: named.name,
    table: table.id,
  })
  refuseOwnName(services, table, named.name)
  const hasOwners = table.mapping.owner !== null
  const twoPeople = needsSecondPerson(named.name, services.config)
  const isForced = session.role !== 'client' && !isOwn(sender, table, named)
  if (isForced) checkMayKill(services, session, table, named.name)
  if (!hasOwners && named.owner !== null)
    throw new HttpProblem(
      'bad-request',
      `The table ${table.id} has no owner column: a release there ends the lock of any holder. Leave the owner out.`,
    )
  const logged = <T extends { kind: string }>(work: () => Promise<T>) =>
    loggedRelease(services, sender, table, named, work)
  if (!isForced && !twoPeople && hasOwners) return logged(() => release({}))
  const view = await table.leases.read(named.name)
  if (!isHeld(view, table) || (hasOwners && view.owner !== named.owner)) {
    logLock(services, sender, 'release', table, named, 'notHeld')
    return { kind: 'notHeld', owner: view?.owner ?? null }
  }
  if (session.role === 'client' || isForced) services.actLimit.take('release', sender)
  const reason = hasOwners
    ? 'Without a plan, by naming the owner'
    : 'Without a plan: the table does not say whose lock it is'
  const act = { act: 'release', reason, wanted: { mode: 'kill' } } as const
  const outcome = await underAudit(services, sender, table, named, act, (resending) =>
    logged(() => (hasOwners ? releaseAndRead(table, view, () => release(resending)) : release(resending))),
  )
  if (outcome.kind === 'not-released') throw noEffectProblem(outcome.holder)
  return outcome
}

/**
 * Releases what was acquired for a caller that will not have the answer: no other caller knows the owner. Never throws; what is
 * not released expires.
 */
export async function releaseUnclaimed(
  services: LockServices,
  sender: PermittedSender,
  table: LeaseTable,
  named: Named,
  release: (resending: Resending) => Promise<ReleaseOutcome>,
): Promise<void> {
  const { session } = sender
  const hasOwners = table.mapping.owner !== null
  const logged = (resending: Resending) =>
    loggedRelease(services, sender, table, named, () => release(resending))
  const reason = 'The caller disconnected, or got an error, before it knew that it had acquired the lease'
  const act = { act: 'release', reason, wanted: { mode: 'kill' } } as const
  try {
    if (hasOwners && !needsSecondPerson(named.name, services.config)) return void (await logged({}))
    // The acquisition by a person was counted, but not in a table without owners.
    if (session.role === 'client' || !hasOwners) services.actLimit.take('release', sender)
    // The request may have waited: this release is decided now.
    const now = { ...sender, window: new ActWindow(services.clock) }
    await underAudit(services, now, table, named, act, logged)
  } catch (thrown) {
    if (!(thrown instanceof HttpProblem) || thrown.code !== 'audit-unavailable') return
    const outcome = await logged({}).then(
      ({ kind }) => kind,
      () => 'unknown',
    )
    const on = { kind: 'lease' as const, table: table.id, ...named }
    const event = auditEvent('release', actorOf(sender), on, outcome, { outcome })
    void services.audit.appendUntilWritten({ ...event, reason })
  }
}

/**
 * Renews a lease whose owner the request names. For the holder, a renewal with a shorter TTL ends the lease sooner than the
 * holder knows.
 * @param view the lease as it was read just before
 * @param renew as `release` of `releaseAs`
 * @throws HttpProblem as `releaseAs`
 */
export async function renewAs<T extends { kind: string } | null>(
  services: LockServices,
  sender: PermittedSender,
  table: LeaseTable,
  view: LeaseView,
  ttlSeconds: number,
  renew: (resending: Resending) => Promise<T>,
): Promise<T> {
  const { session } = sender
  const isForced = session.role !== 'client' && !isOwn(sender, table, view)
  if (isForced) checkMayKill(services, session, table, view.name)
  const leftMs = remainingMs(view, services.clock.now())
  const mayShorten =
    leftMs === null || ttlSeconds * 1000 < leftMs || ttlSeconds + ttlToleranceSeconds < (view.ttlSeconds ?? 0)
  if (!isForced && !(mayShorten && needsSecondPerson(view.name, services.config))) return renew({})
  services.actLimit.take('renewal', sender)
  // For the recovery, should the process end before it has an answer.
  const renewal: Renewal = {
    ttlSeconds,
    versionBefore: view.version === null ? null : String(view.version),
    ttlSecondsBefore: view.ttlSeconds,
  }
  const reason = isForced
    ? 'Without a plan, by renewing it as its owner'
    : `Without a plan, by renewing it for ${ttlSeconds} s, which is less than was left or than the TTL that it had`
  return underAudit(services, sender, table, view, { act: 'renewal', reason, wanted: renewal }, renew)
}

/**
 * Acquires a lease. What a person takes of a name that needs a second person stands in the audit log: the programs of that
 * name are kept out meanwhile.
 * @param acquire as `release` of `releaseAs`
 * @throws HttpProblem audit-unavailable, too-many-requests
 */
export async function acquireAs(
  services: LockServices,
  sender: PermittedSender,
  table: LeaseTable,
  named: Named,
  acquire: (resending: Resending) => Promise<AcquireOutcome>,
): Promise<AcquireOutcome> {
  if (sender.session.role === 'client' || !needsSecondPerson(named.name, services.config))
    return acquire({ mayResend: () => !sender.window.isOver })
  // A person who waits for a holder to go writes no entry for each try.
  const view = await table.leases.read(named.name)
  if (isHeld(view, table)) return { kind: 'held', owner: view.owner }
  services.actLimit.take('acquire', sender)
  return underAudit(services, sender, table, named, { act: 'acquire', reason: null, wanted: null }, acquire)
}

/** @throws HttpProblem forbidden, elevation-needed */
function checkMayKill(services: LockServices, session: Session, table: LeaseTable, name: string): void {
  checkMayRelease('kill', session, services, services.clock.now().wallMs)
  if (!needsSecondPerson(name, services.config)) return
  throw new HttpProblem(
    'forbidden',
    table.mapping.owner === null
      ? `${name} is released by two people, which the table ${table.id} does not allow: it has no owner column for a plan to name. The lock ends when it expires.`
      : `${name} is released by two people: make a plan (Release…), which another operator approves.`,
  )
}

async function underAudit<T extends { kind: string } | null>(
  { audit }: LockServices,
  sender: PermittedSender,
  table: LeaseTable,
  { name, owner }: Named,
  what: Pick<AuditedAct, 'act' | 'reason' | 'wanted'>,
  work: (resending: Resending) => Promise<T>,
): Promise<T> {
  const on = { kind: 'lease' as const, table: table.id, name, owner }
  return audited(audit, sender.window, { ...what, actor: actorOf(sender), on }, async ({ mayResend }) => {
    const result = await work({ mayResend })
    const outcome = result?.kind ?? 'notHeld'
    return { after: { outcome }, result, outcome }
  })
}
