/** A real OpenID provider on loopback, with a login page of its own: any name goes, with any password. */
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Context } from 'oidc-provider'

const clientId = 'leasehold-e2e'
const clientSecret = randomBytes(24).toString('base64url')

export interface SsoProvider {
  /** What the console is configured with. */
  env: Record<string, string>
  /** What the claim says of each account; nothing of those who are not in it. */
  roles: Map<string, string | string[]>
  /** Opens the provider for a console, which had to be started to have an address. */
  serve(consoleUrl: string): Promise<void>
  stop(): Promise<void>
}

export async function startProvider(): Promise<SsoProvider> {
  const roles = new Map<string, string | string[]>()
  let listener: RequestListener = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  // Another site than the console's 127.0.0.1, as a provider is: so the cookies of the way back are tested too.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    roles,
    env: {
      LEASEHOLD_OIDC_ISSUER: issuer,
      LEASEHOLD_OIDC_CLIENT_ID: clientId,
      LEASEHOLD_OIDC_CLIENT_SECRET: clientSecret,
      LEASEHOLD_OIDC_LABEL: 'Example SSO',
    },
    serve: async (consoleUrl) => {
      listener = new Provider(issuer, await configuration(consoleUrl, roles)).callback()
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function configuration(consoleUrl: string, roles: Map<string, string | string[]>) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${consoleUrl}/v1/sso/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username', 'leasehold_role'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, preferred_username: sub, leasehold_role: roles.get(sub) }),
    }),
    // The provider does not ask the person whether the console may know the name.
    loadExistingGrant: async ({ oidc: { provider, client, session } }: Context) => {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  }
}

/** On the provider's own login page. */
export async function signInAtProvider(page: Page, login: string): Promise<void> {
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/interaction\//)
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}
