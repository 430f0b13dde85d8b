import { z } from 'zod'
import { instantSchema } from './text.ts'

/** A program's way in. What it is called is what the log says of it. */
export const newTokenSchema = z.strictObject({
  name: z
    .string({ error: 'The name of the token is missing.' })
    .trim()
    .min(1, 'The name of the token is empty.')
    .max(128, 'The name of the token is longer than 128 characters.'),
})

export const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdBy: z.string(),
  createdAt: instantSchema,
})

/** The only answer that holds the token itself: what is kept is its hash. */
export const createdTokenSchema = apiTokenSchema.extend({ token: z.string() })
export const tokenListSchema = z.object({ tokens: z.array(apiTokenSchema) })
export const tokenParamsSchema = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, 'That is no token id.') })

export type ApiToken = z.infer<typeof apiTokenSchema>
