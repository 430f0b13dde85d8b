import { FakeClock } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import { clientId, type Lie } from './test-liar.ts'
import { minuteAgoS, SsoWorld, sent } from './test-sso.ts'

const sso = new SsoWorld('lies')

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
  ['no signature', 'sso-invalid', { signedBy: 'none' }],
  ['an end that is past', 'sso-invalid', () => ({ claims: { exp: minuteAgoS() } })],
  ['no end', 'sso-invalid', { without: ['exp'] }],
  ['a beginning that is to come', 'sso-invalid', () => ({ claims: { nbf: minuteAgoS() + 120 } })],
  ['no subject', 'sso-invalid', { without: ['sub'] }],
  ['no ID token at all', 'sso-invalid', { noIdToken: true }],
  [
    'userinfo of another subject',
    'sso-invalid',
    { without: ['leasehold_role'], userinfo: { sub: 'subject-2', leasehold_role: 'admin' } },
  ],
]

describe('a provider that lies', () => {
  it.each(lies)('with %s is refused', async (_, code, lie) => {
    sso.liar.lie = typeof lie === 'function' ? lie() : lie
    await sso.refused(code, () => sso.signIn())
  })

  it('about its issuer gets no further request', async () => {
    sso.liar.lie = { discovery: { issuer: 'https://evil.example' } }
    expect((await sso.get('/v1/sso')).location).toBe('/sign-in?error=sso-unavailable')
    expect(sso.liar.asked).toEqual(['/.well-known/openid-configuration'])
  })
})

describe('an answer that does not fit', () => {
  /** Begins a sign-on, and changes the answer on its way back. */
  const led = async (change: (url: URL, flow: string) => string | undefined) => {
    const start = await sso.get('/v1/sso')
    const url = sso.liar.authorize(start.location)
    const flow = change(url, sent(start)) ?? sent(start)
    return sso.get(url.pathname + url.search, flow)
  }

  it('with another state', () =>
    sso.refused('sso-expired', () =>
      led((url) => {
        url.searchParams.set('state', 'another')
        return undefined
      }),
    ))

  it('with no state', () =>
    sso.refused('sso-expired', () =>
      led((url) => {
        url.searchParams.delete('state')
        return undefined
      }),
    ))

  it('in a browser that did not begin', () => sso.refused('sso-expired', () => led(() => '')))

  it('with a cookie that was changed', () =>
    sso.refused('sso-expired', () =>
      led((_, flow) => `${flow.slice(0, -2)}${flow.endsWith('AA') ? 'BB' : 'AA'}`),
    ))

  it('with the cookie of another flow under its name', async () => {
    const other = sent(await sso.get('/v1/sso')).split('=')[1]
    await sso.refused('sso-expired', () => led((_, flow) => `${flow.split('=')[0]}=${other}`))
  })

  it('said to be from another issuer', () =>
    sso.refused('sso-invalid', () =>
      led((url) => {
        url.searchParams.set('iss', 'https://evil.example')
        return undefined
      }),
    ))

  it('with the code of another flow, which has another verifier', async () => {
    const stolen = sso.liar.authorize((await sso.get('/v1/sso')).location).searchParams.get('code') ?? ''
    const inject = () =>
      led((url) => {
        url.searchParams.set('code', stolen)
        return undefined
      })
    await sso.refused('sso-invalid', inject)
    // Also where the provider does not check verifiers: the nonce differs.
    sso.liar.lie = { anyCode: true }
    await sso.refused('sso-invalid', inject)
  })

  it('with a code that was used', async () => {
    const { url } = await sso.signIn()
    await sso.refused('sso-invalid', () =>
      led((again) => {
        again.searchParams.set('code', url.searchParams.get('code') ?? '')
        return undefined
      }),
    )
  })

  it('that is an error of the provider', () =>
    sso.refused('sso-refused', () =>
      led((url) => {
        url.searchParams.delete('code')
        url.searchParams.set('error', 'access_denied')
        return undefined
      }),
    ))

  it('after ten minutes', async () => {
    const clock = new FakeClock(Date.now())
    sso.context = sso.contextWith({}, clock)
    const start = await sso.get('/v1/sso')
    const { pathname, search } = sso.liar.authorize(start.location)
    await clock.advance(10 * 60_000)
    await sso.refused('sso-expired', () => sso.get(pathname + search, sent(start)))
  })

  it('from a provider that refuses our secret', async () => {
    sso.context = sso.contextWith({ clientSecret: 'another' })
    await sso.refused('sso-invalid', () => sso.signIn())
  })
})
