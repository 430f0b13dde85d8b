import { z } from 'zod'
import { tableQuerySchema } from '../leases/lease.ts'
import { instantSchema, ownerSchema } from '../text.ts'

/** `owner`: only the requests to this holder. */
export const resignRequestsQuerySchema = tableQuerySchema.extend({ owner: ownerSchema.optional() })

/** A person has asked a holder to resign. The library's keep-alive reads this beside each renewal. */
const resignRequestSchema = z.object({
  id: z.string(),
  /** The holder that is asked; a later holder is not. */
  owner: z.string(),
  /** Of a request that a second person approved: who asked for it, and not who approved it. */
  requestedBy: z.string(),
  reason: z.string(),
  requestedAt: instantSchema,
})
export const resignRequestsSchema = z.object({ requests: z.array(resignRequestSchema) })
