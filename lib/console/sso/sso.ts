import type { Clock } from 'leasehold/time'
import type { Config } from '../config.ts'
import { signingKey } from '../secret.ts'
import { Flows } from './flows.ts'
import { Provider } from './provider.ts'
import type { SsoConfig } from './sso-config.ts'

/** What single sign-on works with; null where it is not configured. */
export interface Sso {
  readonly config: SsoConfig
  readonly flows: Flows
  readonly provider: Provider
}

export const createSso = ({ sso, publicUrl, dataDir }: Config, clock: Clock): Sso | null =>
  sso && {
    config: sso,
    flows: new Flows(signingKey(dataDir), publicUrl, () => clock.now().wallMs),
    provider: new Provider(sso, publicUrl, clock),
  }
