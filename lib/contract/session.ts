import { z } from 'zod'

/** Who may do what, least first; each one may do all that those before it may. */
export const roles = ['viewer', 'operator', 'admin'] as const
export const roleSchema = z.enum(roles)

export const signInBodySchema = z.strictObject({
  username: z
    .string({ error: 'The user name is missing.' })
    .min(1, 'The user name is empty.')
    .max(128, 'The user name is too long.'),
  password: z
    .string({ error: 'The password is missing.' })
    .min(1, 'The password is empty.')
    .max(1024, 'The password is too long.'),
})

export const passwordMinLength = 10

export const setupBodySchema = z.strictObject({
  token: z.string({ error: 'The token of the one-time link is missing.' }).min(1).max(256),
  password: z
    .string({ error: 'The password is missing.' })
    .min(passwordMinLength, `The password is shorter than ${passwordMinLength} characters.`)
    .max(1024, 'The password is longer than 1024 characters.'),
})

/** Programs come with a token, as `client`: they may call what is marked `clients` in the table of routes. */
export const sessionSchema = z.object({ username: z.string(), role: z.enum([...roles, 'client']) })

export type Role = z.infer<typeof roleSchema>
export type Session = z.infer<typeof sessionSchema>

/** Whether somebody may do what needs at least `least`. A program is nobody's superior. */
export const isAtLeast = ({ role }: Session, least: Role): boolean =>
  role !== 'client' && roles.indexOf(role) >= roles.indexOf(least)
