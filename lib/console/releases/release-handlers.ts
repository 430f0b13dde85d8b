import { isQuarantine } from 'leasehold/lease'
import { quarantineOf } from '../../contract/leases/quarantine.ts'
import type { Release } from '../../contract/releases/release.ts'
import { releaseModes } from '../../contract/releases/release-modes.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler, Reply } from '../http/handler.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import { leaseJson } from '../leases/lease-json.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { refuseOwnName, tableOf, writableTableOf } from '../leases/tables.ts'
import { staleReport } from './acts/follow-up.ts'
import { planOf } from './plans.ts'
import { isFinal, type ReleaseRecord } from './release-record.ts'
import type { ReleaseServices } from './release-services.ts'
import { checkMayRelease, needsSecondPerson, offersOf } from './rules/offers.ts'
import { usedProblem, usedText } from './used-plan.ts'

export const planRelease: Handler<Routes['planRelease'], ReleaseServices> = async (input, services) => {
  const { params, query, session } = input
  const table = writableTableOf(services, query.table)
  refuseOwnName(services, table, params.name)
  if (table.mapping.owner === null)
    throw new HttpProblem(
      'not-releasable',
      `The table ${table.id} has no owner column: a release could not be bound to a holder.`,
    )
  const view = await table.leases.read(params.name)
  const now = services.clock.now()
  if (view === null)
    throw new HttpProblem('not-held', 'The lease is free: a SERIAL read found no row.', {
      now: iso(now.wallMs),
    })
  if (view.owner === null)
    throw new HttpProblem(
      'not-releasable',
      'The lease has no owner: the owner expired and the value remains. Acquiring the lease repairs the row.',
    )
  if (isQuarantine(view.owner)) throw await quarantined(table, view.name, view.owner, view.value, services)
  const lease = leaseJson(table, view, now)
  const plan = planOf(session.username, lease, services.clock.now().wallMs)
  await services.releases.keep(plan, input)
  return {
    status: 200,
    body: {
      plan: plan.id,
      id: plan.id,
      lease,
      modes: offersOf(lease, session, services, now.wallMs),
      secondPerson: needsSecondPerson(params.name, services.config),
      expiresAt: iso(plan.expiresAtMs),
      now: iso(services.clock.now().wallMs),
    },
  }
}

async function quarantined(
  table: LeaseTable,
  name: string,
  owner: string,
  value: string | null,
  { releases }: ReleaseServices,
): Promise<HttpProblem> {
  const mark = quarantineOf(owner, value)
  const release = await releases.latestOn(table.id, name)
  const who = mark?.note?.by ?? release?.approval?.by ?? release?.plannedBy
  const by = who === undefined ? '' : ` ${who} broke it;`
  return new HttpProblem(
    'not-releasable',
    `The lease is quarantined:${by} it has no holder, and becomes free at its expiry.`,
    release === undefined ? {} : { release },
  )
}

export const release: Handler<Routes['release'], ReleaseServices> = async (input, services) => {
  const { params, query, body, session } = input
  const table = writableTableOf(services, query.table)
  const record = await services.releases.readToAct(body.plan)
  if (record === null)
    throw new HttpProblem('plan-invalid', 'This server does not know the plan. Plan again.')
  const { plan } = record
  if (plan.lease.name !== params.name || plan.lease.table !== table.id)
    throw new HttpProblem(
      'plan-invalid',
      `The plan is for ${plan.lease.name} in ${plan.lease.table}, not for this lease.`,
    )
  if (plan.username !== session.username) throw await notYours(plan.id, plan.username, services)
  const { mode, reason, confirmName } = body
  checkMayRelease(mode, session, services, services.clock.now().wallMs, plan.lease)
  if (releaseModes[mode].typedName && confirmName !== plan.lease.name)
    throw new HttpProblem(
      'name-mismatch',
      confirmName === undefined
        ? `confirmName is missing. To ${mode} a lease, confirm with its exact name.`
        : 'The name you typed does not match the lease name. Nothing was released.',
    )
  if (services.clock.now().wallMs >= plan.expiresAtMs)
    throw await expired(plan.id, plan.expiresAtMs, services)
  const secondPerson = needsSecondPerson(params.name, services.config)
  const done = await services.releases.act(table, record, { mode, reason }, input, { secondPerson })
  return replyOf(done, services)
}

