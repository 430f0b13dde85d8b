import { FakeClock } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../contract/people/session.ts'
import { routes } from '../../contract/routes.ts'
import { bearerOf, type CredentialChecks, identify, permit, scopedTo } from './authorise.ts'

const viewer: Session = {
  username: 'vera',
  role: 'viewer',
  via: 'password',
  elevatedUntil: null,
} as Session

const checks = (found: { session?: Session; program?: Session }): CredentialChecks => ({
  sessions: { find: async () => found.session ?? null },
  apiTokens: { find: async () => found.program ?? null },
})

describe('identify', () => {
  it('checks the token alone when there is one: a valid session beside it does not count', async () => {
    const both = { bearer: 'token', sessionId: 'id' }
    await expect(identify(both, checks({ session: viewer }))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(await identify(both, checks({ program: viewer }))).toBe(viewer)
  })

  it('says how to sign in when a request has no credentials', async () => {
    const none = { bearer: null, sessionId: null }
    await expect(identify(none, checks({}))).rejects.toMatchObject({
      code: 'unauthenticated',
      headers: { 'WWW-Authenticate': 'Bearer realm="leasehold"' },
    })
  })
})

describe('permit', () => {
  it('lets a viewer read, and names the role that a change needs', () => {
    expect(() => permit(routes.listLeases.permission, viewer, new FakeClock())).not.toThrow()
    expect(() => permit(routes.putLock.permission, viewer, new FakeClock(), { name: 'x' })).toThrow(
      /needs the role operator; vera is viewer/,
    )
  })

  it('ends an elevation by the clock of its caller, whatever the clock of the machine says', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1))
    const admin: Session = { ...viewer, role: 'admin', elevatedUntil: '2026-01-01T00:10:00.000Z' }
    const permitted = () => permit(routes.createUser.permission, admin, clock)
    await clock.advance(10 * 60_000 - 1)
    expect(permitted).not.toThrow()
    await clock.advance(1)
    expect(permitted).toThrow(/Confirm that it is you first/)
  })
})

it('reads a token from its header, and from nothing that looks like one', () => {
  const of = (authorization: string) => bearerOf(new Request('http://x', { headers: { authorization } }))
  expect(of('Bearer abc')).toBe('abc')
  expect(of('bearer   abc ')).toBe('abc')
  for (const other of ['Basic abc', 'Bearer', 'Bearer a b', 'abc']) expect(of(other)).toBeNull()
})

it("applies a token's scope to the name in the path, or the prefix in the query, and to the table", () => {
  const query = new URLSearchParams('prefix=jobs/')
  expect(scopedTo(routes.putLock, { name: 'a/b' }, query)).toEqual({ name: 'a/b' })
  expect(scopedTo(routes.listLeases, {}, query)).toEqual({ name: 'jobs/' })
  for (const route of [routes.listLeases, routes.watch])
    expect(scopedTo(route, {}, new URLSearchParams('prefix=jobs/&name=theirs'))).toEqual({ name: 'theirs' })
  expect(scopedTo(routes.watch, {}, new URLSearchParams('prefix=jobs/&name='))).toEqual({ name: '' })
  expect(scopedTo(routes.listLeases, {}, new URLSearchParams('table=cron'))).toEqual({
    name: '',
    table: 'cron',
  })
  expect(scopedTo(routes.getSession, {}, query)).toEqual({})
})
