import { z } from 'zod'
import { tableIdSchema } from './text.ts'
import { ownerMaxBytes } from './text-size.ts'

/** The longest that a request is left open, in milliseconds. Proxies on the way often end one after a minute. */
const maxWaitMs = 60_000

const unitsMs = { ms: 1, s: 1_000, m: 60_000 } as const

/** `30s`, `500ms`, `1m`, in milliseconds. */
export const waitSchema = z
  .string()
  .regex(/^\d{1,9}(ms|s|m)$/, 'wait is not a duration such as 30s, 500ms or 1m.')
  .transform((text) => {
    const [, count, unit] = text.match(/^(\d+)(\w+)$/) as unknown as [string, string, keyof typeof unitsMs]
    return Number(count) * unitsMs[unit]
  })
  .refine((ms) => ms <= maxWaitMs, `wait is longer than ${maxWaitMs / 1000}s, the longest that is possible.`)
  .meta({
    description: `How long the answer may wait: \`30s\`, \`500ms\`, \`1m\`; at most ${maxWaitMs / 1000}s.`,
    examples: ['30s'],
  })

/** A blocking query: answered when the holder differs from `since`, or when the wait is over. */
export const blockingQuerySchema = z.strictObject({
  table: tableIdSchema.optional(),
  wait: waitSchema.optional(),
  since: z
    .string()
    .max(ownerMaxBytes, 'since is no owner: it is too long.')
    .optional()
    .describe('The owner that the caller knows already; empty or left out: none.'),
})
