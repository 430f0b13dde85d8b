import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteId } from '../../../contract/endpoints.ts'
import { type Route, routes } from '../../../contract/routes.ts'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { type TestConsole, testConsole } from '../test-console.ts'
import { type Found, type Identity, identitiesOn } from './test-identities.ts'

/**
 * Every route × every identity: what is found is what the table says, and nothing else. Routes on leases are asked again for
 * a table without an owner column, for names of two people, and with forced releases switched off.
 */
const keyspace = `permissions_test_${Date.now().toString(36)}`
let console: TestConsole
/** The same keyspace, with LEASEHOLD_ADMIN_ACTIONS=disabled. */
let disabled: TestConsole

/** What is asked for, so that nothing comes of it: a parameter of the path, a query, a body. `own`: an owner of the sender's. */
interface Harmless {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: (own: string) => unknown
}
const lease = { params: { name: 'walk/x' } }

/** A route without an entry does not compile. */
const harmless = {
  healthz: {},
  readyz: {},
  getMetrics: {},
  getOpenApi: {},
  getSession: {},
  signIn: { body: () => ({ username: 'nobody', password: 'a wrong guess' }) },
  // Each request has a session of its own.
  signOut: {},
  changeOwnPassword: { body: () => ({ current: 'a wrong guess', password: 'another password' }) },
  elevate: { body: () => ({ password: 'a wrong guess' }) },
  endElevation: {},
  startSso: {},
  finishSso: {},
  setUp: { body: () => ({ token: 'none', password: 'another password' }) },
  getCluster: {},
  getDoctor: {},
  runCanary: {},
  listLeases: { query: { prefix: 'walk/' } },
  watch: { query: { prefix: 'walk/' } },
  getLease: lease,
  getLeaseHistory: lease,
  planRelease: { ...lease, body: () => ({}) },
  release: { ...lease, body: () => ({ plan: 'none-such', mode: 'ask', reason: 'x', confirmName: 'walk/x' }) },
  listLeaseReleases: lease,
  listReleases: {},
  getRelease: { params: { id: 'none-such' } },
  approveRelease: { params: { id: 'none-such' } },
  rejectRelease: { params: { id: 'none-such' }, body: () => ({ reason: 'x' }) },
  getResignRequests: lease,
  putLock: { ...lease, body: (owner: string) => ({ owner, renewOnly: true }) },
  getLock: lease,
  // An owner of theirs: another's would be a forced release, which has rules of its own.
  deleteLock: { ...lease, query: { owner: '$own' } },
  getQueue: lease,
  putTicket: {
    params: { name: 'walk/x', owner: 'w' },
    body: () => ({ number: '1', at: '1', ttlSeconds: 1 }),
  },
  deleteTicket: { params: { name: 'walk/x', owner: 'w' }, query: { number: '1', at: '2' } },
  getElection: { params: { group: 'walk/x' } },
  campaign: {
    params: { group: 'walk/x' },
    body: (owner: string) => ({ owner, renewOnly: true }),
  },
  resign: { params: { group: 'walk/x' }, query: { owner: '$own' } },
  nextNumbers: lease,
  listLabRuns: {},
  // The lab is off here: a sender that may start a run starts none.
  startLabRun: { body: () => ({ candidates: 2, ttlSeconds: 6 }) },
  getLabRun: { params: { run: '00000000' } },
  watchLabRun: { params: { run: '00000000' } },
  actInLab: { params: { run: '00000000' }, body: () => ({ act: 'join' }) },
  endLabRun: { params: { run: '00000000' } },
  listTokens: {},
  createToken: { body: () => ({ name: 'walk', prefixes: ['walk/'] }) },
  deleteToken: { params: { id: '0000000000000000' } },
  listUsers: {},
  createUser: { body: () => ({ username: 'admin', password: 'another password', role: 'viewer' }) },
  changeUser: { params: { username: 'nobody' }, body: () => ({ role: 'viewer' }) },
  setPassword: { params: { username: 'nobody' }, body: () => ({ password: 'another password' }) },
  listAudit: {},
} satisfies Record<RouteId, Harmless>

const identities = identitiesOn(() => console, keyspace)

beforeAll(async () => {
  const session = await testSession(keyspace)
  await session.client.execute(`CREATE TABLE IF NOT EXISTS ${keyspace}.cron (lockname text PRIMARY KEY)`)
  await session.close()
  const LEASEHOLD_CONFIG = JSON.stringify({
    tables: { cron: { table: 'cron', name: 'lockname', owner: null } },
    secondPersonFor: ['walk/two/'],
  })
  console = await testConsole(keyspace, { LEASEHOLD_CONFIG, LEASEHOLD_LAB: 'disabled' })
  disabled = await testConsole(keyspace, {
    LEASEHOLD_CONFIG,
    LEASEHOLD_LAB: 'disabled',
    LEASEHOLD_ADMIN_ACTIONS: 'disabled',
  })
  const { users } = console.context
  await users.create('vera', 'a long password', 'viewer')
  await users.create('otto', 'a long password', 'operator')
  await users.create('dora', 'a long password', 'admin')
  await users.change('dora', { disabled: true })
})
afterAll(async () => {
  await console?.context.session.close()
  await disabled?.context.session.close()
})

