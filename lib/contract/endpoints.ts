import type { Permission } from './permission.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint {
  method: Method
  path: string
  /** Who may call it. */
  permission: Permission
}

/**
 * The method, the path and the permission of each route. The rest of a route is in `routes.ts`, with its schemas: the
 * browser shows a page before it has fetched those.
 */
export const endpoints = {
  healthz: { method: 'GET', path: '/healthz', permission: { people: 'anybody', programs: 'any' } },
  readyz: { method: 'GET', path: '/readyz', permission: { people: 'anybody', programs: 'any' } },
  getMetrics: {
    method: 'GET',
    path: '/metrics',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'all', scraper: true },
  },
  getOpenApi: { method: 'GET', path: '/v1/openapi.json', permission: { people: 'anybody', programs: 'any' } },
  getSession: { method: 'GET', path: '/v1/session', permission: { people: 'viewer', programs: 'any' } },
  signIn: { method: 'POST', path: '/v1/session', permission: { people: 'anybody', programs: 'any' } },
  signOut: { method: 'DELETE', path: '/v1/session', permission: { people: 'viewer', programs: 'never' } },
  changeOwnPassword: {
    method: 'POST',
    path: '/v1/session/password',
    permission: { people: 'viewer', programs: 'never' },
  },
  elevate: {
    method: 'POST',
    path: '/v1/session/elevation',
    permission: { people: 'operator', programs: 'never' },
  },
  endElevation: {
    method: 'DELETE',
    path: '/v1/session/elevation',
    permission: { people: 'viewer', programs: 'never' },
  },
  startSso: { method: 'GET', path: '/v1/sso', permission: { people: 'anybody', programs: 'any' } },
  finishSso: { method: 'GET', path: '/v1/sso/callback', permission: { people: 'anybody', programs: 'any' } },
  setUp: { method: 'POST', path: '/v1/setup', permission: { people: 'anybody', programs: 'any' } },
  getCluster: { method: 'GET', path: '/v1/cluster', permission: { people: 'viewer', programs: 'never' } },
  getDoctor: { method: 'GET', path: '/v1/doctor', permission: { people: 'operator', programs: 'never' } },
  runCanary: {
    method: 'POST',
    path: '/v1/doctor/canary',
    permission: { people: 'operator', programs: 'never' },
  },
  listLeases: {
    method: 'GET',
    path: '/v1/leases',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'prefix' },
  },
  watch: {
    method: 'GET',
    path: '/v1/watch',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'prefix' },
  },
  getLease: {
    method: 'GET',
    path: '/v1/leases/{name}',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'name' },
  },
  getLeaseHistory: {
    method: 'GET',
    path: '/v1/leases/{name}/events',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'name' },
  },
  planRelease: {
    method: 'POST',
    path: '/v1/leases/{name}/release-plan',
    permission: { people: 'operator', programs: 'never' },
  },
  release: {
    method: 'POST',
    path: '/v1/leases/{name}/release',
    permission: { people: 'operator', programs: 'never' },
  },
  listLeaseReleases: {
    method: 'GET',
    path: '/v1/leases/{name}/releases',
    permission: { people: 'viewer', programs: 'never' },
  },
  listReleases: {
    method: 'GET',
    path: '/v1/releases',
    permission: { people: 'operator', programs: 'never' },
  },
  getRelease: {
    method: 'GET',
    path: '/v1/releases/{id}',
    permission: { people: 'viewer', programs: 'never' },
  },
  approveRelease: {
    method: 'POST',
    path: '/v1/releases/{id}/approval',
    permission: { people: 'operator', programs: 'never' },
  },
  rejectRelease: {
    method: 'POST',
    path: '/v1/releases/{id}/rejection',
    permission: { people: 'operator', programs: 'never' },
  },
  getResignRequests: {
    method: 'GET',
    path: '/v1/resign-requests/{name}',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'name' },
  },
  putLock: {
    method: 'PUT',
    path: '/v1/locks/{name}',
    permission: { people: 'operator', programs: 'client', scopedBy: 'name' },
  },
  getLock: {
    method: 'GET',
    path: '/v1/locks/{name}',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'name' },
  },
  deleteLock: {
    method: 'DELETE',
    path: '/v1/locks/{name}',
    permission: { people: 'operator', programs: 'client', scopedBy: 'name' },
  },
  getQueue: {
    method: 'GET',
    path: '/v1/queues/{name}',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'name' },
  },
  putTicket: {
    method: 'PUT',
    path: '/v1/queues/{name}/tickets/{owner}',
    permission: { people: 'operator', programs: 'client', scopedBy: 'name' },
  },
  deleteTicket: {
    method: 'DELETE',
    path: '/v1/queues/{name}/tickets/{owner}',
    permission: { people: 'operator', programs: 'client', scopedBy: 'name' },
  },
  getElection: {
    method: 'GET',
    path: '/v1/elections/{group}',
    permission: { people: 'viewer', programs: 'viewer', scopedBy: 'group' },
  },
  campaign: {
    method: 'POST',
    path: '/v1/elections/{group}',
    permission: { people: 'operator', programs: 'client', scopedBy: 'group' },
  },
  resign: {
    method: 'DELETE',
    path: '/v1/elections/{group}',
    permission: { people: 'operator', programs: 'client', scopedBy: 'group' },
  },
  nextNumbers: {
    method: 'POST',
    path: '/v1/sequences/{name}/next',
    permission: { people: 'operator', programs: 'client', scopedBy: 'name' },
  },
  listLabRuns: { method: 'GET', path: '/v1/lab/runs', permission: { people: 'viewer', programs: 'never' } },
  startLabRun: {
    method: 'POST',
    path: '/v1/lab/runs',
    permission: { people: 'operator', programs: 'never' },
  },
  getLabRun: {
    method: 'GET',
    path: '/v1/lab/runs/{run}',
    permission: { people: 'viewer', programs: 'never' },
  },
  watchLabRun: {
    method: 'GET',
    path: '/v1/lab/runs/{run}/stream',
    permission: { people: 'viewer', programs: 'never' },
  },
  actInLab: {
    method: 'POST',
    path: '/v1/lab/runs/{run}/acts',
    permission: { people: 'operator', programs: 'never' },
  },
  endLabRun: {
    method: 'DELETE',
    path: '/v1/lab/runs/{run}',
    permission: { people: 'operator', programs: 'never' },
  },
  listTokens: { method: 'GET', path: '/v1/tokens', permission: { people: 'admin', programs: 'never' } },
  createToken: {
    method: 'POST',
    path: '/v1/tokens',
    permission: { people: 'admin', programs: 'never', elevated: true },
  },
  deleteToken: {
    method: 'DELETE',
    path: '/v1/tokens/{id}',
    permission: { people: 'admin', programs: 'never' },
  },
  listUsers: { method: 'GET', path: '/v1/users', permission: { people: 'admin', programs: 'never' } },
  createUser: {
    method: 'POST',
    path: '/v1/users',
    permission: { people: 'admin', programs: 'never', elevated: true },
  },
  changeUser: {
    method: 'PUT',
    path: '/v1/users/{username}',
    permission: { people: 'admin', programs: 'never', elevated: true },
  },
  setPassword: {
    method: 'POST',
    path: '/v1/users/{username}/password',
    permission: { people: 'admin', programs: 'never', elevated: true },
  },
  listAudit: { method: 'GET', path: '/v1/audit', permission: { people: 'operator', programs: 'never' } },
} as const satisfies Record<string, Endpoint>

export type RouteId = keyof typeof endpoints
