import { z } from 'zod'
import { instantSchema } from '../text.ts'
import { serverName } from '../text-size.ts'
import { newPasswordSchema, roleSchema, usernameSchema } from './session.ts'

/** A user, as admins see one. */
export const userSchema = z.object({
  username: z.string(),
  role: roleSchema,
  disabled: z.boolean(),
  /** `sso`: has no password here; the role comes from a claim at every sign-in. */
  via: z.enum(['password', 'sso']),
  createdAt: instantSchema,
  /**
   * The enabled accounts of this person of single sign-on, oldest first, where there are several: sign-ins use the first
   * one. Left out: this is the only one.
   */
  samePerson: z.array(z.string()).min(2).optional(),
})

export const userListSchema = z.object({ users: z.array(userSchema) })
export const userParamsSchema = z.object({ username: usernameSchema })
/**
 * The name of a new user: it can be read aloud, typed, and is not mistaken for another name. Users of earlier versions keep
 * theirs.
 */
export const newUsernameSchema = usernameSchema
  .regex(
    /^[a-z0-9][a-z0-9._@+-]*$/,
    'A user name consists of the lower-case letters a to z, digits and . _ @ + -, and begins with a letter or a digit.',
  )
  .refine((name) => name !== serverName, {
    message: `The name ${serverName} is reserved for the server. Choose another.`,
  })

export const newUserSchema = z.strictObject({
  username: newUsernameSchema,
  password: newPasswordSchema,
  role: roleSchema,
})
export const userChangeSchema = z
  .strictObject({ role: roleSchema.optional(), disabled: z.boolean().optional() })
  .refine(({ role, disabled }) => role !== undefined || disabled !== undefined, 'Nothing is to be changed.')
export const userPasswordSchema = z.strictObject({ password: newPasswordSchema })

export type User = z.infer<typeof userSchema>
