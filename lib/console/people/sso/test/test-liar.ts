/** For tests alone: a provider that is honest but for one thing. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { wholeBody } from '../../../../leasehold/test/whole-body.ts'

export const clientId = 'leasehold-test'
export const clientSecret = 'a secret of the test, 32 bytes long'

/** What the provider says of a person, and where it lies. Empty: it is honest. */
export interface Lie {
  claims?: Record<string, unknown>
  /** Claims that the ID token lacks. */
  without?: string[]
  /** By an unknown key, by the client's own secret, or not at all. */
  signedBy?: 'another-key' | 'client-secret' | 'none'
  noIdToken?: boolean
  discovery?: Record<string, unknown>
  userinfo?: Record<string, unknown>
  /** A code is good more than once, and for any verifier. */
  anyCode?: boolean
}

export interface Liar {
  issuer: string
  lie: Lie
  /** The person at the provider presses the button: where the browser is led back to. */
  authorize(url: string): URL
  /** While true, it answers nothing but 503. */
  down: boolean
  asked: string[]
  stop(): Promise<void>
}

export async function startLiar(): Promise<Liar> {
  const key = await generateKeyPair('RS256')
  const another = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, URLSearchParams>()

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0] ?? ''
    liar.asked.push(path)
    const [status, body] = liar.down ? [503, { error: 'down' }] : await answer(path, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  // A promise that rejects and that no code awaits ends the process of all tests.
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const liar: Liar = {
    issuer,
    lie: {},
    down: false,
    asked: [],
    authorize: (url) => {
      const asked = new URL(url).searchParams
      const code = randomBytes(12).toString('base64url')
      codes.set(code, asked)
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer }))
      return back
    },
    stop: () => new Promise((done) => server.close(() => done())),
  }

  async function answer(path: string, request: IncomingMessage): Promise<[number, unknown]> {
    if (path === '/.well-known/openid-configuration') return [200, { ...discovery(), ...liar.lie.discovery }]
    if (path === '/jwks') return [200, { keys: [jwk] }]
    if (path === '/userinfo') return [200, { sub: 'subject-1', ...liar.lie.userinfo }]
    return path === '/token' ? token(new URLSearchParams(await wholeBody(request))) : [404, {}]
  }

  const discovery = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    authorization_response_iss_parameter_supported: true,
  })

  async function token(body: URLSearchParams): Promise<[number, unknown]> {
    const asked = codes.get(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const fits = asked?.get('code_challenge') === challenge && asked.get('code_challenge_method') === 'S256'
    if (asked === undefined || !(fits || liar.lie.anyCode)) return [400, { error: 'invalid_grant' }]
    if (body.get('client_secret') !== clientSecret) return [401, { error: 'invalid_client' }]
    if (!liar.lie.anyCode) codes.delete(body.get('code') ?? '')
    const nowS = Math.floor(Date.now() / 1000)
    const claims: Record<string, unknown> = {
      iss: issuer,
      sub: 'subject-1',
      aud: clientId,
      nonce: asked.get('nonce'),
      iat: nowS,
      exp: nowS + 60,
      preferred_username: 'operator-sso',
      leasehold_role: 'operator',
      auth_time: asked.has('max_age') ? nowS : undefined,
      ...liar.lie.claims,
    }
    for (const name of liar.lie.without ?? []) delete claims[name]
    return [
      200,
      {
        access_token: 'opaque',
        token_type: 'Bearer',
        expires_in: 60,
        id_token: liar.lie.noIdToken ? undefined : await idToken(claims),
      },
    ]
  }

  function idToken(claims: Record<string, unknown>): string | Promise<string> {
    const sign = (alg: string, by: CryptoKey | Uint8Array) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' }).sign(by)
    switch (liar.lie.signedBy) {
      case 'another-key':
        return sign('RS256', another.privateKey)
      case 'client-secret':
        return sign('HS256', new TextEncoder().encode(clientSecret))
      case 'none':
        return new UnsecuredJWT(claims).encode()
      default:
        return sign('RS256', key.privateKey)
    }
  }
  return liar
}
