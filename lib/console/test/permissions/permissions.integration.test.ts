import { FakeClock } from 'leasehold/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Permission } from '../../../contract/permission.ts'
import { type Route, type RouteId, routes } from '../../../contract/routes.ts'
import { roles } from '../../../contract/session.ts'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { log } from '../../http/log/log.ts'
import { peopleStatements } from '../../people/people-statements.ts'
import { Sessions } from '../../people/sessions/sessions.ts'
import { type TestConsole, testConsole } from '../test-console.ts'

/**
 * Every route × every identity: what is found is what the table says, and nothing else. Routes on leases are asked again for
 * a table without an owner column, for names of two people, and with forced releases switched off.
 */
const keyspace = `permissions_test_${Date.now().toString(36)}`
let console: TestConsole
/** The same keyspace, with LEASEHOLD_ADMIN_ACTIONS=disabled. */
let disabled: TestConsole
const { api } = { api: (...args: Parameters<TestConsole['api']>) => console.api(...args) }

/** A request that changes nothing: its path’s parameters, query and body. `who`: the sender’s name. */
interface Harmless {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: (who: string) => unknown
}
const lease = { params: { name: 'walk/x' } }
const unheldOwner = (who: string) => ({ owner: `${who}@console:none` })

/** A route without an entry does not compile. */
const harmless = {
  healthz: {},
  readyz: {},
  getOpenApi: {},
  getSession: {},
  signIn: { body: () => ({ username: 'no-one', password: 'a wrong guess' }) },
  // Each request has a session of its own.
  signOut: {},
  changeOwnPassword: { body: () => ({ current: 'a wrong guess', password: 'another password' }) },
  elevate: { body: () => ({ password: 'a wrong guess' }) },
  endElevation: {},
  startSso: {},
  finishSso: {},
  setUp: { body: () => ({ token: 'none', password: 'another password' }) },
  getCluster: {},
  listLeases: { query: { prefix: 'walk/' } },
  getLease: lease,
  planRelease: { ...lease, body: () => ({}) },
  release: { ...lease, body: () => ({ plan: 'none-such', mode: 'ask', reason: 'x', confirmName: 'walk/x' }) },
  listReleases: {},
  getRelease: { params: { id: 'none-such' } },
  approveRelease: { params: { id: 'none-such' } },
  rejectRelease: { params: { id: 'none-such' }, body: () => ({ reason: 'x' }) },
  getResignRequests: lease,
  putLock: { ...lease, body: (who: string) => ({ ...unheldOwner(who), renewOnly: true }) },
  getLock: lease,
  // The sender's own owner: a release of another owner's would be forced, which has rules of its own.
  deleteLock: { ...lease, query: { owner: '$who@console:none' } },
  getQueue: lease,
  putTicket: {
    params: { name: 'walk/x', owner: 'w' },
    body: () => ({ number: '1', at: '1', ttlSeconds: 1 }),
  },
  deleteTicket: { params: { name: 'walk/x', owner: 'w' }, query: { number: '1', at: '2' } },
  getElection: { params: { group: 'walk/x' } },
  campaign: {
    params: { group: 'walk/x' },
    body: (who: string) => ({ ...unheldOwner(who), renewOnly: true }),
  },
  resign: { params: { group: 'walk/x' }, query: { owner: '$who@console:none' } },
  nextNumbers: lease,
  listTokens: {},
  createToken: { body: () => ({ name: 'walk', prefixes: ['walk/'] }) },
  deleteToken: { params: { id: '0000000000000000' } },
  listUsers: {},
  createUser: { body: () => ({ username: 'admin', password: 'another password', role: 'viewer' }) },
  changeUser: { params: { username: 'no-one' }, body: () => ({ role: 'viewer' }) },
  setPassword: { params: { username: 'no-one' }, body: () => ({ password: 'another password' }) },
  listAudit: {},
} satisfies Record<RouteId, Harmless>

type Found = 'allowed' | 'unauthenticated' | 'forbidden' | 'elevation-needed' | 'wrong-origin' | 'bad-request'

interface Identity {
  username: string
  /** Left out: a program, or no identity at all. */
  person?: { role: 'viewer' | 'operator' | 'admin'; elevated: boolean }
  /** What a request of theirs brings along; asked for each request. */
  headers(): Promise<Record<string, string>>
  /** What the table says. */
  expected(permission: Permission): Found
}

const isOpen = (permission: Permission) => permission.people === 'anybody'
const unknown = (permission: Permission): Found => (isOpen(permission) ? 'allowed' : 'unauthenticated')

/** By the rules as DESIGN.md has them, and not by the code that is tested. */
const asPerson =
  (role: 'viewer' | 'operator' | 'admin', elevated: boolean) =>
  (permission: Permission): Found => {
    const { people } = permission
    if (people === 'anybody') return 'allowed'
    if (roles.indexOf(role) < roles.indexOf(people)) return 'forbidden'
    return 'elevated' in permission && !elevated ? 'elevation-needed' : 'allowed'
  }
