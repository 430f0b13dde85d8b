/**
 * What a lock and an election do with a lease on behalf of a client: acquire, or renew for the same owner.
 *
 * Guarantees: with a fresh owner, a client that is answered *acquired* is the only holder until its deadline, which
 * the client counts from before it sent its request. With `renewOnly` nothing is ever acquired, and with `acquireOnly` no lease
 * that is held is ever changed.
 * Does not guarantee: anything to clients that share an owner id; see docs/decisions/01.
 */

import {
  isLeaseholdError,
  type LeaseView,
  OpenTries,
  OutcomeUnknownError,
  type Resending,
  type Tenure,
} from 'leasehold/lease'
import type { LockRequest } from '../../contract/programs/lock.ts'
import { routes } from '../../contract/routes.ts'
import type { PermittedSender } from '../audit/actor.ts'
import { permit } from '../http/authorise.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { isHeld } from '../leases/lease-table.ts'
import { refuseReservedName } from '../leases/tables.ts'
import { needsSecondPerson } from '../releases/rules/offers.ts'
import type { LockServices } from './lock-services.ts'
import { acquireAs, isOwnersWord, ownerFor, refuseOthersName, renewAs } from './own-lease.ts'

export type LockOutcome =
  | { kind: 'acquired'; tenure: Tenure; expiresAtMs: number }
  /** `view`: read after the renewal. */
  | { kind: 'renewed'; view: LeaseView & { version: bigint; expiresAtMs: number } }
  | { kind: 'held'; view: LeaseView }
  /** Others held it at each try, and none did at the read after it. `holder`: the last of them; null: unnamed. */
  | { kind: 'raced'; holder: string | null }
  /** With `renewOnly`: the owner does not hold it. `view`: the holder; null: there is none. */
  | { kind: 'not-holder'; view: LeaseView | null }

const tries = 3

/**
 * Elections campaign through this function too.
 * @throws HttpProblem when they may not, and on what the table cannot store; else as `LeaseProtocol.acquire` and `renew`
 */
export async function acquireOrRenew(
  services: LockServices,
  sender: PermittedSender,
  table: LeaseTable,
  name: string,
  request: LockRequest,
): Promise<LockOutcome> {
  const { ttlSeconds = table.defaultTtlSeconds, value, renewOnly = false, acquireOnly = false } = request
  permit(routes.putLock.permission, sender.session, services.clock, { name, table: table.id })
  refuseReservedName(services, table, name)
  refuseOthersName(sender.session, request.owner)
  refuseMissingColumns(table, request)
  // An owner that is made here names the person, who may then renew and release the lease.
  const owner = request.owner ?? (table.mapping.owner === null ? undefined : ownerFor(sender.session))
  // The process was stopped since the sender was looked up.
  sender.window.throwIfOver()
  // Of other owners, as refusals named them. undefined: none was met.
  let lastHolder: string | null | undefined
  // Once a statement of an earlier try may have taken effect for it: the owner.
  let actedFor: string | undefined
  if (renewOnly && request.owner !== undefined && renewsUnread(services, sender, name)) {
    const found = { name, value: value ?? null }
    const wanted = { owner: request.owner, ttlSeconds, value }
    const renewed = await renewOnce(services, table, found, wanted, { failsAtOnce: true })
    // Not its holder: the reads below say who is.
    if (renewed?.kind === 'renewed') return renewed
    if (renewed !== null) actedFor = request.owner
    // Nothing was written: a request whose time is over ends so, and not with an unknown outcome.
    else sender.window.throwIfOver()
  }
  for (let tried = 0; tried < tries && !sender.window.isOver; tried++) {
    // A request that names its owner mostly renews: a read says so for a fraction of a conditional write that is refused.
    const mayRenew = request.owner !== undefined && !acquireOnly
    const read = () => orOutcomeUnknown(actedFor, name, () => table.leases.read(name))
    let view = mayRenew ? await read() : null
    if (!renewOnly && !isHeld(view, table)) {
      const outcome = await orOutcomeUnknown(actedFor, name, () =>
        acquireAs(services, sender, table, { name, owner: owner ?? null }, ({ mayResend }) =>
          table.leases.tryAcquire(name, {
            ttlSeconds,
            owner,
            value,
            mayResend,
            // Of a lost answer: a row with this owner proves the acquisition. Programs that share an owner are one holder. A
            // person who names another's owner is not: that row may be the other's, and to renew it is a kill.
            ownerIsUnique: isOwnersWord(sender.session, owner),
          }),
        ),
      )
      if (outcome.kind === 'acquired') {
        const { tenure, seen } = outcome
        // Without an owner column there is no expiry to read: the TTL from now on is an upper bound.
        const expiresAtMs = seen?.expiresAtMs ?? services.clock.now().wallMs + ttlSeconds * 1000
        return { kind: 'acquired', tenure, expiresAtMs }
      }
      /** A chosen owner gets *held* with itself as the holder, when its acquisition took effect and the answer was lost. */
      const isThere = owner !== undefined && outcome.owner === owner
      lastHolder = isThere ? undefined : outcome.owner
      if (isThere) actedFor = owner
      view = await read()
    }
    if (owner !== undefined && !acquireOnly && view?.owner === owner) {
      lastHolder = undefined
      const renewed = await orOutcomeUnknown(actedFor, name, () =>
        renewAs(services, sender, table, view, ttlSeconds, (resending) =>
          orOutcomeUnknown(owner, name, () =>
            renewOnce(services, table, view, { owner, ttlSeconds, value }, resending),
          ),
        ),
      )
      if (renewed?.kind === 'renewed') return renewed
      if (renewed !== null) actedFor = owner
    } else if (renewOnly) return { kind: 'not-holder', view: isHeld(view, table) ? view : null }
    else if (isHeld(view, table)) return { kind: 'held', view }
    // The lease ended between the two statements: try again.
  }
  if (lastHolder !== undefined) return { kind: 'raced', holder: lastHolder }
  // Each time the holder was this owner, whose lease ended meanwhile. A 409 that names it would tell it that it holds the lease.
  throw new OutcomeUnknownError(
    `Whether ${owner} holds ${JSON.stringify(name)}, and until when, is unknown: its lease ended as often as this server tried to renew it.`,
    name,
    owner ?? null,
  )
}

