import { listAudit } from '../audit/audit-handlers.ts'
import { getDoctor, runCanary } from '../doctor/doctor-handlers.ts'
import { getLeaseHistory } from '../history/history-handler.ts'
import type { Api } from '../http/api.ts'
import type { Handlers, Reads, Reply } from '../http/handler.ts'
import { actInLab, endLabRun, getLabRun, listLabRuns, startLabRun, watchLabRun } from '../lab/lab-handlers.ts'
import { getCluster, healthz, readyz } from '../leases/cluster-handlers.ts'
import { getLease } from '../leases/lease-handlers.ts'
import { getMetrics } from '../metrics/metrics-handler.ts'
import {
  changeOwnPassword,
  elevate,
  endElevation,
  getSession,
  setUp,
  signIn,
  signOut,
} from '../people/sessions/session-handlers.ts'
import { finishSso, startSso } from '../people/sso/sso-handlers.ts'
import { changeUser, createUser, listUsers, setPassword } from '../people/user-handlers.ts'
import { campaign, campaignAgain, getElection, resign } from '../programs/election-handlers.ts'
import { deleteLock, getLock, putLock } from '../programs/lock-handlers.ts'
import { deleteTicket, getQueue, putTicket } from '../programs/queue-handlers.ts'
import { nextNumbers } from '../programs/sequence-handlers.ts'
import { createToken, createTokenAgain, deleteToken, listTokens } from '../programs/tokens/token-handlers.ts'
import {
  approveRelease,
  getRelease,
  getResignRequests,
  listLeaseReleases,
  listReleases,
  planRelease,
  rejectRelease,
  release,
} from '../releases/release-handlers.ts'
import { listLeases } from '../watch/list-handler.ts'
import { watch } from '../watch/watch-handler.ts'
import type { ConsoleContext } from './context.ts'
import { getOpenApi } from './openapi-handler.ts'

/** What the rooms need, together; the router's own needs come on top. */
export type RoomServices = Omit<ConsoleContext, 'handlers' | 'repeats' | 'reads'>

/**
 * One handler a route of the contract, with the services that its room declares; a route without one, or with one of
 * another shape, does not compile.
 */
export function routesOf(services: RoomServices): Pick<Api, 'handlers' | 'repeats' | 'reads'> {
  const handlers: Handlers = {
    ...bound(services, { healthz, readyz, getMetrics, getOpenApi, getCluster, listLeases, watch, getLease }),
    ...bound(services, { getDoctor, runCanary, getLeaseHistory }),
    ...bound(services, { getSession, signIn, signOut, setUp }),
    ...bound(services, { changeOwnPassword, elevate, endElevation, startSso, finishSso }),
    ...bound(services, { listUsers, createUser, changeUser, setPassword }),
    ...bound(services, { planRelease, release, getRelease, listReleases, listLeaseReleases }),
    ...bound(services, { approveRelease, rejectRelease, getResignRequests }),
    ...bound(services, { putLock, getLock, deleteLock, getQueue, putTicket, deleteTicket }),
    ...bound(services, { getElection, campaign, resign, nextNumbers }),
    ...bound(services, { listLabRuns, startLabRun, getLabRun, watchLabRun, actInLab, endLabRun }),
    ...bound(services, { listTokens, createToken, deleteToken, listAudit }),
  }
  // An old campaign must not look like a new one: its client counts from this request.
  const repeats = { campaign: campaignAgain(services), createToken: createTokenAgain }
  const reads: Reads = bound(services, { getLease, getLock })
  return { handlers, repeats, reads }
}

type Bound<H> = {
  [K in keyof H]: H[K] extends (input: infer I, services: never) => Promise<Reply>
    ? (input: I) => Promise<Reply>
    : never
}

function bound<H extends Record<string, (input: never, services: RoomServices) => Promise<Reply>>>(
  services: RoomServices,
  handlers: H,
): Bound<H> {
  const entries = Object.entries(handlers).map(([id, handler]) => [
    id,
    (input: never) => handler(input, services),
  ])
  return Object.fromEntries(entries) as Bound<H>
}
