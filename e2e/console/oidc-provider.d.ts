/** The package has no types of its own; what the tests use of it. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Context {
    oidc: {
      provider: Provider
      client: { clientId: string }
      session: { accountId: string }
    }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
    Grant: new (of: {
      clientId: string
      accountId: string
    }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
  export type { Context }
}
