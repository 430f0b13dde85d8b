import type { z } from 'zod'
import { clusterSchema, healthSchema } from './cluster.ts'
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
import { type Role, sessionSchema, setupBodySchema, signInBodySchema } from './session.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One row of the table. `role` is the least that may call it; `public` needs no session. */
export interface Route {
  method: Method
  path: string
  role: Role | 'public'
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** By status; null: an empty body. Problems are listed by code instead. */
  responses: Record<number, z.ZodType | null>
  problems: readonly ProblemCode[]
}

/**
 * The whole API. Router, authorisation, typed client and, later, OpenAPI and the permission tests are derived from
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
    summary: 'One page of leases in token order, each row confirmed at SERIAL.',
    query: leaseListQuerySchema,
    responses: { 200: leaseListSchema },
    problems: ['unknown-table', 'cassandra-unavailable'],
  },
  getLease: {
    method: 'GET',
    path: '/v1/leases/{name}',
    role: 'viewer',
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
    summary: 'Plan a forced release, bound to the holder as it is now. Good for 60 s.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: planBodySchema,
    responses: { 200: releasePlanSchema },
    problems: ['unknown-table', 'read-only', 'not-held', 'not-releasable', 'cassandra-unavailable'],
  },
  release: {
    method: 'POST',
    path: '/v1/leases/{name}/release',
    role: 'operator',
    summary: 'Carry out a plan. 202: the answer of Cassandra is not there yet; ask /v1/releases/{id}.',
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
    summary:
      'Acquire a lock (201), or renew it for the same owner (200). Held by another: 409 with the holder.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    body: lockRequestSchema,
    responses: { 200: lockSchema, 201: lockSchema },
    problems: ['unknown-table', 'read-only', 'lock-held', 'outcome-unknown', 'cassandra-unavailable'],
  },
  getLock: {
    method: 'GET',
    path: '/v1/locks/{name}',
    role: 'viewer',
    summary: 'Who holds a lock.',
    params: nameParamsSchema,
    query: tableQuerySchema,
    responses: { 200: lockHolderSchema },
    problems: ['unknown-table', 'not-held', 'cassandra-unavailable'],
  },
  deleteLock: {
    method: 'DELETE',
    path: '/v1/locks/{name}',
    role: 'operator',
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
