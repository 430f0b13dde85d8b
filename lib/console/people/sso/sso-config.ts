import { z } from 'zod'
import { ConfigError } from '../../store/config-error.ts'

/** Single sign-on, as configured. */
export interface SsoConfig {
  issuer: URL
  clientId: string
  /** Left out: a public client, which proves itself by PKCE alone. */
  clientSecret?: string | undefined
  roleClaim: string
  /** null: the first there is of `preferred_username`, `email`, `sub`. */
  nameClaim: string | null
  /** What the button calls the provider. */
  label: string
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Parts of the environment's schema. */
export const ssoVariables = {
  LEASEHOLD_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'is not an https URL' })
    .refine(
      (url) =>
        !URL.canParse(url) || new URL(url).protocol === 'https:' || loopback.test(new URL(url).hostname),
      'is not an https URL; http is possible on loopback alone',
    )
    .refine((url) => !/[?#]/.test(url), 'has a query or a fragment, which no issuer has')
    .optional(),
  LEASEHOLD_OIDC_CLIENT_ID: z.string().max(512, 'is longer than 512 characters').optional(),
  LEASEHOLD_OIDC_CLIENT_SECRET: z.string().optional(),
  LEASEHOLD_OIDC_ROLE_CLAIM: z.string().optional(),
  LEASEHOLD_OIDC_NAME_CLAIM: z.string().optional(),
  LEASEHOLD_OIDC_LABEL: z.string().max(40, 'is longer than 40 characters').optional(),
}

type Variables = { [K in keyof typeof ssoVariables]?: string | undefined }

/**
 * All or nothing: null when none of the variables is set.
 * @throws ConfigError when some are, without those that the rest needs
 */
export function readSsoConfig(given: Variables): SsoConfig | null {
  const names = Object.keys(ssoVariables) as (keyof Variables)[]
  const set = names.find((name) => given[name] !== undefined)
  if (set === undefined) return null
  const need = (name: keyof Variables): string => {
    const text = given[name]
    if (text === undefined) throw new ConfigError(`${set} is set without ${name}.`)
    return text
  }
  const issuer = new URL(need('LEASEHOLD_OIDC_ISSUER'))
  return {
    issuer,
    clientId: need('LEASEHOLD_OIDC_CLIENT_ID'),
    clientSecret: given.LEASEHOLD_OIDC_CLIENT_SECRET,
    roleClaim: given.LEASEHOLD_OIDC_ROLE_CLAIM ?? 'leasehold_role',
    nameClaim: given.LEASEHOLD_OIDC_NAME_CLAIM ?? null,
    label: given.LEASEHOLD_OIDC_LABEL ?? issuer.hostname,
  }
}
