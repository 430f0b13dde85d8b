import type { Clock } from 'leasehold/time'
import { signingKey } from '../../store/secret.ts'
import { Flows } from './flows.ts'
import { Provider } from './provider.ts'
import type { SsoConfig } from './sso-config.ts'

/** The parts of single sign-on; null where it is not configured. */
export interface Sso {
  readonly config: SsoConfig
  readonly flows: Flows
  readonly provider: Provider
}

/** What the configuration says of single sign-on. */
interface SsoSettings {
  readonly sso: SsoConfig | null
  readonly publicUrl: URL
  readonly dataDir: string
  readonly auditKey?: string | undefined
}

export function createSso(config: SsoSettings, clock: Clock, timeoutSeconds?: number): Sso | null {
  const { sso, publicUrl } = config
  if (sso === null) return null
  return {
    config: sso,
    flows: new Flows(signingKey(config), publicUrl, () => clock.now().wallMs),
    provider: new Provider(sso, publicUrl, clock, timeoutSeconds),
  }
}
