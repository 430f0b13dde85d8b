import { listAudit } from '../audit/audit-handlers.ts'
import type { Handlers } from '../http/router.ts'
import { getLease, listLeases } from '../leases/lease-handlers.ts'
import {
  changeOwnPassword,
  elevate,
  endElevation,
  getSession,
  setUp,
  signIn,
  signOut,
} from '../people/session-handlers.ts'
import { finishSso, startSso } from '../people/sso/sso-handlers.ts'
import { changeUser, createUser, listUsers, setPassword } from '../people/user-handlers.ts'
import { campaign, getElection, resign } from '../programs/election-handlers.ts'
import { deleteLock, getLock, putLock } from '../programs/lock-handlers.ts'
import { deleteTicket, getQueue, putTicket } from '../programs/queue-handlers.ts'
import { nextNumbers } from '../programs/sequence-handlers.ts'
import { createToken, deleteToken, listTokens } from '../programs/tokens/token-handlers.ts'
import {
  approveRelease,
  getRelease,
  getResignRequests,
  listReleases,
  planRelease,
  rejectRelease,
  release,
} from '../releases/release-handlers.ts'
import { getCluster, healthz, readyz } from '../store/cluster-handlers.ts'

/** One handler a route of the contract; a route without one, or with one of another shape, does not compile. */
export const handlers: Handlers = {
  healthz,
  readyz,
  getSession,
  signIn,
  signOut,
  changeOwnPassword,
  elevate,
  endElevation,
  startSso,
  finishSso,
  setUp,
  getCluster,
  listLeases,
  getLease,
  planRelease,
  release,
  getRelease,
  listReleases,
  approveRelease,
  rejectRelease,
  getResignRequests,
  putLock,
  getLock,
  deleteLock,
  getQueue,
  putTicket,
  deleteTicket,
  getElection,
  campaign,
  resign,
  nextNumbers,
  listTokens,
  createToken,
  deleteToken,
  listUsers,
  createUser,
  changeUser,
  setPassword,
  listAudit,
}
