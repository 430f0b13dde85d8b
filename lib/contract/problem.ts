import { z } from 'zod'
import { leaseSchema } from './leases/lease.ts'
import { lockHolderSchema } from './programs/lock.ts'
import { releaseSchema } from './releases/release.ts'
import { instantSchema } from './text.ts'

/**
 * Every error this API answers with, and its status. The code is what programs go by; it never changes.
 * The sentence for people is in the answer's `detail`.
 */
export const problemStatus = {
  'bad-request': 400,
  'unknown-table': 400,
  'plan-invalid': 400,
  'name-mismatch': 400,
  unauthenticated: 401,
  'wrong-credentials': 401,
  'setup-link-invalid': 401,
  forbidden: 403,
  'wrong-origin': 403,
  'read-only': 403,
  'elevation-needed': 403,
  'not-found': 404,
  'not-held': 404,
  'method-not-allowed': 405,
  'body-too-slow': 408,
  'lock-held': 409,
  'holder-changed': 409,
  'plan-expired': 409,
  'plan-used': 409,
  'not-awaiting': 409,
  'user-exists': 409,
  'user-deleted': 409,
  'last-admin': 409,
  'no-password': 409,
  'role-elsewhere': 409,
  'not-releasable': 409,
  'request-in-progress': 409,
  'not-holder': 412,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  'idempotency-key-reused': 422,
  'too-many-attempts': 429,
  'headers-too-large': 431,
  'too-many-requests': 429,
  internal: 500,
  'cassandra-unavailable': 503,
  'cassandra-refused': 503,
  'audit-unavailable': 503,
  'not-ready': 503,
  'outcome-unknown': 503,
} as const

export type ProblemCode = keyof typeof problemStatus
export const problemCodes = Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]

const titles: Partial<Record<ProblemCode, string>> = {
  'cassandra-unavailable': 'Cassandra does not answer',
  'outcome-unknown': 'The outcome is unknown',
  'holder-changed': 'The holder changed',
  'lock-held': 'Another owner holds it',
}

/** What an answer says under `title`: the code in words, unless those would mislead. */
export const problemTitle = (code: ProblemCode): string =>
  titles[code] ?? code.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())

/** RFC 9457, with a stable `code` and, where it helps, what is there instead. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(problemCodes),
  detail: z.string(),
  /** What the log of the server calls the request. */
  requestId: z.string().optional(),
  /** `bad-request`: which fields, and what is wrong with each. */
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