const asProgram =
  (role: 'viewer' | 'client', inPrefix: boolean) =>
  (permission: Permission): Found => {
    const { programs } = permission
    if (isOpen(permission) || programs === 'any') return 'allowed'
    if (programs === 'never') return 'forbidden'
    return (programs === 'viewer' || role === 'client') && inPrefix ? 'allowed' : 'forbidden'
  }

const cookie = (id: string) => ({ cookie: `leasehold-3000=${id}` })
const open = (username: string) => console.context.sessions.open({ username, via: 'password', address: null })
const elevated = async (username: string) =>
  cookie((await console.context.sessions.elevate(await open(username))) as string)
const person = (username: string, role: 'viewer' | 'operator' | 'admin'): Identity => ({
  username,
  person: { role, elevated: false },
  headers: async () => cookie(await open(username)),
  expected: asPerson(role, false),
})
const elevatedPerson = (username: string, role: 'operator' | 'admin'): Identity => ({
  username,
  person: { role, elevated: true },
  headers: () => elevated(username),
  expected: asPerson(role, true),
})
const program = (name: string, role: 'viewer' | 'client', prefix: string): Identity => {
  let token: Promise<string> | undefined
  return {
    username: name,
    headers: async () => {
      token ??= api('POST', '/v1/tokens', { name, role, prefixes: [prefix], tables: ['*'] }).then(
        ({ body }) => body.token,
      )
      return { cookie: '', origin: '', authorization: `Bearer ${await token}` }
    },
    expected: asProgram(role, prefix === 'walk/'),
  }
}

const identities: Record<string, Identity> = {
  'a sender without an identity': { username: '', headers: async () => ({ cookie: '' }), expected: unknown },
  'a viewer': person('vera', 'viewer'),
  'an operator': person('otto', 'operator'),
  'an admin': person('admin', 'admin'),
  'an elevated operator': elevatedPerson('otto', 'operator'),
  'an elevated admin': elevatedPerson('admin', 'admin'),
  'a client in its prefix': program('in', 'client', 'walk/'),
  'a client out of its prefix': program('out', 'client', 'other/'),
  'a viewer’s token': program('looks', 'viewer', 'walk/'),
  'a disabled user': {
    username: 'dora',
    headers: async () => cookie(await open('dora')),
    expected: unknown,
  },
  'a session that has expired': {
    username: 'admin',
    headers: async () => {
      const { session, users, rows } = console.context
      const clock = new FakeClock(Date.now() - 12 * 60 * 60 * 1000)
      const statements = peopleStatements(keyspace, session.serial)
      const past = new Sessions({ session, statements, users, rows, log, clock })
      return cookie(await past.open({ username: 'admin', via: 'password', address: null }))
    },
    expected: unknown,
  },
  'a token that was revoked': {
    username: 'revoked',
    headers: async () => {
      const { body } = await api('POST', '/v1/tokens', { name: 'revoked', prefixes: [''] })
      await api('DELETE', `/v1/tokens/${body.id}`)
      return { cookie: '', origin: '', authorization: `Bearer ${body.token}` }
    },
    expected: unknown,
  },
  'an elevated admin, by a page of another origin': {
    username: 'admin',
    headers: async () => ({
      ...(await elevated('admin')),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
    }),
    expected: () => 'wrong-origin',
  },
}

beforeAll(async () => {
  const session = await testSession(keyspace)
  await session.client.execute(`CREATE TABLE IF NOT EXISTS ${keyspace}.cron (lockname text PRIMARY KEY)`)
  await session.close()
  const LEASEHOLD_CONFIG = JSON.stringify({
    tables: { cron: { table: 'cron', name: 'lockname', owner: null } },
    secondPersonFor: ['walk/two/'],
  })
  console = await testConsole(keyspace, { LEASEHOLD_CONFIG })
  disabled = await testConsole(keyspace, { LEASEHOLD_CONFIG, LEASEHOLD_ADMIN_ACTIONS: 'disabled' })
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

async function ask(id: RouteId, { username, headers }: Identity, world = plain): Promise<Found> {
  const { method, path }: Route = routes[id]
  const { params = {}, query = {}, body }: Harmless = harmless[id]
  const nameOf = (text: string) => (world.twoPeople ? text.replace('walk/x', 'walk/two/x') : text)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(nameOf(params[name] as string)))
  const asked = new URLSearchParams(query)
  if (takesTable(routes[id]) && world.table !== 'leases') asked.set('table', world.table)
  if (!world.namesOwner && id === 'deleteLock') asked.delete('owner')
  const search = asked.toString().replaceAll('%24who', encodeURIComponent(username))
  const sent = world.table === 'cron' && id === 'putLock' ? { ttlSeconds: 2 } : body?.(username)
  const at = world.adminActions ? console : disabled
  const answer = await at.api(method, `${filled}${search && `?${search}`}`, sent, await headers())
  const code: string | undefined = answer.body?.code
  // These answers do not show what the permission is.
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
  const found = identity.expected(routes[id].permission)
  if (found !== 'allowed' || id !== 'deleteLock' || table !== 'cron') return found
  const { person } = identity
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
