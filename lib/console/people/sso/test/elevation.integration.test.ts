import { FakeClock } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import { routesOf } from '../../../start/handlers.ts'
import { cookieOf, password } from '../../../test/test-console.ts'
import { Attempts } from '../../sign-in/attempts.ts'
import type { Lie } from './test-liar.ts'
import { minuteAgoS, SsoWorld, sent } from './test-sso.ts'

const sso = new SsoWorld('elevation')

describe('an elevation', () => {
  const elevated = async (cookie: string) =>
    (await sso.console.api('GET', '/v1/session', undefined, { cookie })).body?.elevatedUntil ?? null

  it('is a new sign-in of the same person; the session gets another id', async () => {
    const { session: before } = await sso.signIn()
    const start = await sso.get('/v1/sso?elevate=true', before ?? '')
    expect(new URL(start.location).searchParams.get('prompt')).toBe('login')
    expect(new URL(start.location).searchParams.get('max_age')).toBe('0')
    const { session, location } = await sso.signIn('?elevate=true&next=/leases/x', before ?? '')
    expect(location).toBe('/leases/x')
    expect(session).not.toBe(before)
    expect(await elevated(session ?? '')).not.toBeNull()
    expect((await sso.console.api('GET', '/v1/session', undefined, { cookie: before ?? '' })).status).toBe(
      401,
    )
  })

  it.each<[string, Lie | (() => Lie)]>([
    ['when the provider asked the person long ago', () => ({ claims: { auth_time: minuteAgoS() } })],
    ['when the provider does not say when it asked', { without: ['auth_time'] }],
  ])('is refused %s', async (_, lie) => {
    const { session } = await sso.signIn()
    sso.liar.lie = typeof lie === 'function' ? lie() : lie
    await sso.refused('sso-not-fresh', () => sso.signIn('?elevate=true', session ?? ''))
    expect(await elevated(session ?? '')).toBeNull()
  })

  it('is refused to another person, without a session, and to a user with a password', async () => {
    const { session } = await sso.signIn()
    sso.liar.lie = { claims: { sub: 'subject-4', preferred_username: 'another', leasehold_role: 'admin' } }
    await sso.refused('sso-other-person', () => sso.signIn('?elevate=true', session ?? ''))
    expect(await elevated(session ?? '')).toBeNull()
    expect(await sso.context.users.find('another')).toBeNull()
    sso.liar.lie = {}
    await sso.refused('sso-other-person', () => sso.signIn('?elevate=true'))
    const local = await sso.console.api('POST', '/v1/session', { username: 'admin', password })
    await sso.refused('sso-other-person', () => sso.signIn('?elevate=true', cookieOf(local)))
  })

  it('is refused to a person whom the provider has made a viewer', async () => {
    const { session } = await sso.signIn()
    sso.liar.lie = { claims: { leasehold_role: 'viewer' } }
    await sso.refused('sso-not-allowed', () => sso.signIn('?elevate=true', session ?? ''))
  })
})

describe('made-up answers', () => {
  /** An answer to a flow of the guesser's own, with a code that the provider never gave. */
  const guess = async (query = '', cookie = '') => {
    const start = await sso.get(`/v1/sso${query}`)
    const state = new URL(start.location).searchParams.get('state')
    return sso.get(
      `/v1/sso/callback?state=${state}&code=x&iss=${encodeURIComponent(sso.liar.issuer)}`,
      `${sent(start)}; ${cookie}`,
    )
  }
  const tooMany = expect.stringContaining('/sign-in?error=sso-too-many-attempts')

  it('that belong to no flow are not counted, because any stranger can send them', async () => {
    for (let i = 0; i < 60; i++) await sso.get('/v1/sso/callback?state=made-up&code=x')
    await sso.refused('sso-expired', () => sso.get('/v1/sso/callback?state=made-up&code=x'))
    expect((await sso.signIn()).session).not.toBeNull()
  })

  it('with flows of their own make the next sign-on wait, use up no flow, and hold up no elevation', async () => {
    const clock = new FakeClock()
    const attempts = new Attempts(clock)
    sso.context = { ...sso.context, attempts, ...routesOf({ ...sso.context, attempts }) }
    const { session } = await sso.signIn()
    for (let i = 0; i < 50; i++) expect((await guess()).location).toContain('sso-invalid')
    const waiting = await sso.signIn()
    expect([waiting.location, waiting.cookies]).toEqual([tooMany, []])
    // The tries of a signed-in user are counted by session.
    expect((await sso.signIn('?elevate=true', session ?? '')).session).not.toBeNull()
    const again = (await sso.signIn('?elevate=true')).location
    expect(again).toEqual(tooMany)
    await clock.advance(1_000)
    const { pathname, search } = waiting.url
    expect((await sso.get(pathname + search, waiting.flow)).session).not.toBeNull()
  })

  it('to an elevation are counted for its session', async () => {
    // A clock that stands still: the sixth guess waits for the end of a second, which a busy machine may take for it.
    const attempts = new Attempts(new FakeClock())
    sso.context = { ...sso.context, attempts, ...routesOf({ ...sso.context, attempts }) }
    const { session } = await sso.signIn()
    for (let i = 0; i < 5; i++)
      expect((await guess('?elevate=true', session ?? '')).location).toContain('sso-invalid')
    expect((await guess('?elevate=true', session ?? '')).location).toEqual(tooMany)
    expect((await sso.signIn()).session).not.toBeNull()
  })
})
