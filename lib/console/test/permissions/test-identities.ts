/** For the walk over all routes: every caller that may ask, and what the table of routes says of them. */
import { FakeClock } from 'leasehold/testing'
import { roles } from '../../../contract/people/rights.ts'
import type { Permission } from '../../../contract/permission.ts'
import { log } from '../../http/log/log.ts'
import { peopleStatements } from '../../people/people-statements.ts'
import { Sessions } from '../../people/sessions/sessions.ts'
import { openSession, type TestConsole } from '../test-console.ts'

export type Found =
  | 'allowed'
  | 'unauthenticated'
  | 'forbidden'
  | 'elevation-needed'
  | 'wrong-origin'
  | 'bad-request'

export interface Identity {
  username: string
  /** Left out: a program, or no identity at all. */
  person?: { role: 'viewer' | 'operator' | 'admin'; elevated: boolean }
  /** What a request of theirs brings along; asked for each request. */
  headers(): Promise<Record<string, string>>
  /** What the table of routes says, for a request on the lease table with this id. */
  expected(permission: Permission, table?: string): Found
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
  (role: 'viewer' | 'client', inPrefix: 'walk' | 'all' | 'other', tables: string[]) =>
  (permission: Permission, table = 'leases'): Found => {
    const { programs } = permission
    if (isOpen(permission) || programs === 'any') return 'allowed'
    if (programs === 'never') return 'forbidden'
    const ofAll = 'scopedBy' in permission && permission.scopedBy === 'all'
    const inTable = tables.includes('*') || (!ofAll && tables.includes(table))
    const inScope = inPrefix === 'all' || (inPrefix === 'walk' && !ofAll)
    return (programs === 'viewer' || role === 'client') && inScope && inTable ? 'allowed' : 'forbidden'
  }

/** @param of the console that is asked, once it has started */
export function identitiesOn(of: () => TestConsole, keyspace: string): Record<string, Identity> {
  const cookie = (id: string) => ({ cookie: `leasehold-3000=${id}` })
  const open = (username: string) => openSession(of().context, username)
  const elevated = async (username: string) =>
    cookie((await of().context.sessions.elevate(await open(username)))?.id as string)
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
  const program = (
    name: string,
    role: 'viewer' | 'client',
    prefix: string,
    tables: string[] | undefined = ['*'],
  ): Identity => {
    let token: Promise<string> | undefined
    return {
      username: name,
      headers: async () => {
        token ??= of()
          .api('POST', '/v1/tokens', { name, role, prefixes: [prefix], tables })
          .then(({ body }) => body.token)
        return { cookie: '', origin: '', authorization: `Bearer ${await token}` }
      },
      expected: asProgram(role, prefix === '' ? 'all' : prefix === 'walk/' ? 'walk' : 'other', tables),
    }
  }

  return {
    nobody: { username: '', headers: async () => ({ cookie: '' }), expected: unknown },
    'a viewer': person('vera', 'viewer'),
    'an operator': person('otto', 'operator'),
    'an admin': person('admin', 'admin'),
    'an elevated operator': elevatedPerson('otto', 'operator'),
    'an elevated admin': elevatedPerson('admin', 'admin'),
    'a client in its prefix': program('in', 'client', 'walk/'),
    'a client out of its prefix': program('out', 'client', 'other/'),
    'a viewer’s token': program('looks', 'viewer', 'walk/'),
    'a viewer’s token of all names': program('looks-all', 'viewer', ''),
    'a client of the own table': program('own', 'client', 'walk/', ['leases']),
    'a client of another table': program('cron', 'client', 'walk/', ['cron']),
    'a viewer’s token of another table': program('looks-cron', 'viewer', 'walk/', ['cron']),
    'a client of two tables': program('two', 'client', 'walk/', ['cron', 'leases']),
    'a client of a table that is not there': program('gone', 'client', 'walk/', ['gone']),
    'a disabled user': {
      username: 'dora',
      headers: async () => cookie(await open('dora')),
      expected: unknown,
    },
    'a session that has expired': {
      username: 'admin',
      headers: async () => {
        const { session, users, rows } = of().context
        const clock = new FakeClock(Date.now() - 12 * 60 * 60 * 1000)
        const statements = peopleStatements(keyspace, session.serial)
        const past = new Sessions({ session, statements, users, rows, log, clock })
        return cookie(await openSession({ sessions: past, users }, 'admin'))
      },
      expected: unknown,
    },
    'a token that was revoked': {
      username: 'revoked',
      headers: async () => {
        const { body } = await of().api('POST', '/v1/tokens', { name: 'revoked', prefixes: [''] })
        await of().api('DELETE', `/v1/tokens/${body.id}`)
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
}
