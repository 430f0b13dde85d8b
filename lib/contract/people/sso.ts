import { endpoints } from '../endpoints.ts'

/**
 * Why a single sign-on did not work, as a code in the sign-in page's URL. The log and the audit say more. The URL
 * says only the code: other people may see it, and any page may link to it.
 */
const ssoErrors = [
  /** The provider does not answer, or not as its metadata say. */
  'sso-unavailable',
  /** The provider said no: most often the person cancelled there. */
  'sso-refused',
  /** The answer belongs to no flow of this browser: too late, used already, or another browser. */
  'sso-expired',
  /** The provider's answer is not valid: signature, issuer, audience, nonce or time. */
  'sso-invalid',
  /** The claim names no role of the console. */
  'sso-no-role',
  /** Another user, with a password here, has this name. */
  'sso-name-taken',
  /** The provider sent no name, or one that cannot be used. */
  'sso-no-name',
  'sso-disabled',
  /** The row of a user was deleted past the console: no new user is made until an operator repairs that. */
  'sso-user-deleted',
  /** An elevation: the claim's role may not have one. */
  'sso-not-allowed',
  /** An elevation: another person than the session's user signed in, or the session has ended. */
  'sso-other-person',
  /** An elevation: the provider did not ask again. */
  'sso-not-fresh',
  'sso-too-many-attempts',
  'sso-audit-unavailable',
  'sso-too-late',
  'sso-cassandra-unavailable',
  'sso-not-ready',
  'sso-failed',
] as const

export type SsoError = (typeof ssoErrors)[number]

export const isSsoError = (text: string | undefined): text is SsoError =>
  ssoErrors.some((code) => code === text)

/** Where a single sign-on begins: a page to open, not a request to send. */
export function ssoPath({ next, elevate }: { next?: string; elevate?: boolean }): string {
  const parameters = new URLSearchParams()
  if (next !== undefined && next !== '/') parameters.set('next', next)
  if (elevate) parameters.set('elevate', 'true')
  const query = parameters.toString()
  return query === '' ? endpoints.startSso.path : `${endpoints.startSso.path}?${query}`
}

/** Where a single sign-on that failed ends. */
export const ssoErrorPath = (error: SsoError, next: string): string =>
  `/sign-in?${new URLSearchParams(next === '/' ? { error } : { error, next })}`
