/** JSON Schemas of the contract's zod schemas, by zod's own conversion; those with a name become components. */
import { z } from 'zod'
import { auditEventSchema, auditPageSchema, shownEntrySchema } from '../audit.ts'
import { clusterSchema, healthSchema } from '../leases/cluster.ts'
import { leaseDetailSchema, leaseListSchema, leaseSchema } from '../leases/lease.ts'
import { sessionAnswerSchema } from '../people/session.ts'
import { newUserSchema, userListSchema, userSchema } from '../people/user.ts'
import { problemSchema } from '../problem.ts'
import { campaignBodySchema, electionSchema, leadershipSchema } from '../programs/election.ts'
import { lockHolderSchema, lockRequestSchema, lockSchema, renewedLockSchema } from '../programs/lock.ts'
import { queueSchema, ticketBodySchema } from '../programs/queue.ts'
import { blockSchema } from '../programs/sequence.ts'
import { apiTokenSchema, createdTokenSchema, newTokenSchema, tokenListSchema } from '../programs/token.ts'
import {
  releaseBodySchema,
  releaseListSchema,
  releasePlanSchema,
  releaseSchema,
} from '../releases/release.ts'
import { resignRequestsSchema } from '../releases/resign-request.ts'

export type JsonSchema = { [key: string]: unknown }

/** What programs send. */
const sent = {
  LockRequest: lockRequestSchema,
  Campaign: campaignBodySchema,
  Ticket: ticketBodySchema,
  ReleaseRequest: releaseBodySchema,
  NewToken: newTokenSchema,
  NewUser: newUserSchema,
}

/** What the console answers. */
const answered = {
  Problem: problemSchema,
  Health: healthSchema,
  Session: sessionAnswerSchema,
  Cluster: clusterSchema,
  Lease: leaseSchema,
  LeaseDetail: leaseDetailSchema,
  LeaseList: leaseListSchema,
  ReleasePlan: releasePlanSchema,
  Release: releaseSchema,
  ReleaseList: releaseListSchema,
  ResignRequests: resignRequestsSchema,
  Lock: lockSchema,
  RenewedLock: renewedLockSchema,
  LockHolder: lockHolderSchema,
  Queue: queueSchema,
  Election: electionSchema,
  Leadership: leadershipSchema,
  NumberBlock: blockSchema,
  Token: apiTokenSchema,
  CreatedToken: createdTokenSchema,
  TokenList: tokenListSchema,
  User: userSchema,
  UserList: userListSchema,
  AuditEvent: auditEventSchema,
  AuditEntry: shownEntrySchema,
  AuditPage: auditPageSchema,
}

type Direction = 'input' | 'output'
const named: Record<Direction, Record<string, z.ZodType>> = { input: sent, output: answered }

const refTo = (name: string): string => `#/components/schemas/${name}`

function plain({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/**
 * Clients must accept fields that a later version adds: zod would close every object that is answered. And it would bound every
 * integer by what JavaScript counts exactly, which readers of the document show as an example.
 */
function leaveOpen(io: Direction) {
  return ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => {
    const { def } = zodSchema._zod
    if (io === 'output' && def.type === 'object' && def.catchall === undefined)
      delete jsonSchema.additionalProperties
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  }
}

function convertNamed(io: Direction): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named[io])) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io, uri: refTo, override: leaveOpen(io) })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, plain(schema as JsonSchema)]),
  )
}

/** `components.schemas` of the document. */
export const namedSchemas = (): Record<string, JsonSchema> => ({
  ...convertNamed('input'),
  ...convertNamed('output'),
})

/** One schema: a reference where it has a name, else the schema itself. */
export function jsonSchemaOf(schema: z.ZodType, io: Direction): JsonSchema {
  const name = Object.entries(named[io]).find(([, each]) => each === schema)?.[0]
  if (name !== undefined) return { $ref: refTo(name) }
  return plain(z.toJSONSchema(schema, { io, override: leaveOpen(io) }) as JsonSchema)
}
