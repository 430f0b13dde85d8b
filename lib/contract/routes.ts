import type { z } from 'zod'
import { clusterSchema, healthSchema } from './cluster.ts'
import {
  campaignBodySchema,
  campaignQuerySchema,
  electionSchema,
  groupParamsSchema,
  leadershipSchema,
  resignQuerySchema,
} from './election.ts'
import {
  leaseDetailSchema,
  leaseListQuerySchema,
  leaseListSchema,
  nameParamsSchema,
  tableQuerySchema,
} from './lease.ts'
import { lockHolderSchema, lockRequestSchema, lockSchema, unlockQuerySchema } from './lock.ts'
import type { ProblemCode } from './problem.ts'
import {
  planBodySchema,
  releaseBodySchema,
  releaseParamsSchema,
  releasePlanSchema,
  releaseSchema,
} from './release.ts'
import { blockSchema, nextQuerySchema } from './sequence.ts'
import { type Role, sessionSchema, setupBodySchema, signInBodySchema } from './session.ts'
import { createdTokenSchema, newTokenSchema, tokenListSchema, tokenParamsSchema } from './token.ts'
import { blockingQuerySchema } from './wait.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One row of the table. `role` is the least that may call it; `public` needs no session. */
export interface Route {
  method: Method
  path: string
  role: Role | 'public'
  /** Programs may call it, with a token. */
  clients?: true
  /** An `Idempotency-Key` is honoured: the same request under the same key is carried out once. */
  idempotent?: true
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** By status; null: an empty body. Problems are listed by code instead. */
  responses: Record<number, z.ZodType | null>
  problems: readonly ProblemCode[]
}

/**
 * The whole API. Router, authorisation and the typed client are derived from
 * this table; nothing about a route is written anywhere else.
 */
