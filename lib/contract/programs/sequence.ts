import { z } from 'zod'

/** As in the library: one conditional write allocates them all. */
const maxCount = 1_000_000

export const nextQuerySchema = z.strictObject({
  count: z.coerce
    .number({ error: `count is not a number; 1 to ${maxCount} are allowed.` })
    .int('count is not a whole number.')
    .min(1, `count is below 1; 1 to ${maxCount} are allowed.`)
    .max(maxCount, `count is above ${maxCount}; 1 to ${maxCount} are allowed.`)
    .default(1),
})

/** Decimal strings: they do not fit into a JavaScript number for ever. */
const numberSchema = z.string().regex(/^\d+$/)

/** Numbers from `first` to `last`, both included, given to one caller alone. */
export const blockSchema = z.object({
  name: z.string(),
  count: z.number().int(),
  first: numberSchema,
  last: numberSchema,
})

export type Block = z.infer<typeof blockSchema>
