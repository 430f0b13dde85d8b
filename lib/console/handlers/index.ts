import type { Handlers } from '../router.ts'
import { listAudit } from './audit.ts'
import { getCluster, healthz, readyz } from './cluster.ts'
import { campaign, getElection, resign } from './elections.ts'
import { getLease, listLeases } from './leases.ts'
import { deleteLock, getLock, putLock } from './locks.ts'
import { deleteTicket, getQueue, putTicket } from './queues.ts'
import {
  approveRelease,
  getRelease,
  getResignRequests,
  listReleases,
  planRelease,
  rejectRelease,
  release,
} from './release.ts'
import { nextNumbers } from './sequences.ts'
import { changeOwnPassword, elevate, endElevation, getSession, setUp, signIn, signOut } from './session.ts'
import { finishSso, startSso } from './sso.ts'
import { createToken, deleteToken, listTokens } from './tokens.ts'
import { changeUser, createUser, listUsers, setPassword } from './users.ts'

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
