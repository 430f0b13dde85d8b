/**
 * Roles and what they may do, without the schemas: the browser asks this on every page, and fetches the schemas later.
 */

/** People, by what they may do: each one may do all that those before it may. */
export const roles = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof roles)[number]

/** In a token's `tables`: every table, those configured later too. */
export const anyTable = '*'

/** What the token of a program is good for: `viewer` reads, `client` acquires, renews and releases too. */
export const tokenRoles = ['viewer', 'client'] as const
export type TokenRole = (typeof tokenRoles)[number]

/** How long an elevation lasts, in seconds: break and kill are open to a person who gave the password, or signed in, again. */
export const elevationSeconds = 10 * 60

/** The shortest password that a person may choose, in characters. */
export const passwordMinLength = 10

/** Whether a person may do what needs at least `least`. A program has none of the roles of people. */
export const isAtLeast = ({ role }: { role: Role | 'client' }, least: Role): boolean =>
  role !== 'client' && roles.indexOf(role) >= roles.indexOf(least)

export const isElevated = ({ elevatedUntil }: { elevatedUntil: string | null }, nowMs: number): boolean =>
  elevatedUntil !== null && Date.parse(elevatedUntil) > nowMs
