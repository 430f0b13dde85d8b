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

export const sessionSchema = z.object({ username: z.string(), role: roleSchema })

export type Role = z.infer<typeof roleSchema>
export type Session = z.infer<typeof sessionSchema>
