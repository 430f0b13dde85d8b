import { z } from 'zod'
import { instantSchema } from '../text.ts'
import { passwordMinLength, roles, tokenRoles } from './rights.ts'

export const roleSchema = z.enum(roles)

export const tokenRoleSchema = z.enum(tokenRoles)

export const usernameSchema = z
  .string({ error: 'The user name is missing.' })
  .min(1, 'The user name is empty.')
  .max(128, 'The user name is too long.')

const passwordSchema = z
  .string({ error: 'The password is missing.' })
  .min(1, 'The password is empty.')
  .max(1024, 'The password is too long.')

/** A password that a person chooses. */
export const newPasswordSchema = passwordSchema.min(
  passwordMinLength,
  `The password is shorter than ${passwordMinLength} characters.`,
)

export const signInBodySchema = z.strictObject({ username: usernameSchema, password: passwordSchema })
export const elevateBodySchema = z.strictObject({ password: passwordSchema })
export const ownPasswordBodySchema = z.strictObject({ current: passwordSchema, password: newPasswordSchema })
export const signOutQuerySchema = z.strictObject({
  /** `true`: every session of this person ends, this one too. */
  everywhere: z.enum(['true', 'false'], 'everywhere is true or false.').optional(),
})

export const setupBodySchema = z.strictObject({
  token: z.string({ error: 'The token of the one-time link is missing.' }).min(1).max(256),
  password: newPasswordSchema,
})

export const ssoQuerySchema = z.strictObject({
  /** Where to go afterwards: a path of the console; anything else leads to the list. */
  next: z.string().max(2048).optional(),
  /** `true`: a person who is signed in signs in again, for an elevation. */
  elevate: z.enum(['true', 'false'], 'elevate is true or false.').optional(),
})

/** The parameters with which a provider leads back; the service checks them. */
export const ssoAnswerSchema = z.record(z.string(), z.string().max(8192))

const sessionSchema = z.object({
  /** A person's name, or the name of a program's token. */
  username: z.string(),
  /** Programs come with a token, as `client`; what it is good for is in `scope`. */
  role: z.enum([...roles, 'client']),
  via: z.enum(['password', 'sso', 'link', 'token']),
  /** Programs only: what their token allows, for which names, and in which tables. */
  scope: z
    .object({ role: tokenRoleSchema, prefixes: z.array(z.string()), tables: z.array(z.string()) })
    .nullable(),
  /** Until when break and kill are open. null: not elevated. */
  elevatedUntil: instantSchema.nullable(),
  /** When the session ends in any case. null: a token, which ends when it is revoked. */
  expiresAt: instantSchema.nullable(),
})

/** A session as the API shows it: with the server's time, which its instants refer to. */
export const sessionAnswerSchema = sessionSchema.extend({ now: instantSchema })

export type Session = z.infer<typeof sessionSchema>