/** Only the person who made a plan acts on it; another person gets the plan's outcome. */
async function notYours(id: string, username: string, { releases }: ReleaseServices): Promise<HttpProblem> {
  const made = `${username} made this plan. Make your own.`
  const release = await releases.find(id)
  if (release === null || release.outcome === 'planned') return new HttpProblem('plan-invalid', made)
  return new HttpProblem('plan-used', `${made} ${usedText(release)}`, { release })
}

async function expired(id: string, expiresAtMs: number, { releases }: ReleaseServices): Promise<HttpProblem> {
  const release = await releases.find(id)
  if (release !== null && release.outcome !== 'planned') return usedProblem(release)
  return new HttpProblem(
    'plan-expired',
    `This plan expired at ${iso(expiresAtMs)}. Nothing was released. Plan again to re-read the holder.`,
  )
}

export const getRelease: Handler<Routes['getRelease'], ReleaseServices> = async ({ params }, services) => {
  const { releases } = services
  const found = await releases.find(params.id)
  if (found === null) throw unknownRelease()
  const record = found.outcome === 'pending' ? await releases.read(params.id) : null
  const settled = record !== null && (await staleReport(services, record)) !== null
  const release = settled ? ((await releases.find(params.id)) ?? found) : found
  return { status: isFinal(release) ? 200 : 202, body: release }
}

export const listReleases: Handler<Routes['listReleases'], ReleaseServices> = async (
  _input,
  { releases, clock },
) => ({
  status: 200,
  body: { ...(await releases.awaiting()), now: iso(clock.now().wallMs) },
})

export const listLeaseReleases: Handler<Routes['listLeaseReleases'], ReleaseServices> = async (
  { params, query },
  services,
) => {
  const { releases, clock } = services
  const found = await releases.onLease(tableOf(services, query.table).id, params.name)
  return { status: 200, body: { releases: found, now: iso(clock.now().wallMs) } }
}

export const approveRelease: Handler<Routes['approveRelease'], ReleaseServices> = async (input, services) => {
  const record = await recordOf(input.params.id, services)
  const table = writableTableOf(services, record.plan.lease.table)
  return replyOf(await services.releases.approve(record, table, input, services), services)
}

export const rejectRelease: Handler<Routes['rejectRelease'], ReleaseServices> = async (input, services) => {
  const record = await recordOf(input.params.id, services)
  return { status: 200, body: await services.releases.reject(record, input.body.reason, input) }
}

async function recordOf(id: string, { releases }: ReleaseServices): Promise<ReleaseRecord> {
  const record = await releases.readToAct(id)
  if (record === null) throw unknownRelease()
  return record
}

const unknownRelease = () => new HttpProblem('not-found', 'No plan has this id. Plans are kept for 30 days.')

async function replyOf(release: Release, { releases, clock }: ReleaseServices): Promise<Reply> {
  if (release.outcome !== 'holder-changed') return { status: isFinal(release) ? 200 : 202, body: release }
  const { planned, current, currentReadAt } = release
  const other = await releases.latestOn(planned.table, planned.name, release.id).catch(() => undefined)
  const there = current === null ? 'it has no holder now' : `it is held by ${current.owner} now`
  throw new HttpProblem(
    'holder-changed',
    `Nothing was released: the holder changed after you looked, and ${currentReadAt === null ? 'who holds it now could not be read' : there}.`,
    {
      planned,
      current: currentReadAt === null ? undefined : current,
      release: other,
      now: iso(clock.now().wallMs),
    },
  )
}

export const getResignRequests: Handler<Routes['getResignRequests'], ReleaseServices> = async (
  { params, query },
  services,
) => {
  const requests = await tableOf(services, query.table).resignRequests.of(params.name, query.owner)
  return {
    status: 200,
    body: {
      requests: requests.map(({ id, owner, requestedBy, reason, requestedAtMs }) => ({
        id,
        owner,
        requestedBy,
        reason,
        requestedAt: iso(requestedAtMs),
      })),
    },
  }
}
