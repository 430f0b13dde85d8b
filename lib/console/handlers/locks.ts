import { type LeaseView, remainingMs } from 'leasehold/lease'
import type { LockHolder } from '../../contract/lock.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Session } from '../../contract/session.ts'
import type { ConsoleContext, TableContext } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'
import { iso, isoOrNull } from '../lease-json.ts'
import type { Handler, Reply } from '../router.ts'
import { tableOf, writableTableOf } from '../tables.ts'

const acquireTries = 3

/** 201: acquired. 200: the same owner held it already, and it was renewed. 409: somebody else holds it. */
export const putLock: Handler<Routes['putLock']> = async (
  { params: { name }, query, body, session },
  context,
) => {
  const table = writableTableOf(context, query.table)
  const { ttlSeconds = table.defaultTtlSeconds, owner, value } = body
  if (owner !== undefined && table.mapping.owner === null)
    throw new HttpProblem('bad-request', `The table ${table.id} has no owner column; leave the owner out.`)
  if (value !== undefined && table.mapping.value === null)
    throw new HttpProblem('bad-request', `The table ${table.id} has no value column; leave the value out.`)
  for (let tries = 0; tries < acquireTries; tries++) {
    const outcome = await table.leases.acquire(name, {
      ttlSeconds,
      ...(owner !== undefined && { owner }),
      ...(value !== undefined && { value }),
    })
    if (outcome.kind === 'acquired') {
      const { tenure, seen } = outcome
      const version = tenure.token?.toString() ?? null
      logLock(context, session, 'acquire', table, name, tenure.owner)
      // Without an owner column there is no expiry to read: the TTL from now on is an upper bound.
      const expiresAtMs = seen?.expiresAtMs ?? context.clock.now().wallMs + ttlSeconds * 1000
      return {
        status: 201,
        body: {
          name,
          // Without an owner column, the id was made for nothing: it is not in the row.
          owner: table.mapping.owner === null ? null : tenure.owner,
          ...(version !== null && { token: version }),
          version,
          ttlSeconds,
          expiresAt: iso(expiresAtMs),
        },
      }
    }
    const view = await table.leases.read(name)
    if (owner !== undefined && view?.owner === owner) {
      const renewed = await renewAs(
        owner,
        view,
        { ttlSeconds, ...(value !== undefined && { value }) },
        table,
        context,
      )
      if (renewed !== null) return renewed
    } else if (view !== null && isHeld(view, table)) throw heldProblem(view, table, context)
    // It went away between the two statements: try again.
  }
  throw new HttpProblem(
    'lock-held',
    'It changes hands faster than it can be tried.',
    {},
    { 'Retry-After': '1' },
  )
}

/** @returns null when the lock was lost on the way */
async function renewAs(
  owner: string,
  view: LeaseView,
  wanted: { ttlSeconds: number; value?: string },
  table: TableContext,
  context: ConsoleContext,
): Promise<Reply | null> {
  const { ttlSeconds, value = view.value } = wanted
  const { name } = view
  // The client keeps its own deadline; for this one request, time counts from now.
  const deadline = { from: context.clock.now(), afterMs: ttlSeconds * 1000 }
  const tenure = { name, owner, value: view.value, ttlSeconds, token: null, deadline }
  const outcome = await table.leases.renew(tenure, value === null ? {} : { value })
  if (outcome.kind === 'lost') return null
  const after = await table.leases.read(name)
  if (after?.owner !== owner || after.version === null || after.expiresAtMs === null) return null
  return {
    status: 200,
    body: { name, owner, version: after.version.toString(), ttlSeconds, expiresAt: iso(after.expiresAtMs) },
  }
}

export const getLock: Handler<Routes['getLock']> = async ({ params, query }, context) => {
  const table = tableOf(context, query.table)
  const view = await table.leases.read(params.name)
  if (view === null || !isHeld(view, table)) throw notHeld()
  return { status: 200, body: holderOf(view, context) }
}

/** A row without an owner is a zombie, except where there is no owner column: there its being there is the lock. */
const isHeld = (view: LeaseView, { mapping }: TableContext) => view.owner !== null || mapping.owner === null

export const deleteLock: Handler<Routes['deleteLock']> = async (
  { params: { name }, query, session },
  context,
) => {
  const table = writableTableOf(context, query.table)
  if (query.owner === undefined && table.mapping.owner !== null)
    throw new HttpProblem(
      'bad-request',
      'The query parameter owner is missing: whose lock is to be released?',
    )
  // Without an owner column the delete names none; whatever is given is not looked at.
  const { owner = 'anybody' } = query
  logLock(context, session, 'release', table, name, owner)
  const outcome = await table.leases.release({ name, owner })
  if (outcome.kind === 'released') return { status: 204 }
  const view = outcome.owner === null ? null : await table.leases.read(name)
  if (view === null || view.owner === null) throw notHeld()
  throw new HttpProblem('not-holder', `It is held by ${view.owner}, not by ${owner}.`, {
    holder: holderOf(view, context),
  })
}

function heldProblem(view: LeaseView, { mapping }: TableContext, context: ConsoleContext): HttpProblem {
  const holder = holderOf(view, context)
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

/** Whoever may use locks may also release another's by its owner: it leaves a line, with the name of who did it. */
function logLock(
  { log }: ConsoleContext,
  { username }: Session,
  act: 'acquire' | 'release',
  table: TableContext,
  name: string,
  owner: string,
): void {
  log.info({ act: `lock-${act}`, username, table: table.id, lease: name, owner }, `lock: ${act}`)
}

const notHeld = () => new HttpProblem('not-held', 'Nobody holds it.')

function holderOf(view: LeaseView, { clock }: ConsoleContext): LockHolder {
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
