import { releaseCertain } from '../../contract/programs/lock.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler, ReadHandler } from '../http/handler.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import {
  heldProblem,
  holderOf,
  notHeldProblem,
  notHolderProblem,
  racedProblem,
} from '../leases/holder-json.ts'
import { isHeld } from '../leases/lease-table.ts'
import { tableOf, writableTableOf } from '../leases/tables.ts'
import { logLock } from './lock-log.ts'
import type { LockServices } from './lock-services.ts'
import { acquireOrRenew } from './locking.ts'
import { releaseAs, releaseUnclaimed } from './own-lease.ts'

/** 201: acquired. 200: the same owner held it already, and the lock was renewed. 409: another owner holds it. */
export const putLock: Handler<Routes['putLock'], LockServices> = async (input, services) => {
  const {
    params: { name },
    query,
    body,
    signal,
  } = input
  const table = writableTableOf(services, query.table)
  const { ttlSeconds = table.defaultTtlSeconds } = body
  const outcome = await acquireOrRenew(services, input, table, name, body)
  switch (outcome.kind) {
    case 'acquired': {
      const { owner, token } = outcome.tenure
      logLock(services, input, 'acquire', table, { name, owner }, outcome.kind)
      if (signal.aborted && body.owner === undefined) {
        // No caller knows the owner that was made here. The tenure has a deadline, after which another may hold the lock.
        const named = { name, owner: table.mapping.owner === null ? null : owner }
        await releaseUnclaimed(services, input, table, named, (resending) =>
          table.leases.release(outcome.tenure, resending),
        )
        throw new HttpProblem('bad-request', 'The caller disconnected. Its lock was released.')
      }
      const version = token?.toString() ?? null
      return {
        status: 201,
        body: {
          name,
          // Without an owner column, the row does not hold the id.
          owner: table.mapping.owner === null ? null : owner,
          token: version ?? undefined,
          version,
          ttlSeconds,
          expiresAt: iso(outcome.expiresAtMs),
        },
      }
    }
    case 'renewed': {
      const { owner, version, expiresAtMs } = outcome.view
      return {
        status: 200,
        body: { name, owner, version: version.toString(), ttlSeconds, expiresAt: iso(expiresAtMs) },
      }
    }
    case 'held':
      throw heldProblem(outcome.view, table, services)
    case 'raced':
      throw racedProblem(name, outcome.holder, services)
    case 'not-holder':
      throw notHolderProblem(outcome.view, body.owner ?? '', services)
  }
}

export const getLock: ReadHandler<Routes['getLock'], LockServices> = async (input, services) => {
  const {
    params: { name },
    query: { since = '', wait = 0, ...query },
  } = input
  const table = tableOf(services, query.table)
  const view =
    wait === 0
      ? await table.leases.read(name)
      : await services.holders.changed(table, name, since, wait, input.signal)
  if (!isHeld(view, table)) throw notHeldProblem()
  return { status: 200, body: holderOf(view, services) }
}

export const deleteLock: Handler<Routes['deleteLock'], LockServices> = async (input, services) => {
  const {
    params: { name },
    query,
  } = input
  const table = writableTableOf(services, query.table)
  const { owner = null } = query
  if (owner === null && table.mapping.owner !== null)
    throw new HttpProblem(
      'bad-request',
      'The query parameter owner is missing. Name the owner whose lock to release.',
    )
  const outcome = await releaseAs(services, input, table, { name, owner }, (resending) =>
    table.leases.release({ name, owner: owner ?? ownerless }, resending),
  )
  if (outcome.kind === 'released')
    return outcome.certain ? { status: 204 } : { status: 204, headers: { [releaseCertain]: 'false' } }
  throw notHolderProblem(outcome.owner === null ? null : await table.leases.read(name), owner ?? '', services)
}

/** For a table without an owner column: its delete has no condition on the owner. */
const ownerless = 'ownerless'
