import { reservedOwnerMark } from 'leasehold/lease'
import { tenureMs } from 'leasehold/time'
import type { Lease } from '../../contract/lease.ts'
import type { ModeOffer } from '../../contract/release.ts'
import { releaseModeRoles } from '../../contract/release-modes.ts'
import type { Routes } from '../../contract/routes.ts'
import { isAtLeast, type Session } from '../../contract/session.ts'
import type { ConsoleContext } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'
import { iso, leaseJson } from '../lease-json.ts'
import type { ReleaseResult } from '../releases.ts'
import type { Handler, Reply } from '../router.ts'
import { writableTableOf } from '../tables.ts'

export const planRelease: Handler<Routes['planRelease']> = async ({ params, query, session }, context) => {
  const table = writableTableOf(context, query.table)
  if (table.mapping.owner === null)
    throw new HttpProblem(
      'not-releasable',
      `The table ${table.id} has no owner column: a release could not be bound to a holder.`,
    )
  const view = await table.leases.read(params.name)
  const now = context.clock.now()
  if (view === null)
    throw new HttpProblem('not-held', 'Nobody holds it: a SERIAL read found no row.', {
      now: iso(now.wallMs),
    })
  if (view.owner === null)
    throw new HttpProblem(
      'not-releasable',
      'Nobody owns it: the owner expired and the value remains. Acquiring it puts it right.',
    )
  if (view.owner.startsWith(reservedOwnerMark))
    throw new HttpProblem(
      'not-releasable',
      'It is quarantined: nobody holds it, and it becomes free by itself.',
    )
  const lease = leaseJson(table, view, now)
  const { plan, signed } = context.plans.make(session.username, lease)
  return {
    status: 200,
    body: {
      plan: signed,
      id: plan.id,
      lease,
      modes: { kill: killOffer(lease, session, context) },
      expiresAt: iso(plan.expiresAtMs),
      now: iso(now.wallMs),
    },
  }
}

/**
 * At worst the holder renewed just before the delete and hears of it only when its TTL is over; usually its next
 * renewal is refused, which a holder that follows the protocol sends a third of its window after the last one.
 */
function killOffer(lease: Lease, session: Session, { config }: ConsoleContext): ModeOffer {
  const refusal = killRefusal(session, config.adminActions)
  const { ttlSeconds, remainingMs } = lease
  const offer = { allowed: refusal === undefined, ...(refusal !== undefined && { reason: refusal }) }
  if (ttlSeconds === null || remainingMs === null) return { ...offer, overlapMs: null, usualOverlapMs: null }
  const renewsAfterMs = tenureMs(ttlSeconds, config.maxClockSkewMs) / 3
  const sinceWriteMs = ttlSeconds * 1000 - remainingMs
  const nextRenewalMs = Math.round(renewsAfterMs - sinceWriteMs)
  return { ...offer, overlapMs: ttlSeconds * 1000, usualOverlapMs: nextRenewalMs > 0 ? nextRenewalMs : null }
}

function killRefusal(session: Session, adminActions: boolean): string | undefined {
  if (!adminActions) return 'Forced releases are switched off on this server (LEASEHOLD_ADMIN_ACTIONS).'
  const least = releaseModeRoles.kill
  if (!isAtLeast(session, least)) return `Only ${least}s may kill; you are ${session.role}.`
  return undefined
}

export const release: Handler<Routes['release']> = async ({ params, query, body, session }, context) => {
  const table = writableTableOf(context, query.table)
  const refusal = killRefusal(session, context.config.adminActions)
  if (refusal !== undefined) throw new HttpProblem('forbidden', refusal)
  const opened = context.plans.open(body.plan)
  if (opened.kind === 'invalid')
    throw new HttpProblem('plan-invalid', 'The plan is not one that this server made; plan again.')
  const { plan } = opened
  if (plan.username !== session.username)
    throw new HttpProblem('plan-invalid', `The plan was made by ${plan.username}; make one of your own.`)
  if (plan.lease.name !== params.name || plan.lease.table !== table.id)
    throw new HttpProblem(
      'plan-invalid',
      `The plan is for ${plan.lease.name} in ${plan.lease.table}, not for this lease.`,
    )
  // Asked again because an answer was lost: what was done, also when the plan has expired since.
  const before = context.releases.find(plan.id)
  if (before !== undefined) return replyOf(before, context)
  if (opened.kind === 'expired')
    throw new HttpProblem(
      'plan-expired',
      `The plan expired at ${iso(plan.expiresAtMs)}; this request released nothing. Plan again from a fresh read.`,
    )
  if (body.confirmName !== plan.lease.name)
    throw new HttpProblem(
      'name-mismatch',
      'The typed name is not the name of the lease; nothing was released.',
    )
  const act = { plan, username: session.username, mode: body.mode, reason: body.reason }
  return replyOf(await context.releases.carryOut(table, act), context)
}

export const getRelease: Handler<Routes['getRelease']> = async ({ params }, context) => {
  const result = context.releases.find(params.id)
  if (result === undefined)
    throw new HttpProblem('not-found', 'This server knows of no such release within the last 15 minutes.')
  return replyOf(result, context)
}

function replyOf(result: ReleaseResult, { clock }: ConsoleContext): Reply {
  if (result.kind === 'release')
    return { status: result.release.outcome === 'pending' ? 202 : 200, body: result.release }
  const { planned, owner, current } = result
  const there = owner === null ? 'nobody holds it now' : `it is held by ${owner} now`
  throw new HttpProblem(
    'holder-changed',
    `Nothing was released: the holder changed after you looked, and ${there}.`,
    {
      planned,
      ...(current !== undefined && { current }),
      now: iso(clock.now().wallMs),
    },
  )
}
