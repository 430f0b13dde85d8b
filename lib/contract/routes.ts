import type { z } from 'zod'
import { auditPageSchema, auditQuerySchema } from './audit.ts'
import { type Endpoint, endpoints, type RouteId } from './endpoints.ts'
import {
  labActSchema,
  labEvents,
  labJournalQuerySchema,
  labRunDetailSchema,
  labRunListSchema,
  labRunParamsSchema,
  labRunSchema,
  labStreamQuerySchema,
  newLabRunSchema,
} from './lab/run.ts'
import { clusterSchema, healthSchema, metricsSchema } from './leases/cluster.ts'
import { doctorReportSchema } from './leases/doctor.ts'
import { leaseHistoryQuerySchema, leaseHistorySchema } from './leases/history.ts'
import { leaseDetailSchema, leaseListSchema, nameParamsSchema, tableQuerySchema } from './leases/lease.ts'
import { leaseListQuerySchema, watchEvents, watchQuerySchema } from './leases/watch.ts'
import { openApiSchema } from './open-api.ts'
import {
  elevateBodySchema,
  ownPasswordBodySchema,
  sessionAnswerSchema,
  setupBodySchema,
  signInBodySchema,
  signOutQuerySchema,
  ssoAnswerSchema,
  ssoQuerySchema,
} from './people/session.ts'
import {
  newUserSchema,
  userChangeSchema,
  userListSchema,
  userParamsSchema,
  userPasswordSchema,
  userSchema,
} from './people/user.ts'
import type { ProblemCode } from './problem-codes.ts'
import {
  campaignBodySchema,
  campaignQuerySchema,
  electionSchema,
  groupParamsSchema,
  leadershipSchema,
  resignQuerySchema,
} from './programs/election.ts'
import {
  lockHolderSchema,
  lockRequestSchema,
  lockSchema,
  releaseCertain,
  renewedLockSchema,
  unlockQuerySchema,
} from './programs/lock.ts'
import {
  queueQuerySchema,
  queueSchema,
  ticketBodySchema,
  ticketParamsSchema,
  ticketQuerySchema,
} from './programs/queue.ts'
import { blockSchema, nextQuerySchema } from './programs/sequence.ts'
import { createdTokenSchema, newTokenSchema, tokenListSchema, tokenParamsSchema } from './programs/token.ts'
import { leaseReleasesSchema } from './releases/lease-release.ts'
import {
  planBodySchema,
  rejectionBodySchema,
  releaseBodySchema,
  releaseListSchema,
  releaseParamsSchema,
  releasePlanSchema,
  releaseSchema,
} from './releases/release.ts'
import { resignRequestsQuerySchema, resignRequestsSchema } from './releases/resign-request.ts'
import { blockingQuerySchema } from './wait.ts'

/** One row of the table. */
export interface Route extends Endpoint {
  /** An `Idempotency-Key` is honoured: the same request under the same key is carried out once. */
  idempotent?: true
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The largest body, where it is not `bodyMaxBytes`. */
  bodyMaxBytes?: number
  /** It reads many rows; a server carries out a few of such requests at a time. */
  isList?: true
  /** It costs milliseconds, and asks for no session: an address without one has a few a second. */
  isCostly?: true
  /** By status; null: an empty body. Problems are listed by code instead. */
  responses: Record<number, z.ZodType | null>
  /** The answer is a stream of server-sent events, with these names and data. */
  events?: Readonly<Record<string, z.ZodType>>
  /** Of an answer that succeeds, where it is not JSON. */
  contentType?: 'text/plain'
  /** Headers of an answer that succeeds, besides those that every answer has. */
  headers?: readonly ('Location' | 'Set-Cookie' | typeof releaseCertain)[]
  /** The route's own problems; `problemsOf` adds those that follow from the rest of the row. */
  problems: readonly ProblemCode[]
}

/** The largest body, in bytes. */
export const bodyMaxBytes = 32 * 1024
/** A value of 16 KiB whose characters are all escaped, as `\u0001`, is six times as long; owner and name come on top. */
const valueBodyMaxBytes = 128 * 1024
/** For requests without a session: a name and a password of 1,024 characters, all escaped. */
const strangersBodyMaxBytes = 8 * 1024
/** 50 prefixes of 512 characters, all escaped. */
const prefixesBodyMaxBytes = 160 * 1024

/**
 * The whole API: each endpoint, with its schemas. Router, authorisation, the typed client and the documentation are
 * derived from these two tables; nothing about a route is written anywhere else.
 */
