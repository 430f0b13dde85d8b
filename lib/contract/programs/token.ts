import { z } from 'zod'
import { tokenRoleSchema } from '../people/session.ts'
import { instantSchema, lineSchema } from '../text.ts'
import { nameMaxBytes, serverName } from '../text-size.ts'

/** Alphabets with letters that look alike. */
const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
/** Whether a word reads as another: a Cyrillic letter in a Latin word is not seen. Two words may be of two alphabets. */
const mixesAlphabets = (name: string) =>
  (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some(
    (word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1,
  )

/** The token of a program. The log and the audit show the token's name. */
export const newTokenSchema = z.strictObject({
  name: lineSchema('name of the token', 128)
    .refine((name) => name.toLowerCase() !== serverName, {
      message: `The name ${serverName} is reserved for the server. Choose another.`,
    })
    .refine((name) => !mixesAlphabets(name), {
      message:
        'A word in the name of the token mixes Latin, Cyrillic or Greek letters, which look alike. Use one alphabet in each word.',
    }),
  /** `viewer`: reads. `client`: acquires, renews and releases too. */
  role: tokenRoleSchema.default('client'),
  /** The names it is good for: those that begin with one of these. `""` is the beginning of every name, and has to be said. */
  prefixes: z
    .array(z.string().max(nameMaxBytes, 'A prefix is longer than a name can be.'), {
      error: 'The prefixes are missing: ["billing/"], or [""] for every name.',
    })
    .min(1, 'There is no prefix: ["billing/"], or [""] for every name.')
    .max(50, 'There are more than 50 prefixes.'),
  /** The ids of the tables that it is good for; `"*"` is every table, and has to be said. */
  tables: z
    .array(z.string().regex(/^(\*|[a-z0-9_-]{1,48})$/, 'Use the id of a table, or "*".'))
    .min(1, 'Name at least one table: ["leases"], or ["*"] for every table.')
    .max(50, 'There are more than 50 tables.')
    .default(['leases']),
})

export const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: tokenRoleSchema,
  prefixes: z.array(z.string()),
  tables: z.array(z.string()),
  createdBy: z.string(),
  createdAt: instantSchema,
  /** To about a minute. null: never used. */
  lastUsedAt: instantSchema.nullable(),
})

/** The only answer that holds the token itself: the console stores its hash. */
export const createdTokenSchema = apiTokenSchema.extend({ token: z.string() })
export const tokenListSchema = z.object({ tokens: z.array(apiTokenSchema), now: instantSchema })
export const tokenParamsSchema = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, 'That is no token id.') })

export type ApiToken = z.infer<typeof apiTokenSchema>
export type NewToken = z.infer<typeof newTokenSchema>
