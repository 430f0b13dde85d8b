/**
 * The provider, by OpenID Connect: code flow with PKCE.
 *
 * Guarantees, of claims that are returned: the ID token is signed by a key of the issuer, is for this client and this
 * flow (audience, nonce), and has not expired; the code came back with the state and, where the provider says so, the
 * issuer of this flow, and was exchanged with its verifier. userinfo, where it is asked, is of the same subject.
 * Assumes of clocks: the provider's and ours differ by less than `clockToleranceSeconds`.
 *
 * The provider is asked nothing before the first sign-in: a provider that is down stops neither the start nor
 * users with a password.
 */

import type { Clock } from 'leasehold/time'
import * as oidc from 'openid-client'
import { routes } from '../../../contract/routes.ts'
import { type Claims, claimAt } from './claims.ts'
import type { Flow } from './flows.ts'
import type { SsoConfig } from './sso-config.ts'
import { SsoFailure, sentencesOf } from './sso-failure.ts'

const clockToleranceSeconds = 10
/** How long the provider has for each answer. */
const defaultTimeoutSeconds = 5
/** After this time the provider's metadata is fetched again; while that fails, the old metadata is used. */
const rediscoverAfterMs = 60 * 60_000

export class Provider {
  readonly #config: SsoConfig
  readonly #clock: Clock
  readonly #callbackUrl: string
  readonly #timeoutSeconds: number
  #known: { configuration: oidc.Configuration; atMs: number } | undefined
  #discovering: Promise<oidc.Configuration> | undefined

  constructor(config: SsoConfig, publicUrl: URL, clock: Clock, timeoutSeconds = defaultTimeoutSeconds) {
    this.#config = config
    this.#clock = clock
    this.#timeoutSeconds = timeoutSeconds
    this.#callbackUrl = new URL(routes.finishSso.path, publicUrl).href
  }

  /** Where to send the browser. @throws SsoFailure sso-unavailable */
  async signInUrl({ state, nonce, elevate }: Flow, challenge: string): Promise<URL> {
    const parameters: Record<string, string> = {
      redirect_uri: this.#callbackUrl,
      scope: 'openid profile email',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state,
      nonce,
    }
    if (elevate) {
      // Some providers look at the one, some at the other; `auth_time` then shows whether the provider heeded one of
      // them.
      parameters.prompt = 'login'
      parameters.max_age = '0'
    }
    return oidc.buildAuthorizationUrl(await this.#configuration(), parameters)
  }

  /**
   * Exchanges the code for the provider's claims about the person.
   * @param answer the query of the callback
   * @throws SsoFailure sso-refused, sso-invalid, sso-not-fresh, sso-unavailable
   */
  async claims(flow: Flow, answer: Record<string, string>): Promise<Claims> {
    const configuration = await this.#configuration()
    try {
      const tokens = await oidc.authorizationCodeGrant(
        configuration,
        new URL(`${this.#callbackUrl}?${new URLSearchParams(answer)}`),
        {
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          pkceCodeVerifier: flow.verifier,
          idTokenExpected: true,
        },
      )
      const claims = tokens.claims()
      if (claims === undefined) throw new SsoFailure('sso-invalid', 'The provider sent no ID token.')
      if (flow.elevate) requireFresh(claims, flow)
      // Many providers put into the ID token only what every client needs.
      const { roleClaim, nameClaim } = this.#config
      const isWhole = [roleClaim, nameClaim ?? 'preferred_username'].every(
        (name) => claimAt(claims, name) !== undefined,
      )
      if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
      const more = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { ...more, ...claims }
    } catch (thrown) {
      throw thrown instanceof SsoFailure
        ? thrown
        : new SsoFailure(codeOf(thrown), sentencesOf(thrown), { cause: thrown })
    }
  }

  async #configuration(): Promise<oidc.Configuration> {
    const nowMs = this.#clock.now().monotonicMs
    if (this.#known !== undefined && nowMs - this.#known.atMs < rediscoverAfterMs)
      return this.#known.configuration
    // Sign-ins at the same time share one request; after a failure, the next sign-in asks again.
    this.#discovering ??= this.#discover()
      .then((configuration) => {
        this.#known = { configuration, atMs: nowMs }
        return configuration
      })
      .finally(() => {
        this.#discovering = undefined
      })
    try {
      return await this.#discovering
    } catch (thrown) {
      if (this.#known !== undefined) return this.#known.configuration
      throw new SsoFailure('sso-unavailable', `Discovery at ${this.#config.issuer}: ${sentencesOf(thrown)}`, {
        cause: thrown,
      })
    }
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#config
    return oidc.discovery(
      issuer,
      clientId,
      { [oidc.clockTolerance]: clockToleranceSeconds },
      clientSecret === undefined ? oidc.None() : secretAsAsked(clientSecret),
      {
        timeout: this.#timeoutSeconds,
        execute: [
          // Without it the library trusts the connection to the token endpoint, and looks at no signature.
          oidc.enableNonRepudiationChecks,
          // The configuration allows http on loopback alone.
          ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
      },
    )
  }
}

/**
 * Sends the secret in the way that the provider's metadata name; `client_secret_basic` is the specification's default.
 */
function secretAsAsked(clientSecret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(clientSecret)
  const post = oidc.ClientSecretPost(clientSecret)
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = methods.includes('client_secret_basic') ? basic : post
    return auth(server, client, body, headers)
  }
}

/**
 * For an elevation: the provider must have asked the person after the elevation began here. @throws SsoFailure
 * sso-not-fresh
 */
function requireFresh({ auth_time: authTime }: Claims, { startedAtMs }: Flow): void {
  const since = Math.floor(startedAtMs / 1000) - clockToleranceSeconds
  if (typeof authTime === 'number' && authTime >= since) return
  throw new SsoFailure(
    'sso-not-fresh',
    typeof authTime === 'number'
      ? `The provider last asked ${since + clockToleranceSeconds - authTime} s before the elevation was wanted.`
      : 'The provider did not say when it asked (auth_time).',
  )
}

/** Errors about the content of the answer; any other error means that there was no answer. */
const answered =
  /^OAUTH_(JWT|JSON|KEY_SELECTION|INVALID_RESPONSE|PARSE_ERROR|RESPONSE_BODY|RESPONSE_IS_NOT_JSON|UNSUPPORTED)/

function codeOf(thrown: unknown) {
  const { code, status } = thrown as { code?: unknown; status?: unknown }
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'sso-refused'
  if (typeof status === 'number' && status >= 500) return 'sso-unavailable'
  return typeof code === 'string' && answered.test(code) ? 'sso-invalid' : 'sso-unavailable'
}