/** Where a route on leases is asked. */
interface World {
  table: 'leases' | 'cron'
  twoPeople: boolean
  adminActions: boolean
  /** Whether a release names an owner, one that begins as an owner of the sender's own would. */
  namesOwner: boolean
}
const plain: World = { table: 'leases', twoPeople: false, adminActions: true, namesOwner: true }
const worlds: World[] = [
  { table: 'leases' as const, namesOwner: true },
  { table: 'cron' as const, namesOwner: true },
  { table: 'cron' as const, namesOwner: false },
].flatMap((releases) =>
  [false, true].flatMap((twoPeople) =>
    [true, false].map((adminActions) => ({ ...releases, twoPeople, adminActions })),
  ),
)
const takesTable = ({ query }: Route): boolean => 'table' in ((query as { shape?: object })?.shape ?? {})
const onLeases = (Object.keys(routes) as RouteId[]).filter(
  (id) => /\{(name|group)\}/.test(routes[id].path) || takesTable(routes[id]),
)

async function ask(id: RouteId, { username, person, headers }: Identity, world = plain): Promise<Found> {
  const { method, path }: Route = routes[id]
  const { params = {}, query = {}, body }: Harmless = harmless[id]
  const nameOf = (text: string) => (world.twoPeople ? text.replace('walk/x', 'walk/two/x') : text)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(nameOf(params[name] as string)))
  const asked = new URLSearchParams(query)
  if (takesTable(routes[id]) && world.table !== 'leases') asked.set('table', world.table)
  if (!world.namesOwner && id === 'deleteLock') asked.delete('owner')
  const own = person === undefined ? `${username}:none` : `${username}@console:none`
  const search = asked.toString().replaceAll('%24own', encodeURIComponent(own))
  const sent = world.table === 'cron' && id === 'putLock' ? { ttlSeconds: 2 } : body?.(own)
  const at = world.adminActions ? console : disabled
  const send = async () => at.api(method, `${filled}${search && `?${search}`}`, sent, await headers())
  let answer = await send()
  // Identities without valid credentials share the limit of one address, and a fast machine reaches it.
  while (answer.body?.code === 'too-many-requests') {
    await new Promise((done) => setTimeout(done, 1_000))
    answer = await send()
  }
  const code: string | undefined = answer.body?.code
  // Then it was not seen whether they may.
  const unseen = ['internal', 'bad-request', 'too-many-requests']
  if (id === 'deleteLock' && world.table === 'cron') unseen.splice(1, 1)
  expect(unseen).not.toContain(code)
  const ofPermission = ['unauthenticated', 'forbidden', 'elevation-needed', 'wrong-origin', 'bad-request']
  return code !== undefined && ofPermission.includes(code) ? (code as Found) : 'allowed'
}

describe.each(Object.entries(identities))('%s', (_, identity) => {
  it.each(Object.keys(routes) as RouteId[])('%s', async (id) => {
    expect(await ask(id, identity)).toBe(identity.expected(routes[id].permission))
  })
})

/** Releasing without an owner column is a forced release for people, and nothing else changes from world to world. */
function expectedIn(world: World, id: RouteId, identity: Identity): Found {
  const { table, twoPeople, adminActions, namesOwner } = world
  // A route without `?table=` is about the console's own: elections and sequences.
  const found = identity.expected(routes[id].permission, takesTable(routes[id]) ? table : undefined)
  const { person } = identity
  if (found !== 'allowed') return found
  // A ticket of a person keeps the programs out of a name that two people release.
  if (twoPeople && person !== undefined && (id === 'putTicket' || id === 'deleteTicket')) return 'forbidden'
  if (id !== 'deleteLock' || table !== 'cron') return found
  // The table cannot check the owner that is named.
  const allowed = namesOwner ? 'bad-request' : 'allowed'
  if (person === undefined) return allowed
  if (person.role !== 'admin' || !adminActions) return 'forbidden'
  if (!person.elevated) return 'elevation-needed'
  return twoPeople ? 'forbidden' : allowed
}

describe.each(worlds)(
  'in the table $table, a name of two people: $twoPeople, forced releases: $adminActions, naming the owner: $namesOwner',
  (world) => {
    it.each(Object.entries(identities))('%s', async (_, identity) => {
      expect(onLeases.length).toBeGreaterThan(12)
      const found: Record<string, Found> = {}
      await Promise.all(
        onLeases.map(async (id) => Object.assign(found, { [id]: await ask(id, identity, world) })),
      )
      expect(found).toEqual(Object.fromEntries(onLeases.map((id) => [id, expectedIn(world, id, identity)])))
    })
  },
)
