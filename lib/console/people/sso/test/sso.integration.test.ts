import { describe, expect, it } from 'vitest'
import { password, testOrigin } from '../../../test/test-console.ts'
import { clientId } from './test-liar.ts'
import { type Got, SsoWorld, sent } from './test-sso.ts'

const sso = new SsoWorld('honest')

describe('an honest provider', () => {
  it('signs a person in, once, and leads to the page that was asked for', async () => {
    const { status, location, session, cookies, url, flow } = await sso.signIn('?next=%2Fleases%2Fa%252Fb')
    expect({ status, location }).toEqual({ status: 302, location: '/leases/a%2Fb' })
    const { body } = await sso.console.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(body).toMatchObject({
      username: 'operator-sso',
      role: 'operator',
      via: 'sso',
      elevatedUntil: null,
    })
    const flowCookie = cookies.find((each) => each.startsWith('leasehold-sso-'))
    expect(flowCookie).toMatch(/=; Path=\/v1\/sso; HttpOnly; SameSite=Lax; Max-Age=0$/)
    // The same answer a second time is refused, even in a browser that kept the cookie.
    await sso.refused('sso-expired', () => sso.get(url.pathname + url.search, flow))
  })

  it('gets a request by PKCE, with a state and a nonce that differ each time', async () => {
    const [one, two] = [await sso.get('/v1/sso'), await sso.get('/v1/sso')].map(
      ({ location }) => new URL(location).searchParams,
    ) as [URLSearchParams, URLSearchParams]
    expect(Object.fromEntries(one)).toMatchObject({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: `${testOrigin}/v1/sso/callback`,
      code_challenge_method: 'S256',
    })
    expect(one.get('scope')).toContain('openid')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.get(name)?.length).toBeGreaterThanOrEqual(43)
      expect(one.get(name)).not.toBe(two.get(name))
    }
    expect(one.has('prompt')).toBe(false)
  })

  it('may put the role into userinfo alone', async () => {
    sso.liar.lie = { without: ['leasehold_role'], userinfo: { leasehold_role: ['viewer', 'admin'] } }
    const { session } = await sso.signIn()
    const { body } = await sso.console.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(body.role).toBe('admin')
  })

  it('may put the name into userinfo too', async () => {
    sso.liar.lie = {
      without: ['preferred_username'],
      claims: { sub: 'subject-9', leasehold_role: 'viewer' },
      userinfo: { sub: 'subject-9', preferred_username: 'ninth', leasehold_role: 'admin' },
    }
    const { session } = await sso.signIn()
    const { body } = await sso.console.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    // The ID token's role counts before that of userinfo.
    expect(body).toMatchObject({ username: 'ninth', role: 'viewer' })
  })

  it('serves several tabs at the same time, in any order', async () => {
    const [one, two] = [await sso.get('/v1/sso?next=/%3Ftab=1'), await sso.get('/v1/sso?next=/%3Ftab=2')]
    const jar = `${sent(one)}; ${sent(two)}`
    const backOf = (start: Got) => {
      const { pathname, search } = sso.liar.authorize(start.location)
      return pathname + search
    }
    expect((await sso.get(backOf(two), jar)).location).toBe('/?tab=2')
    expect((await sso.get(backOf(one), jar)).location).toBe('/?tab=1')
  })

  it('names the role at each sign-in, and open sessions get the new role', async () => {
    const { session } = await sso.signIn()
    sso.liar.lie = { claims: { leasehold_role: 'viewer' } }
    await sso.signIn()
    const { body } = await sso.console.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(body.role).toBe('viewer')
  })
})

describe('a provider that is down', () => {
  it('does not stop a sign-in by password, and is asked again at the next sign-on', async () => {
    sso.liar.down = true
    expect((await sso.get('/v1/sso?next=/leases/x')).location).toBe(
      '/sign-in?error=sso-unavailable&next=%2Fleases%2Fx',
    )
    const { status } = await sso.console.api('POST', '/v1/session', { username: 'admin', password })
    expect(status).toBe(200)
    sso.liar.down = false
    expect((await sso.signIn()).session).not.toBeNull()
  })

  it('is reported when it goes down between the two halves of a sign-on', async () => {
    const start = await sso.get('/v1/sso')
    const { pathname, search } = sso.liar.authorize(start.location)
    sso.liar.down = true
    await sso.refused('sso-unavailable', () => sso.get(pathname + search, sent(start)))
  })
})

