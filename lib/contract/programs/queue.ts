import { z } from 'zod'
import { nameParamsSchema, tableQuerySchema } from '../leases/lease.ts'
import { microsSchema, ownerSchema, queryNumberSchema } from '../text.ts'

/** How far a ticket may be ahead of the server's clock, in milliseconds: a removal has to be able to outweigh it. */
export const maxTicketAheadMs = 60_000
/**
 * What the library gives a ticket (leasehold/lease/waiting/queue/ticket.ts), in seconds. A crashed waiter, or a client that takes a ticket
 * and leaves, delays those behind it for so long.
 */
const maxTtlSeconds = 6
const maxTickets = 100
/** The greatest bigint of Cassandra. */
const maxMicros = 2n ** 63n - 1n

/** Microseconds since the epoch, as a decimal string: they do not fit into a JavaScript number for ever. */
const ticketMicros = (what: string) =>
  z
    .string({ error: `${what} is missing: microseconds since the epoch, as a decimal string.` })
    .regex(/^\d{1,19}$/, `${what} is not a decimal string of microseconds since the epoch.`)
    .refine((text) => !/^\d{1,19}$/.test(text) || BigInt(text) <= maxMicros, `${what} is above ${maxMicros}.`)

/**
 * A place in the queue of one name. The number, from the client's clock, orders the tickets; between equal numbers the
 * owner decides.
 */
export const ticketParamsSchema = nameParamsSchema.extend({ owner: ownerSchema })

export const ticketBodySchema = z.strictObject({
  number: ticketMicros('number'),
  /** When this write was made, by its maker's clock. Of a ticket's writes the latest wins, in whichever order they arrive. */
  at: ticketMicros('at'),
  ttlSeconds: z
    .number({ error: `ttlSeconds is not a number; 1 to ${maxTtlSeconds} are allowed.` })
    .int('ttlSeconds is not a whole number.')
    .min(1, `ttlSeconds is below 1; 1 to ${maxTtlSeconds} are allowed.`)
    .max(
      maxTtlSeconds,
      `ttlSeconds is above ${maxTtlSeconds}; 1 to ${maxTtlSeconds} are allowed. Write the ticket again every two seconds for as long as its waiter waits.`,
    ),
})

/** `at` must be greater than that of every `PUT` of this ticket. */
export const ticketQuerySchema = tableQuerySchema.extend({
  number: ticketMicros('number'),
  at: ticketMicros('at'),
})

export const queueQuerySchema = tableQuerySchema.extend({
  /** The least number to list. */
  from: ticketMicros('from').default('0'),
  limit: queryNumberSchema('The limit', 1, maxTickets).default(20),
})

/**
 * The waiters in their order, by a plain read: the queue says which waiter may try; only the lease says which one
 * holds.
 */
export const queueSchema = z.object({
  tickets: z.array(z.object({ number: microsSchema, owner: z.string() })),
})
