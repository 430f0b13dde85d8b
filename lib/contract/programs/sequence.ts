import { z } from 'zod'
import { queryNumberSchema } from '../text.ts'

/** As in the library: one conditional write allocates them all. */
const maxCount = 1_000_000

export const nextQuerySchema = z.strictObject({
  count: queryNumberSchema('count', 1, maxCount).default(1),
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
