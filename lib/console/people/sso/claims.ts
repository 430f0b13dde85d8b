/** Reads what the provider's claims say of a person. */

import { type Role, roles } from '../../../contract/people/rights.ts'
import { usernameSchema } from '../../../contract/people/session.ts'
import { personOwnerMark, startOf } from '../../../contract/text-size.ts'
import type { SsoConfig } from './sso-config.ts'
import { SsoFailure } from './sso-failure.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Who signed in at the provider. */
export interface SsoPerson {
  /** Issuer and subject: they never change, and no other person gets them. */
  subject: string
  username: string
  role: Role
}

/** @throws SsoFailure sso-no-role, sso-no-name */
export function personOf(claims: Claims, { roleClaim, nameClaim }: SsoConfig): SsoPerson {
  const username = nameIn(claims, nameClaim)
  const role = roleIn(claimAt(claims, roleClaim))
  if (role === null)
    throw new SsoFailure(
      'sso-no-role',
      `The claim ${roleClaim} of ${username} names no role of this console.`,
    )
  return { subject: `${claims.iss} ${claims.sub}`, username, role }
}

/**
 * A claim by its name, or, where there is none of that name, by a path of names with dots: `realm_access.roles`. (Names
 * with dots of their own are usual too: `https://example.com/roles`.)
 */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>(
      (inside, part) =>
        typeof inside === 'object' && inside !== null && Object.hasOwn(inside, part)
          ? (inside as Claims)[part]
          : undefined,
      claims,
    )
}

/**
 * The console's greatest role in a string or a list of strings: `operator`, `leasehold:operator` or
 * `leasehold-operator`.
 */
export function roleIn(claim: unknown): Role | null {
  const given = [claim].flat()
  const named = (role: Role) =>
    [role, `leasehold:${role}`, `leasehold-${role}`].some((name) => given.includes(name))
  return roles.findLast(named) ?? null
}

function nameIn(claims: Claims, nameClaim: string | null): string {
  // The provider did not verify this address: the person may have typed any.
  const email = claims.email_verified === false ? undefined : claims.email
  const candidates =
    nameClaim === null ? [claims.preferred_username, email, claims.sub] : [claimAt(claims, nameClaim)]
  const name = candidates.find((each): each is string => typeof each === 'string' && each.trim() !== '')
  // No invisible characters: two names that look alike would be one person to a reader of the audit log.
  if (
    name !== undefined &&
    usernameSchema.safeParse(name).success &&
    !/[\p{C}\p{Zl}\p{Zp}]|^\s|\s$/u.test(name) &&
    !name.includes(personOwnerMark)
  )
    return name
  throw new SsoFailure(
    'sso-no-name',
    name === undefined
      ? `There is no name in ${nameClaim ?? 'preferred_username, email or sub'}.`
      : `The name ${JSON.stringify(startOf(name, 128))} cannot be used.`,
  )
}
