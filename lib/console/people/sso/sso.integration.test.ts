import { FakeClock } from 'leasehold/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestLimits } from '../../http/limits/request-limits.ts'
import { serve } from '../../http/router.ts'
import type { ConsoleContext } from '../../start/context.ts'
import { routesOf } from '../../start/handlers.ts'
import { cookieOf, password, type TestConsole, testConsole, testOrigin } from '../../test/test-console.ts'
import { Attempts } from '../sign-in/attempts.ts'
import { createSso } from './sso.ts'
import type { SsoConfig } from './sso-config.ts'
import { clientId, clientSecret, type Liar, type Lie, startLiar } from './test-liar.ts'

let liar: Liar
let console_: TestConsole
let context: ConsoleContext

beforeAll(async () => {
  liar = await startLiar()
  console_ = await testConsole(`sso_${process.pid}`, { PUBLIC_URL: testOrigin })
})
afterAll(async () => {
  await liar.stop()
  console_.context.close()
  await console_.context.session.close()
})
beforeEach(() => {
  liar.lie = {}
  liar.down = false
  liar.asked = []
  context = contextWith()
})

afterEach(() => void vi.restoreAllMocks())

/** The console, with a memory of its own of what it discovered and of who tried. */
function contextWith(sso: Partial<SsoConfig> = {}, clock = console_.context.clock): ConsoleContext {
  const config = {
    ...console_.context.config,
    sso: {
      issuer: new URL(liar.issuer),
      clientId,
      clientSecret,
      roleClaim: 'leasehold_role',
      nameClaim: null,
      label: 'Test',
      ...sso,
    },
  }
  const limits = { attempts: new Attempts(clock), requestLimits: new RequestLimits(console_.context.log) }
  const services = { ...console_.context, config, sso: createSso(config, clock), ...limits }
  return { ...services, ...routesOf(services) }
}

interface Got {
  status: number
  location: string
  /** `name=value` of each cookie that was set, and of each that was ended. */
  cookies: string[]
  session: string | null
}

async function get(path: string, cookie = ''): Promise<Got> {
  const request = new Request(testOrigin + path, { headers: { cookie } })
  const response = await serve(request, context)
  const cookies = response.headers.getSetCookie()
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    cookies,
    session: cookies.find((each) => each.startsWith('leasehold-3000='))?.split(';')[0] ?? null,
  }
}

const sent = ({ cookies }: Got) => cookies.map((cookie) => cookie.split(';')[0]).join('; ')

/** From the button to where the browser ends. */
async function signIn(query = '', cookie = ''): Promise<Got & { url: URL; flow: string }> {
  const start = await get(`/v1/sso${query}`, cookie)
  expect(start.status).toBe(302)
  const url = liar.authorize(start.location)
  const flow = sent(start)
  return { ...(await get(url.pathname + url.search, `${flow}; ${cookie}`)), url, flow }
}

/** Refused with this code, and nobody was let in. */
async function refused(code: string, work: () => Promise<Got>): Promise<void> {
  const opened = vi.spyOn(context.sessions, 'open')
  const elevated = vi.spyOn(context.sessions, 'elevate')
  const audited = vi.spyOn(context.audit, 'appendUntilWritten')
  for (const spy of [opened, elevated, audited]) spy.mockClear()
  const { status, location, session } = await work()
  expect({ status, location, session }).toEqual({
    status: 302,
    location: expect.stringMatching(new RegExp(`^/sign-in\\?error=${code}(&next=|$)`)),
    session: null,
  })
  expect(opened).not.toHaveBeenCalled()
  expect(elevated).not.toHaveBeenCalled()
  expect(audited.mock.calls.map(([{ outcome }]) => outcome)).toContain('refused')
}

