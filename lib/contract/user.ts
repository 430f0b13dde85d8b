import { z } from 'zod'
import { newPasswordSchema, roleSchema, usernameSchema } from './session.ts'
import { instantSchema } from './text.ts'

/** A user, as admins see one. */
export const userSchema = z.object({
  username: z.string(),
  role: roleSchema,
  disabled: z.boolean(),
  /** `sso`: has no password here; the role comes from a claim at every sign-in. */
  via: z.enum(['password', 'sso']),
  createdAt: instantSchema,
})

export const userListSchema = z.object({ users: z.array(userSchema) })
export const userParamsSchema = z.object({ username: usernameSchema })
export const newUserSchema = z.strictObject({
  // What can be read aloud, typed and pasted into an incident channel without a doubt.
  username: usernameSchema.regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u,
    'A user name consists of letters, digits and . _ @ + -, and begins with a letter or a digit.',
  ),
  password: newPasswordSchema,
  role: roleSchema,
})
export const userChangeSchema = z
  .strictObject({ role: roleSchema.optional(), disabled: z.boolean().optional() })
  .refine(({ role, disabled }) => role !== undefined || disabled !== undefined, 'Nothing is to be changed.')
export const userPasswordSchema = z.strictObject({ password: newPasswordSchema })

export type User = z.infer<typeof userSchema>
