import { z } from 'zod'
import { leaseSchema } from './leases/lease.ts'
import { problemCodes } from './problem-codes.ts'
import { lockHolderSchema } from './programs/lock.ts'
import { releaseSchema } from './releases/release.ts'
import { instantSchema } from './text.ts'

/** RFC 9457, with a stable `code` and, where it helps, the state that was found instead. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(problemCodes),
  detail: z.string(),
  /** The id of the request in the server's log. */
  requestId: z.string().optional(),
  /** `bad-request`: which fields, and what is wrong with each: the first ten. */
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** `lock-held`, `not-holder`: who holds it. */
  holder: lockHolderSchema.optional(),
  /** `outcome-unknown`: under which owner the lock may appear, or may still be held. */
  owner: z.string().optional(),
  /** `holder-changed`: the lease as planned, and as it is now (null: it has no holder; left out: it could not be read). */
  planned: leaseSchema.optional(),
  current: leaseSchema.nullable().optional(),
  /** `plan-used`, `not-awaiting`, `holder-changed`: what became of it, or what another person did to the same lease just before. */
  release: releaseSchema.optional(),
  /** `cassandra-unavailable`: how many nodes the driver can talk to. */
  nodes: z.number().int().optional(),
  nodesUp: z.number().int().optional(),
  now: instantSchema.optional(),
})

export type Problem = z.infer<typeof problemSchema>