export const routes = {
  healthz: {
    ...endpoints.healthz,
    summary: 'The process is alive.',
    responses: { 200: healthSchema },
    problems: [],
  },
  readyz: {
    ...endpoints.readyz,
    summary:
      'Cassandra answers a SERIAL read, and the audit log was read to its end: requests can be served.',
    responses: { 200: healthSchema },
    problems: ['cassandra-unavailable'],
  },
  getMetrics: {
    ...endpoints.getMetrics,
    summary: 'What this process has counted and measured, in the text format of Prometheus.',
    contentType: 'text/plain',
    responses: { 200: metricsSchema },
    problems: [],
  },
  getOpenApi: {
    ...endpoints.getOpenApi,
    isCostly: true,
    summary: 'This API as an OpenAPI 3.1 document.',
    responses: { 200: openApiSchema },
    problems: [],
  },
  getSession: {
    ...endpoints.getSession,
    summary: 'The signed-in person, or the program of the token.',
    responses: { 200: sessionAnswerSchema },
    problems: [],
  },
  signIn: {
    ...endpoints.signIn,
    isCostly: true,
    summary: 'Sign in; sets the session cookie.',
    body: signInBodySchema,
    bodyMaxBytes: strangersBodyMaxBytes,
    responses: { 200: sessionAnswerSchema },
    headers: ['Set-Cookie'],
    problems: ['wrong-credentials', 'too-many-attempts', 'cassandra-unavailable', 'audit-unavailable'],
  },
  signOut: {
    ...endpoints.signOut,
    summary: 'Sign out; the session ends in Cassandra too. With `everywhere`, every session of this person.',
    query: signOutQuerySchema,
    responses: { 204: null },
    headers: ['Set-Cookie'],
    problems: ['audit-unavailable', 'too-late'],
  },
  changeOwnPassword: {
    ...endpoints.changeOwnPassword,
    summary: 'Change one’s own password; ends every other session.',
    body: ownPasswordBodySchema,
    responses: { 200: sessionAnswerSchema },
    headers: ['Set-Cookie'],
    problems: [
      'wrong-credentials',
      'too-many-attempts',
      'no-password',
      'no-effect',
      'audit-unavailable',
      'too-late',
    ],
  },
  elevate: {
    ...endpoints.elevate,
    summary:
      'Confirm the password: opens break, kill and the settings for ten minutes, under a new session id.',
    body: elevateBodySchema,
    responses: { 200: sessionAnswerSchema },
    headers: ['Set-Cookie'],
    problems: ['wrong-credentials', 'too-many-attempts', 'no-password', 'audit-unavailable', 'too-late'],
  },
  endElevation: {
    ...endpoints.endElevation,
    summary: 'End the elevation before its time.',
    responses: { 200: sessionAnswerSchema },
    problems: ['audit-unavailable', 'too-late'],
  },
  startSso: {
    ...endpoints.startSso,
    summary: 'Single sign-on: redirects to the provider.',
    query: ssoQuerySchema,
    responses: { 302: null },
    headers: ['Location', 'Set-Cookie'],
    problems: ['not-found'],
  },
  finishSso: {
    ...endpoints.finishSso,
    summary: 'Single sign-on: the provider redirects back to this address.',
    query: ssoAnswerSchema,
    responses: { 302: null },
    headers: ['Location', 'Set-Cookie'],
    problems: ['not-found'],
  },
  setUp: {
    ...endpoints.setUp,
    isCostly: true,
    summary: 'Set the first password of the user admin with the one-time link, and sign in.',
    body: setupBodySchema,
    bodyMaxBytes: strangersBodyMaxBytes,
    responses: { 200: sessionAnswerSchema },
    headers: ['Set-Cookie'],
    problems: [
      'setup-link-invalid',
      'user-deleted',
      'too-many-attempts',
      'no-effect',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  getCluster: {
    ...endpoints.getCluster,
    summary: 'The state of Cassandra, after a SERIAL read.',
    responses: { 200: clusterSchema },
    problems: ['cassandra-unavailable'],
  },
  getDoctor: {
    ...endpoints.getDoctor,
    summary:
      'What the doctor finds: settings of the cluster and of the tables, clocks, and the last canaries.',
    isList: true,
    responses: { 200: doctorReportSchema },
    problems: ['cassandra-unavailable'],
  },
  runCanary: {
    ...endpoints.runCanary,
    summary:
      'Run a canary on every table that is not read-only, then report. It acquires, renews, releases and lets expire leases of its own, which takes some seconds.',
    responses: { 200: doctorReportSchema },
    problems: ['cassandra-unavailable'],
  },
  listLeases: {
    ...endpoints.listLeases,
    summary: 'One page of leases, filtered and sorted, each row confirmed at SERIAL.',
    query: leaseListQuerySchema,
    isList: true,
    responses: { 200: leaseListSchema },
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  watch: {
    ...endpoints.watch,
    summary:
      'A window of the leases, filtered and sorted, and its changes as server-sent events. `Last-Event-ID` resumes. Rows say how they were read, and when.',
    query: watchQuerySchema,
    responses: { 200: null },
    events: watchEvents,
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  getLease: {
    ...endpoints.getLease,
    summary: 'One lease, confirmed at SERIAL, with Cassandra’s answer.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    responses: { 200: leaseDetailSchema },
    problems: ['unknown-table', 'not-held', 'cassandra-unavailable'],
  },
  getLeaseHistory: {
    ...endpoints.getLeaseHistory,
    isList: true,
    summary:
      'The history of one lease, newest first: transitions, renewals by the minute or the hour, and the times that were not observed.',
    params: nameParamsSchema,
    query: leaseHistoryQuerySchema,
    responses: { 200: leaseHistorySchema },
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  planRelease: {
    ...endpoints.planRelease,
    idempotent: true,
    summary: 'Plan a forced release, bound to the holder as it is now. Good for 60 s.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: planBodySchema,
    responses: { 200: releasePlanSchema },
    problems: [
      'unknown-table',
      'read-only',
      'not-held',
      'not-releasable',
      'no-effect',
      'cassandra-unavailable',
      'audit-unavailable',
    ],
  },
  release: {
    ...endpoints.release,
    idempotent: true,
    summary:
      'Carry out a plan, once. 202: it waits for a second person, or for Cassandra’s answer; read /v1/releases/{id}.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: releaseBodySchema,
    responses: { 200: releaseSchema, 202: releaseSchema },
    problems: [
      'unknown-table',
      'plan-invalid',
      'name-mismatch',
      'forbidden',
      'read-only',
      'plan-expired',
      'plan-used',
      'no-effect',
      'elevation-needed',
      'holder-changed',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  listLeaseReleases: {
    ...endpoints.listLeaseReleases,
    summary: 'The last forced releases of one lease within a day, newest first: done, under way or waiting.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    responses: { 200: leaseReleasesSchema },
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  listReleases: {
    ...endpoints.listReleases,
    summary: 'The forced releases that wait for a second person, newest first, 100 at most.',
    isList: true,
    responses: { 200: releaseListSchema },
    problems: ['cassandra-unavailable'],
  },
  getRelease: {
    ...endpoints.getRelease,
    summary: 'The outcome of a plan, also of another person’s. 202: the outcome is not known yet.',
    params: releaseParamsSchema,
    responses: { 200: releaseSchema, 202: releaseSchema },
    problems: ['not-found', 'cassandra-unavailable'],
  },
  approveRelease: {
    ...endpoints.approveRelease,
    summary:
      'Approve a release that waits for a second person, which carries it out. The person who asked cannot approve.',
    params: releaseParamsSchema,
    responses: { 200: releaseSchema, 202: releaseSchema },
    problems: [
      'not-found',
      'elevation-needed',
      'not-awaiting',
      'no-effect',
      'read-only',
      'holder-changed',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  rejectRelease: {
    ...endpoints.rejectRelease,
    summary: 'Reject a release that waits for a second person; the person who asked withdraws it this way.',
    params: releaseParamsSchema,
    body: rejectionBodySchema,
    responses: { 200: releaseSchema },
    problems: [
      'not-found',
      'not-awaiting',
      'no-effect',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  getResignRequests: {
    ...endpoints.getResignRequests,
    summary: 'The requests to resign for a lease within a day; with `owner`, only those to this holder.',
    params: nameParamsSchema,
    query: resignRequestsQuerySchema,
    responses: { 200: resignRequestsSchema },
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  putLock: {
    ...endpoints.putLock,
    summary:
      'Acquire a lock (201), or renew it for the same owner (200). Held by another: 409 with the holder.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: lockRequestSchema,
    bodyMaxBytes: valueBodyMaxBytes,
    responses: { 200: renewedLockSchema, 201: lockSchema },
    problems: [
      'unknown-table',
      'read-only',
      'lock-held',
      'not-held',
      'not-holder',
      'elevation-needed',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  getLock: {
    ...endpoints.getLock,
    summary: 'The holder of a lock; with `wait`, as soon as the holder differs from `since`.',
    params: nameParamsSchema,
    query: blockingQuerySchema,
    responses: { 200: lockHolderSchema },
    problems: ['unknown-table', 'not-held', 'cassandra-unavailable'],
  },
  deleteLock: {
    ...endpoints.deleteLock,
    summary:
      'Release a lock as its owner. In a table without an owner column, it ends the lock of any holder; for people that is a forced release.',
    params: nameParamsSchema,
    query: unlockQuerySchema,
    responses: { 204: null },
    headers: [releaseCertain],
    problems: [
      'unknown-table',
      'read-only',
      'not-held',
      'not-holder',
      'no-effect',
      'elevation-needed',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  getQueue: {
    ...endpoints.getQueue,
    summary: 'The waiters for a fair lock, in their order: those with numbers from `from` on.',
    params: nameParamsSchema,
    query: queueQuerySchema,
    responses: { 200: queueSchema },
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  putTicket: {
    ...endpoints.putTicket,
    summary:
      'Take a place in the queue for a fair lock, or keep it for another `ttlSeconds`, 6 at most: write it again every two seconds. The queue says which waiter may try first; only the lock says which one holds.',
    params: ticketParamsSchema,
    query: tableQuerySchema,
    body: ticketBodySchema,
    responses: { 204: null },
    problems: ['unknown-table', 'read-only', 'cassandra-unavailable'],
  },
  deleteTicket: {
    ...endpoints.deleteTicket,
    summary:
      'Leave the queue for a fair lock. With an `at` greater than that of every PUT, a PUT that arrives late does not bring the ticket back.',
    params: ticketParamsSchema,
    query: ticketQuerySchema,
    responses: { 204: null },
    problems: ['unknown-table', 'read-only', 'cassandra-unavailable'],
  },
  getElection: {
    ...endpoints.getElection,
    summary: 'The leader of a group and its term; with `wait`, as soon as the leader differs from `since`.',
    params: groupParamsSchema,
    query: blockingQuerySchema.omit({ table: true }),
    responses: { 200: electionSchema },
    problems: ['cassandra-unavailable'],
  },
  campaign: {
    ...endpoints.campaign,
    idempotent: true,
    summary:
      'Campaign for a group: elected (201), or still the leader, for the same owner (200). If another owner leads: 409, after `wait`.',
    params: groupParamsSchema,
    query: campaignQuerySchema,
    body: campaignBodySchema,
    bodyMaxBytes: valueBodyMaxBytes,
    responses: { 200: leadershipSchema, 201: leadershipSchema },
    problems: [
      'read-only',
      'lock-held',
      'not-held',
      'not-holder',
      'elevation-needed',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  resign: {
    ...endpoints.resign,
    summary: 'Resign as the leader.',
    params: groupParamsSchema,
    query: resignQuerySchema,
    responses: { 204: null },
    problems: [
      'read-only',
      'not-held',
      'not-holder',
      'no-effect',
      'elevation-needed',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  nextNumbers: {
    ...endpoints.nextNumbers,
    idempotent: true,
    summary: '`count` consecutive numbers, greater than all before them; no other caller gets them.',
    params: nameParamsSchema,
    query: nextQuerySchema,
    responses: { 200: blockSchema },
    problems: ['cassandra-unavailable'],
  },
  listLabRuns: {
    ...endpoints.listLabRuns,
    summary: 'The runs of the election lab, newest first: those under way, and those whose journal is kept.',
    isList: true,
    responses: { 200: labRunListSchema },
    problems: ['cassandra-unavailable'],
  },
  startLabRun: {
    ...endpoints.startLabRun,
    summary:
      'Start a run of the lab: a story, or a playground. It ends after 15 minutes, or when it has had no viewers for two.',
    body: newLabRunSchema,
    responses: { 201: labRunSchema },
    problems: ['lab-disabled', 'lab-full', 'cassandra-unavailable', 'audit-unavailable'],
  },
  getLabRun: {
    ...endpoints.getLabRun,
    summary: 'A run with a page of its journal, and the checker’s verdict on it.',
    params: labRunParamsSchema,
    query: labJournalQuerySchema,
    isList: true,
    responses: { 200: labRunDetailSchema },
    problems: ['not-found', 'cassandra-unavailable'],
  },
  watchLabRun: {
    ...endpoints.watchLabRun,
    summary: 'The journal of a run as server-sent events, as it grows. `Last-Event-ID` resumes.',
    params: labRunParamsSchema,
    query: labStreamQuerySchema,
    responses: { 200: null },
    events: labEvents,
    problems: ['not-found', 'cassandra-unavailable'],
  },
  actInLab: {
    ...endpoints.actInLab,
    summary:
      'Act on a run of the lab: candidates, their faults, the lease, the story. What came of it is in the journal.',
    params: labRunParamsSchema,
    body: labActSchema,
    responses: { 204: null },
    problems: ['not-found', 'lab-refused', 'lab-elsewhere', 'cassandra-unavailable'],
  },
  endLabRun: {
    ...endpoints.endLabRun,
    summary: 'End a run of the lab. Its journal stays.',
    params: labRunParamsSchema,
    responses: { 204: null },
    problems: ['not-found', 'lab-elsewhere', 'cassandra-unavailable', 'audit-unavailable'],
  },
  listTokens: {
    ...endpoints.listTokens,
    summary: 'The tokens of programs, without their secrets, which the console does not store.',
    isList: true,
    responses: { 200: tokenListSchema },
    problems: ['cassandra-unavailable'],
  },
  createToken: {
    ...endpoints.createToken,
    idempotent: true,
    summary: 'Make a token for a program. Only this answer shows it.',
    body: newTokenSchema,
    bodyMaxBytes: prefixesBodyMaxBytes,
    responses: { 201: createdTokenSchema },
    problems: ['elevation-needed', 'cassandra-unavailable', 'audit-unavailable', 'too-late'],
  },
  deleteToken: {
    ...endpoints.deleteToken,
    summary: 'Revoke a token, at once.',
    params: tokenParamsSchema,
    responses: { 204: null },
    problems: ['not-found', 'cassandra-unavailable', 'audit-unavailable', 'too-late'],
  },
  listUsers: {
    ...endpoints.listUsers,
    summary: 'The people who may sign in.',
    isList: true,
    responses: { 200: userListSchema },
    problems: ['cassandra-unavailable'],
  },
  createUser: {
    ...endpoints.createUser,
    summary: 'Create a user with a first password.',
    body: newUserSchema,
    responses: { 201: userSchema },
    problems: [
      'user-exists',
      'user-deleted',
      'too-many-attempts',
      'elevation-needed',
      'no-effect',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  changeUser: {
    ...endpoints.changeUser,
    summary: 'Change a user’s role, or disable a user: both take effect at once.',
    params: userParamsSchema,
    body: userChangeSchema,
    responses: { 200: userSchema },
    problems: [
      'not-found',
      'last-admin',
      'role-elsewhere',
      'elevation-needed',
      'no-effect',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  setPassword: {
    ...endpoints.setPassword,
    summary: 'Set a user’s password; ends every session of that user.',
    params: userParamsSchema,
    body: userPasswordSchema,
    responses: { 204: null },
    problems: [
      'not-found',
      'no-password',
      'too-many-attempts',
      'elevation-needed',
      'no-effect',
      'cassandra-unavailable',
      'audit-unavailable',
      'too-late',
    ],
  },
  listAudit: {
    ...endpoints.listAudit,
    summary: 'The audit log, filtered, newest first.',
    query: auditQuerySchema,
    isList: true,
    responses: { 200: auditPageSchema },
    problems: ['cassandra-unavailable'],
  },
} as const satisfies Record<RouteId, Route>

export type Routes = typeof routes

/** Every problem that a route may answer with: its own, and those that the router raises for a row like this. */
export function problemsOf({ method, permission, body, idempotent, problems }: Route): ProblemCode[] {
  const raised: ProblemCode[] = [
    'bad-request',
    'wrong-origin',
    'too-many-requests',
    'headers-too-large',
    'expectation-failed',
    'internal',
  ]
  if (permission.people !== 'anybody') raised.push('unauthenticated', 'forbidden')
  if ('elevated' in permission) raised.push('elevation-needed')
  if (body !== undefined) raised.push('body-too-slow', 'body-too-large', 'unsupported-media-type')
  if (idempotent) raised.push('idempotency-key-reused', 'request-in-progress', 'too-late')
  // What writes a lease table is refused where the canary of the table failed.
  if (problems.includes('read-only')) raised.push('canary-failed')
  // A session or a token is read from Cassandra, before anything else is.
  if (permission.people !== 'anybody' || problems.includes('cassandra-unavailable'))
    raised.push('cassandra-unavailable', 'cassandra-refused', 'not-ready')
  // The answer to any write may be lost.
  if (method !== 'GET') raised.push('outcome-unknown')
  return [...new Set([...raised, ...problems])]
}