export const routes = {
  healthz: {
    method: 'GET',
    path: '/healthz',
    role: 'public',
    summary: 'The process is alive.',
    responses: { 200: healthSchema },
    problems: [],
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    role: 'public',
    summary: 'Cassandra answers a SERIAL read: requests can be served.',
    responses: { 200: healthSchema },
    problems: ['cassandra-unavailable'],
  },
  getSession: {
    method: 'GET',
    path: '/v1/session',
    role: 'viewer',
    clients: true,
    summary: 'Who is signed in.',
    responses: { 200: sessionSchema },
    problems: [],
  },
  signIn: {
    method: 'POST',
    path: '/v1/session',
    role: 'public',
    summary: 'Sign in; sets the session cookie.',
    body: signInBodySchema,
    responses: { 200: sessionSchema },
    problems: ['wrong-credentials'],
  },
  signOut: {
    method: 'DELETE',
    path: '/v1/session',
    role: 'viewer',
    summary: 'Sign out; the session ends in Cassandra too.',
    responses: { 204: null },
    problems: [],
  },
  setUp: {
    method: 'POST',
    path: '/v1/setup',
    role: 'public',
    summary: 'Set the first password of the user admin with the one-time link, and sign in.',
    body: setupBodySchema,
    responses: { 200: sessionSchema },
    problems: ['setup-link-invalid'],
  },
  getCluster: {
    method: 'GET',
    path: '/v1/cluster',
    role: 'viewer',
    summary: 'How Cassandra is, after a SERIAL read.',
    responses: { 200: clusterSchema },
    problems: ['cassandra-unavailable'],
  },
  listLeases: {
    method: 'GET',
    path: '/v1/leases',
    role: 'viewer',
    clients: true,
    summary: 'One page of leases in token order, each row confirmed at SERIAL.',
    query: leaseListQuerySchema,
    responses: { 200: leaseListSchema },
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  getLease: {
    method: 'GET',
    path: '/v1/leases/{name}',
    role: 'viewer',
    clients: true,
    summary: 'One lease, confirmed at SERIAL, with what Cassandra said.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    responses: { 200: leaseDetailSchema },
    problems: ['unknown-table', 'not-held', 'cassandra-unavailable'],
  },
  planRelease: {
    method: 'POST',
    path: '/v1/leases/{name}/release-plan',
    role: 'operator',
    idempotent: true,
    summary: 'Plan a forced release, bound to the holder as it is now. Good for 60 s.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: planBodySchema,
    responses: { 200: releasePlanSchema },
    problems: [
      'idempotency-key-reused',
      'request-in-progress',
      'unknown-table',
      'read-only',
      'not-held',
      'not-releasable',
      'cassandra-unavailable',
    ],
  },
  release: {
    method: 'POST',
    path: '/v1/leases/{name}/release',
    role: 'operator',
    idempotent: true,
    summary: 'Carry out a plan. 202: the answer of Cassandra is not there yet; ask /v1/releases/{id}.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: releaseBodySchema,
    responses: { 200: releaseSchema, 202: releaseSchema },
    problems: [
      'idempotency-key-reused',
      'request-in-progress',
      'unknown-table',
      'plan-invalid',
      'name-mismatch',
      'forbidden',
      'read-only',
      'plan-expired',
      'holder-changed',
      'cassandra-unavailable',
    ],
  },
  getRelease: {
    method: 'GET',
    path: '/v1/releases/{id}',
    role: 'operator',
    summary: 'What became of a forced release.',
    params: releaseParamsSchema,
    responses: { 200: releaseSchema, 202: releaseSchema },
    problems: ['not-found', 'holder-changed'],
  },
  putLock: {
    method: 'PUT',
    path: '/v1/locks/{name}',
    role: 'operator',
    clients: true,
    summary:
      'Acquire a lock (201), or renew it for the same owner (200). Held by another: 409 with the holder.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: lockRequestSchema,
    responses: { 200: lockSchema, 201: lockSchema },
    problems: [
      'unknown-table',
      'read-only',
      'lock-held',
      'not-held',
      'not-holder',
      'outcome-unknown',
      'cassandra-unavailable',
    ],
  },
  getLock: {
    method: 'GET',
    path: '/v1/locks/{name}',
    role: 'viewer',
    clients: true,
    summary: 'Who holds a lock; with `wait`, once the holder differs from `since`.',
    params: nameParamsSchema,
    query: blockingQuerySchema,
    responses: { 200: lockHolderSchema },
    problems: ['unknown-table', 'not-held', 'cassandra-unavailable'],
  },
  deleteLock: {
    method: 'DELETE',
    path: '/v1/locks/{name}',
    role: 'operator',
    clients: true,
    summary: 'Release a lock as its owner.',
    params: nameParamsSchema,
    query: unlockQuerySchema,
    responses: { 204: null },
    problems: [
      'unknown-table',
      'read-only',
      'not-held',
      'not-holder',
      'outcome-unknown',
      'cassandra-unavailable',
    ],
  },
  getElection: {
    method: 'GET',
    path: '/v1/elections/{group}',
    role: 'viewer',
    clients: true,
    summary: 'Who leads a group, and in which term; with `wait`, once the leader differs from `since`.',
    params: groupParamsSchema,
    query: blockingQuerySchema.omit({ table: true }),
    responses: { 200: electionSchema },
    problems: ['cassandra-unavailable'],
  },
  campaign: {
    method: 'POST',
    path: '/v1/elections/{group}',
    role: 'operator',
    clients: true,
    idempotent: true,
    summary:
      'Campaign for a group: elected (201), or kept in office for the same owner (200). Another leads: 409, after `wait`.',
    params: groupParamsSchema,
    query: campaignQuerySchema,
    body: campaignBodySchema,
    responses: { 200: leadershipSchema, 201: leadershipSchema },
    problems: [
      'read-only',
      'lock-held',
      'not-held',
      'not-holder',
      'idempotency-key-reused',
      'request-in-progress',
      'outcome-unknown',
      'cassandra-unavailable',
    ],
  },
  resign: {
    method: 'DELETE',
    path: '/v1/elections/{group}',
    role: 'operator',
    clients: true,
    summary: 'Resign as the leader.',
    params: groupParamsSchema,
    query: resignQuerySchema,
    responses: { 204: null },
    problems: ['read-only', 'not-held', 'not-holder', 'outcome-unknown', 'cassandra-unavailable'],
  },
  nextNumbers: {
    method: 'POST',
    path: '/v1/sequences/{name}/next',
    role: 'operator',
    clients: true,
    idempotent: true,
    summary: '`count` numbers in a row that nobody else gets, greater than all before them.',
    params: nameParamsSchema,
    query: nextQuerySchema,
    responses: { 200: blockSchema },
    problems: ['idempotency-key-reused', 'request-in-progress', 'outcome-unknown', 'cassandra-unavailable'],
  },
  listTokens: {
    method: 'GET',
    path: '/v1/tokens',
    role: 'admin',
    summary: 'The tokens by which programs come in; not the secrets, which nobody has.',
    responses: { 200: tokenListSchema },
    problems: ['cassandra-unavailable'],
  },
  createToken: {
    method: 'POST',
    path: '/v1/tokens',
    role: 'admin',
    summary: 'Make a token for a program. It is shown in this answer alone.',
    body: newTokenSchema,
    responses: { 201: createdTokenSchema },
    problems: ['cassandra-unavailable'],
  },
  deleteToken: {
    method: 'DELETE',
    path: '/v1/tokens/{id}',
    role: 'admin',
    summary: 'Revoke a token, at once.',
    params: tokenParamsSchema,
    responses: { 204: null },
    problems: ['not-found', 'cassandra-unavailable'],
  },
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteId = keyof Routes

/** Problems that any route may answer with, besides its own. */
export const commonProblems: readonly ProblemCode[] = [
  'bad-request',
  'unauthenticated',
  'forbidden',
  'wrong-origin',
  'body-too-large',
  'unsupported-media-type',
  'cassandra-unavailable',
  'cassandra-refused',
  'internal',
]