describe('an honest provider', () => {
  it('lets somebody in, once, on the page that was asked for', async () => {
    const { status, location, session, cookies, url, flow } = await signIn('?next=%2Fleases%2Fa%252Fb')
    expect({ status, location }).toEqual({ status: 302, location: '/leases/a%2Fb' })
    const { body } = await console_.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(body).toMatchObject({
      username: 'operator-sso',
      role: 'operator',
      via: 'sso',
      elevatedUntil: null,
    })
    const flowCookie = cookies.find((each) => each.startsWith('leasehold-sso-'))
    expect(flowCookie).toMatch(/=; Path=\/v1\/sso; HttpOnly; SameSite=Lax; Max-Age=0$/)
    // The same answer again, even in a browser that kept the cookie.
    await refused('sso-expired', () => get(url.pathname + url.search, flow))
  })

  it('is asked by PKCE, with a state and a nonce that are never the same', async () => {
    const [one, two] = [await get('/v1/sso'), await get('/v1/sso')].map(
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
    liar.lie = { without: ['leasehold_role'], userinfo: { leasehold_role: ['viewer', 'admin'] } }
    const { session } = await signIn()
    const { body } = await console_.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(body.role).toBe('admin')
  })

  it('may put the name there too', async () => {
    liar.lie = {
      without: ['preferred_username'],
      claims: { sub: 'subject-9', leasehold_role: 'viewer' },
      userinfo: { sub: 'subject-9', preferred_username: 'ninth', leasehold_role: 'admin' },
    }
    const { session } = await signIn()
    const { body } = await console_.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    // What the ID token says goes before.
    expect(body).toMatchObject({ username: 'ninth', role: 'viewer' })
  })

  it('serves several tabs at the same time, in any order', async () => {
    const [one, two] = [await get('/v1/sso?next=/%3Ftab=1'), await get('/v1/sso?next=/%3Ftab=2')]
    const jar = `${sent(one)}; ${sent(two)}`
    const backOf = (start: Got) => {
      const { pathname, search } = liar.authorize(start.location)
      return pathname + search
    }
    expect((await get(backOf(two), jar)).location).toBe('/?tab=2')
    expect((await get(backOf(one), jar)).location).toBe('/?tab=1')
  })

  it('says the role anew at each sign-in, and a session that is open follows', async () => {
    const { session } = await signIn()
    liar.lie = { claims: { leasehold_role: 'viewer' } }
    await signIn()
    const { body } = await console_.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(body.role).toBe('viewer')
  })
})

const minuteAgoS = () => Math.floor(Date.now() / 1000) - 60

const lies: [string, string, Lie | (() => Lie)][] = [
  ['another issuer', 'sso-invalid', { claims: { iss: 'https://evil.example' } }],
  ['another nonce', 'sso-invalid', { claims: { nonce: 'another' } }],
  ['no nonce', 'sso-invalid', { without: ['nonce'] }],
  ['another audience', 'sso-invalid', { claims: { aud: 'another-client' } }],
  [
    'an audience with others, said to be for one of them',
    'sso-invalid',
    { claims: { aud: [clientId, 'x'], azp: 'x' } },
  ],
  ['no audience', 'sso-invalid', { without: ['aud'] }],
  ['a signature by another key', 'sso-invalid', { signedBy: 'another-key' }],
  ['a signature by the client’s secret', 'sso-invalid', { signedBy: 'client-secret' }],
  ['no signature', 'sso-invalid', { signedBy: 'nobody' }],
  ['an end that is past', 'sso-invalid', () => ({ claims: { exp: minuteAgoS() } })],
  ['no end', 'sso-invalid', { without: ['exp'] }],
  ['a beginning that is to come', 'sso-invalid', () => ({ claims: { nbf: minuteAgoS() + 120 } })],
  ['no subject', 'sso-invalid', { without: ['sub'] }],
  ['no ID token at all', 'sso-invalid', { noIdToken: true }],
  [
    'userinfo of somebody else',
    'sso-invalid',
    { without: ['leasehold_role'], userinfo: { sub: 'subject-2', leasehold_role: 'admin' } },
  ],
]

describe('a provider that lies', () => {
  it.each(lies)('with %s: nobody is let in', async (_, code, lie) => {
    liar.lie = typeof lie === 'function' ? lie() : lie
    await refused(code, () => signIn())
  })

  it('about who it is: it is not asked any further', async () => {
    liar.lie = { discovery: { issuer: 'https://evil.example' } }
    expect((await get('/v1/sso')).location).toBe('/sign-in?error=sso-unavailable')
    expect(liar.asked).toEqual(['/.well-known/openid-configuration'])
  })
})

describe('an answer that does not fit', () => {
  /** Begins, is led back, and something happens to it on the way. */
  const led = async (change: (url: URL, flow: string) => string | undefined) => {
    const start = await get('/v1/sso')
    const url = liar.authorize(start.location)
    const flow = change(url, sent(start)) ?? sent(start)
    return get(url.pathname + url.search, flow)
  }

  it('with another state', () =>
    refused('sso-expired', () =>
      led((url) => {
        url.searchParams.set('state', 'another')
        return undefined
      }),
    ))

  it('with no state', () =>
    refused('sso-expired', () =>
      led((url) => {
        url.searchParams.delete('state')
        return undefined
      }),
    ))

  it('in a browser that did not begin', () => refused('sso-expired', () => led(() => '')))

  it('with a cookie that was changed', () =>
    refused('sso-expired', () =>
      led((_, flow) => `${flow.slice(0, -2)}${flow.endsWith('AA') ? 'BB' : 'AA'}`),
    ))

  it('with the cookie of another flow under its name', async () => {
    const other = sent(await get('/v1/sso')).split('=')[1]
    await refused('sso-expired', () => led((_, flow) => `${flow.split('=')[0]}=${other}`))
  })

  it('said to be from another issuer', () =>
    refused('sso-invalid', () =>
      led((url) => {
        url.searchParams.set('iss', 'https://evil.example')
        return undefined
      }),
    ))

  it('with the code of another flow, which has another verifier', async () => {
    const stolen = liar.authorize((await get('/v1/sso')).location).searchParams.get('code') ?? ''
    const inject = () =>
      led((url) => {
        url.searchParams.set('code', stolen)
        return undefined
      })
    await refused('sso-invalid', inject)
    // Even where the provider does not look at verifiers: the nonce is another one.
    liar.lie = { anyCode: true }
    await refused('sso-invalid', inject)
  })

  it('with a code that was used', async () => {
    const { url } = await signIn()
    await refused('sso-invalid', () =>
      led((again) => {
        again.searchParams.set('code', url.searchParams.get('code') ?? '')
        return undefined
      }),
    )
  })

  it('that is a no', () =>
    refused('sso-refused', () =>
      led((url) => {
        url.searchParams.delete('code')
        url.searchParams.set('error', 'access_denied')
        return undefined
      }),
    ))

  it('after ten minutes', async () => {
    const clock = new FakeClock(Date.now())
    context = contextWith({}, clock)
    const start = await get('/v1/sso')
    const { pathname, search } = liar.authorize(start.location)
    await clock.advance(10 * 60_000)
    await refused('sso-expired', () => get(pathname + search, sent(start)))
  })

  it('from a provider that does not take our secret', async () => {
    context = contextWith({ clientSecret: 'another' })
    await refused('sso-invalid', () => signIn())
  })
})

describe('a provider that is down', () => {
  it('stops nobody with a password, and is asked again by the next who comes', async () => {
    liar.down = true
    expect((await get('/v1/sso?next=/leases/x')).location).toBe(
      '/sign-in?error=sso-unavailable&next=%2Fleases%2Fx',
    )
    const { status } = await console_.api('POST', '/v1/session', { username: 'admin', password })
    expect(status).toBe(200)
    liar.down = false
    expect((await signIn()).session).not.toBeNull()
  })

  it('between the two halves', async () => {
    const start = await get('/v1/sso')
    const { pathname, search } = liar.authorize(start.location)
    liar.down = true
    await refused('sso-unavailable', () => get(pathname + search, sent(start)))
  })
})

describe('who it is', () => {
  it('is nobody without a role of ours', async () => {
    for (const leasehold_role of ['root', [], null, 7]) {
      liar.lie = { claims: { leasehold_role } }
      await refused('sso-no-role', () => signIn())
    }
  })

  it('is nobody who has a password here, nor the first admin, whatever they are called', async () => {
    await context.users.create('local', password, 'admin')
    for (const preferred_username of ['local', 'admin']) {
      liar.lie = { claims: { preferred_username, leasehold_role: 'admin' } }
      await refused('sso-name-taken', () => signIn())
    }
  })

  it('is issuer and subject: another one of the same name is somebody else', async () => {
    await signIn()
    liar.lie = { claims: { sub: 'subject-2', leasehold_role: 'admin' } }
    await refused('sso-name-taken', () => signIn())
    expect((await context.users.find('operator-sso'))?.role).not.toBe('admin')
  })

  it('is nobody who is disabled here', async () => {
    const person = { sub: 'subject-3', preferred_username: 'leaver' }
    liar.lie = { claims: person }
    const { session } = await signIn()
    await context.users.change('leaver', { disabled: true })
    await refused('sso-disabled', () => signIn())
    const { status } = await console_.api('GET', '/v1/session', undefined, { cookie: session ?? '' })
    expect(status).toBe(401)
  })

  it('has a name that people can read', async () => {
    for (const preferred_username of ['two\nlines', 'x'.repeat(129), ' padded']) {
      liar.lie = { claims: { preferred_username } }
      await refused('sso-no-name', () => signIn())
    }
  })
})

describe('an elevation', () => {
  const elevated = async (cookie: string) =>
    (await console_.api('GET', '/v1/session', undefined, { cookie })).body?.elevatedUntil ?? null

  it('is another sign-in of the same person, just now; the session gets another id', async () => {
    const { session: before } = await signIn()
    const start = await get('/v1/sso?elevate=true', before ?? '')
    expect(new URL(start.location).searchParams.get('prompt')).toBe('login')
    expect(new URL(start.location).searchParams.get('max_age')).toBe('0')
    const { session, location } = await signIn('?elevate=true&next=/leases/x', before ?? '')
    expect(location).toBe('/leases/x')
    expect(session).not.toBe(before)
    expect(await elevated(session ?? '')).not.toBeNull()
    expect((await console_.api('GET', '/v1/session', undefined, { cookie: before ?? '' })).status).toBe(401)
  })

  it.each<[string, Lie | (() => Lie)]>([
    ['when the provider asked long ago', () => ({ claims: { auth_time: minuteAgoS() } })],
    ['when it does not say when', { without: ['auth_time'] }],
  ])('is refused %s', async (_, lie) => {
    const { session } = await signIn()
    liar.lie = typeof lie === 'function' ? lie() : lie
    await refused('sso-not-fresh', () => signIn('?elevate=true', session ?? ''))
    expect(await elevated(session ?? '')).toBeNull()
  })

  it('is refused to somebody else, to nobody, and to whoever has a password here', async () => {
    const { session } = await signIn()
    liar.lie = { claims: { sub: 'subject-4', preferred_username: 'another', leasehold_role: 'admin' } }
    await refused('sso-other-person', () => signIn('?elevate=true', session ?? ''))
    expect(await elevated(session ?? '')).toBeNull()
    expect(await context.users.find('another')).toBeNull()
    liar.lie = {}
    await refused('sso-other-person', () => signIn('?elevate=true'))
    const local = await console_.api('POST', '/v1/session', { username: 'admin', password })
    await refused('sso-other-person', () => signIn('?elevate=true', cookieOf(local)))
  })

  it('is refused to who is a viewer by now', async () => {
    const { session } = await signIn()
    liar.lie = { claims: { leasehold_role: 'viewer' } }
    await refused('sso-not-allowed', () => signIn('?elevate=true', session ?? ''))
  })
})

it('is not there where it is not configured', async () => {
  context = { ...console_.context, sso: null }
  expect((await get('/v1/sso')).status).toBe(404)
  expect((await get('/v1/sso/callback')).status).toBe(404)
})

describe('answers that are made up', () => {
  /** With a flow of their own, and a code that the provider never gave. */
  const guess = async (query = '', cookie = '') => {
    const start = await get(`/v1/sso${query}`)
    const state = new URL(start.location).searchParams.get('state')
    return get(
      `/v1/sso/callback?state=${state}&code=x&iss=${encodeURIComponent(liar.issuer)}`,
      `${sent(start)}; ${cookie}`,
    )
  }
  const tooMany = expect.stringContaining('/sign-in?error=sso-too-many-attempts')

  it('hold up nobody when they belong to no flow: anybody can send them', async () => {
    for (let i = 0; i < 60; i++) await get('/v1/sso/callback?state=made-up&code=x')
    await refused('sso-expired', () => get('/v1/sso/callback?state=made-up&code=x'))
    expect((await signIn()).session).not.toBeNull()
  })

  it('make who begins flows for them wait, which uses up no flow; and hold up no elevation', async () => {
    const clock = new FakeClock()
    const attempts = new Attempts(clock)
    context = { ...context, attempts, ...routesOf({ ...context, attempts }) }
    const { session } = await signIn()
    for (let i = 0; i < 50; i++) expect((await guess()).location).toContain('sso-invalid')
    const waiting = await signIn()
    expect([waiting.location, waiting.cookies]).toEqual([tooMany, []])
    // Somebody who is signed in is counted by their session.
    expect((await signIn('?elevate=true', session ?? '')).session).not.toBeNull()
    const again = (await signIn('?elevate=true')).location
    expect(again).toEqual(tooMany)
    await clock.advance(1_000)
    const { pathname, search } = waiting.url
    expect((await get(pathname + search, waiting.flow)).session).not.toBeNull()
  })

  it('to an elevation count for its session', async () => {
    const { session } = await signIn()
    for (let i = 0; i < 5; i++)
      expect((await guess('?elevate=true', session ?? '')).location).toContain('sso-invalid')
    expect((await guess('?elevate=true', session ?? '')).location).toEqual(tooMany)
    expect((await signIn()).session).not.toBeNull()
  })
})