/**
 * A heartbeat of a program costs no read before its conditional write: where the row has another value, the refusal tells which. What a
 * read shows decides whether the audit log has the renewal of a person, and that of a name that needs two people.
 */
const renewsUnread = ({ config }: LockServices, { session }: PermittedSender, name: string): boolean =>
  session.role === 'client' && !needsSecondPerson(name, config)

/** Answers that promise that nothing was done, on which a try ends before its statement is sent. */
const nothingDone: readonly HttpProblem['code'][] = ['audit-unavailable', 'too-many-requests', 'too-late']

/**
 * *Unavailable* promises that nothing was done, and so do a few refusals. Once a try of ours may have acquired or renewed the lease
 * for `owner`, the outcome is unknown. So it is where the process closes its session meanwhile.
 * @param owner undefined: nothing was done so far
 */
export async function orOutcomeUnknown<T>(
  owner: string | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (owner === undefined) throw thrown
    if (isLeaseholdError(thrown, 'store-unavailable') || isLeaseholdError(thrown, 'closed'))
      throw unknownHolding(owner, name, thrown)
    if (thrown instanceof HttpProblem && nothingDone.includes(thrown.code))
      throw unknownHolding(
        owner,
        name,
        thrown,
        `a try of it may have counted, and the next was not sent (${thrown.code})`,
      )
    throw thrown
  }
}

const unknownHolding = (owner: string, name: string, cause: Error, why = cause.message) =>
  new OutcomeUnknownError(
    `Whether ${owner} holds ${JSON.stringify(name)}, and until when, is unknown: ${why}`,
    name,
    owner,
    { cause },
  )

/** @returns null: refused; `notHeld`: renewed, and over by the read after it */
async function renewOnce(
  { clock }: LockServices,
  { leases }: LeaseTable,
  found: Pick<LeaseView, 'name' | 'value'>,
  wanted: { owner: string; ttlSeconds: number; value?: string | undefined },
  how: Resending & { failsAtOnce?: boolean },
): Promise<Extract<LockOutcome, { kind: 'renewed' }> | { kind: 'notHeld' } | null> {
  const { owner, ttlSeconds, value } = wanted
  const { name } = found
  // The client keeps its own deadline; for this one request, time counts from now.
  const deadline = { from: clock.now(), afterMs: ttlSeconds * 1000 }
  const tenure = {
    name,
    owner,
    value: found.value,
    ttlSeconds,
    token: null,
    deadline,
    tries: new OpenTries(),
  }
  // A heartbeat that names no value keeps the one that another request of the same owner may write meanwhile.
  const kept = value === undefined ? { keepsFoundValue: true } : { value }
  const outcome = await leases.renew(tenure, { ...kept, ...how })
  if (outcome.kind === 'lost' && outcome.why === 'not-holder') return null
  if (outcome.kind === 'lost')
    throw new OutcomeUnknownError(
      `Whether ${JSON.stringify(name)} was renewed is unknown: the answer came after ${ttlSeconds} s.`,
      name,
      owner,
    )
  const after = await leases.readWritten(name, owner).catch((thrown) => {
    throw unknownHolding(owner, name, thrown)
  })
  if (after?.owner !== owner || after.version === null || after.expiresAtMs === null)
    return { kind: 'notHeld' }
  return {
    kind: 'renewed',
    view: { ...after, version: after.version, expiresAtMs: after.expiresAtMs },
  }
}

function refuseMissingColumns({ id, mapping }: LeaseTable, { owner, value }: LockRequest): void {
  const refuse = (what: string) =>
    new HttpProblem('bad-request', `The table ${id} has no ${what} column; leave the ${what} out.`)
  if (owner !== undefined && mapping.owner === null) throw refuse('owner')
  if (value !== undefined && mapping.value === null) throw refuse('value')
}