describe('a person', () => {
  it('without a role of ours is refused', async () => {
    for (const leasehold_role of ['root', [], null, 7]) {
      sso.liar.lie = { claims: { leasehold_role } }
      await sso.refused('sso-no-role', () => sso.signIn())
    }
  })

  it('with the name of a user with a password, or of the first admin, is refused', async () => {
    await sso.context.users.create('local', password, 'admin')
    for (const preferred_username of ['local', 'admin']) {
      sso.liar.lie = { claims: { sub: 'subject-10', preferred_username, leasehold_role: 'admin' } }
      await sso.refused('sso-name-taken', () => sso.signIn())
    }
  })

  it('is known by issuer and subject: another subject of the same name is refused', async () => {
    await sso.signIn()
    sso.liar.lie = { claims: { sub: 'subject-2', leasehold_role: 'admin' } }
    await sso.refused('sso-name-taken', () => sso.signIn())
    expect((await sso.context.users.find('operator-sso'))?.role).not.toBe('admin')
  })

  it('who is disabled here is refused, and open sessions end', async () => {
    const person = { sub: 'subject-3', preferred_username: 'leaver' }
    sso.liar.lie = { claims: person }
    const { session } = await sso.signIn()
    await sso.context.users.change('leaver', { disabled: true })
    await sso.refused('sso-disabled', () => sso.signIn())
    const { status } = await sso.console.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(status).toBe(401)
  })

  it('with two accounts still signs in when the one that sign-ins do not use is disabled', async () => {
    const { users } = sso.context
    const twins = { sub: 'subject-twins', preferred_username: 'twin' }
    sso.liar.lie = { claims: twins }
    await sso.signIn()
    const first = await users.find('twin')
    // As another instance makes one that has not seen the first: it restores one of the same subject.
    await users.restoreSso({ username: 'twin-2', role: 'operator', subject: first?.subject ?? '' }, 'admin')
    await users.change('twin-2', { disabled: true })
    expect((await sso.signIn()).session).not.toBeNull()
    await users.change('twin', { disabled: true })
    await sso.refused('sso-disabled', () => sso.signIn())
  })

  it('who is disabled here is refused under another name of the provider too', async () => {
    sso.liar.lie = { claims: { sub: 'subject-5', preferred_username: 'before' } }
    await sso.signIn()
    await sso.context.users.change('before', { disabled: true })
    sso.liar.lie = { claims: { sub: 'subject-5', preferred_username: 'after' } }
    await sso.refused('sso-disabled', () => sso.signIn())
    expect(await sso.context.users.find('after')).toBeNull()
  })

  it('whose name changes at the provider keeps the account, and its name here', async () => {
    sso.liar.lie = { claims: { sub: 'subject-6', preferred_username: 'maiden' } }
    await sso.signIn()
    sso.liar.lie = { claims: { sub: 'subject-6', preferred_username: 'married' } }
    const { session } = await sso.signIn()
    const { body } = await sso.console.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(body.username).toBe('maiden')
    expect(await sso.context.users.find('married')).toBeNull()
    // An elevation is of the same person, whatever the name is by then.
    sso.liar.lie = { claims: { sub: 'subject-6', preferred_username: 'third' } }
    expect((await sso.signIn('?elevate=true', session ?? '')).location).toBe('/')
  })

  it('whose name has invisible characters, or is too long, is refused', async () => {
    for (const preferred_username of ['two\nlines', 'x'.repeat(129), ' padded']) {
      sso.liar.lie = { claims: { preferred_username } }
      await sso.refused('sso-no-name', () => sso.signIn())
    }
  })
})

it('single sign-on that is not configured answers 404', async () => {
  sso.context = { ...sso.console.context, sso: null }
  expect((await sso.get('/v1/sso')).status).toBe(404)
  expect((await sso.get('/v1/sso/callback')).status).toBe(404)
})
