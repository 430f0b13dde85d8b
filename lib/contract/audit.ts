import { z } from 'zod'
import { roles } from './people/rights.ts'
import { instantSchema, queryNumberSchema } from './text.ts'

/**
 * The acts of the audit log. `seal`, `flood` and `restart` are the log's own: a bucket's end, refusals only counted,
 * and where an operator restarted a damaged chain.
 */
export const auditActs = [
  'set-up',
  'sign-in',
  'sign-out',
  'elevation',
  'refusal',
  'release-plan',
  'release',
  'acquire',
  'renewal',
  'release-request',
  'approval',
  'rejection',
  'token-create',
  'token-revoke',
  'user-create',
  'user-change',
  'password',
  'lab-run',
  'seal',
  'flood',
  'restart',
] as const
export const auditActSchema = z.enum(auditActs)

/** Two chains: a flood of refusals must not delay acts. */
export const auditChains = ['main', 'refused'] as const
export const auditChainSchema = z.enum(auditChains)

const objectSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('lease'),
    /** The id of the configured table. */
    table: z.string(),
    name: z.string(),
    owner: z.string().nullable(),
  }),
  z.object({ kind: z.literal('user'), username: z.string() }),
  z.object({ kind: z.literal('token'), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal('route'), route: z.string() }),
  z.object({ kind: z.literal('console') }),
])

export const rowVersionSchema = z.object({
  table: z.string(),
  key: z.string(),
  /** null: ended for good. */
  version: z.number().int().nullable(),
  /** Void after this by its own columns, in milliseconds since the epoch; left out: never. */
  untilMs: z.number().optional(),
})

export const auditEventSchema = z.object({
  act: auditActSchema,
  /** `event`: complete when it is written. `intent` before an act, `outcome` after it; both carry the same id. */
  phase: z.enum(['event', 'intent', 'outcome']),
  /** Of the act; made by the process that acts, never by the store. */
  id: z.string().min(1),
  actor: z.object({
    username: z.string(),
    role: z.enum([...roles, 'client']).nullable(),
    via: z.enum(['password', 'sso', 'token', 'link', 'terminal', 'server']),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
  }),
  on: objectSchema,
  reason: z.string().nullable(),
  /** Any JSON; beyond 8 kB it is cut, with a mark. */
  before: z.unknown(),
  after: z.unknown(),
  /** `ok`, `refused`, `released`, `superseded`, …; null on an intent. */
  outcome: z.string().nullable(),
  /** Rows that give rights, as this act left them. An older one that is put back is refused. */
  rows: z.array(rowVersionSchema).max(16).optional(),
})

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)

/** An event as it was written: its place, its time, and its link to the entry before. */
export const auditEntrySchema = auditEventSchema.extend({
  chain: auditChainSchema,
  /** The day, `2026-11-21`; `2026-11-21#2` is its second part. */
  bucket: z.string(),
  /** From 1 in each bucket, without a gap. */
  seq: z.number().int().min(1),
  /** By the clock of the instance that wrote it. */
  at: instantSchema,
  /** Identifies the key of the hash without revealing it. */
  keyId: z.string(),
  /** The hash of the entry before it; for a bucket's first entry, that of the seal of the bucket before. */
  prev: hashSchema,
  /** HMAC-SHA256 over all of the above. */
  hash: hashSchema,
})

/**
 * Why the console cannot verify an entry. `altered`: it was changed, moved or made without the audit key; do not rely
 * on it. `other-key`: it was written before a `rekey`, under a key that this console does not have.
 */
const unverifiedSchema = z.enum(['altered', 'other-key'])

/** An entry as the API shows it. */
export const shownEntrySchema = auditEntrySchema.extend({
  /** Left out: the hash was checked, and a console wrote this entry in this place. */
  unverified: unverifiedSchema.optional(),
})

export const auditQuerySchema = z.strictObject({
  act: auditActSchema.optional(),
  /** Leaves out the entries of this act. */
  without: auditActSchema.optional(),
  /** All entries of one act: its intent, its outcome, and for a forced release its plan. */
  id: z.string().max(128).optional(),
  username: z.string().max(128).optional(),
  /** A lease, by name, and by table where the name is in several. */
  name: z.string().max(512).optional(),
  table: z.string().max(48).optional(),
  outcome: z.string().max(128).optional(),
  /** Instants, `from` inclusive, `to` exclusive. */
  from: z.iso.datetime('The time `from` is not an instant such as 2026-11-21T14:00:00Z.').optional(),
  to: z.iso.datetime('The time `to` is not an instant such as 2026-11-21T14:00:00Z.').optional(),
  chain: auditChainSchema.default('main'),
  limit: queryNumberSchema('The limit', 1, 200).default(50),
  cursor: z.string().max(512).optional(),
})

/** What is wrong with a chain. */
const auditAlarmSchema = z.object({
  chain: auditChainSchema,
  /**
   * `planted`: another client made a partition of its own, which is passed over. `altered`: an entry that was read is not
   * what a console wrote. `missing`: there is none between two that were read. Nothing is refused for these three.
   */
  kind: z.enum([
    'backwards',
    'head',
    'forged',
    'key',
    'expiring',
    'vanished',
    'link',
    'planted',
    'altered',
    'missing',
  ]),
  bucket: z.string(),
  seq: z.number().int(),
  /** When this instance found it. */
  since: instantSchema,
  detail: z.string(),
})

/** How many pending entries a page shows. */
export const pendingMax = 200

export const auditPageSchema = z.object({
  /** Newest first. */
  entries: z.array(shownEntrySchema),
  /** Not null: there may be more, even when this page is short; one page looks at a bounded number of entries. */
  nextCursor: z.string().nullable(),
  /**
   * Outcomes that this instance has not written yet, because Cassandra did not answer; it retries until they are
   * written.
   */
  pending: z.array(auditEventSchema).max(pendingMax),
  /** How many more are pending; left out: none. */
  pendingMore: z.number().int().min(1).optional(),
  /** The log was changed past the console. Unless the kind says otherwise, acts are refused until an operator has restarted it. Left out: all is well. */
  alarms: z.array(auditAlarmSchema).min(1).optional(),
})

export type AuditAct = z.infer<typeof auditActSchema>
export type AuditChain = z.infer<typeof auditChainSchema>
export type AuditEvent = z.infer<typeof auditEventSchema>
export type AuditEntry = z.infer<typeof auditEntrySchema>
export type ShownEntry = z.infer<typeof shownEntrySchema>
export type Unverified = z.infer<typeof unverifiedSchema>
export type AuditQuery = z.infer<typeof auditQuerySchema>
export type AuditAlarm = z.infer<typeof auditAlarmSchema>
export type AuditPage = z.infer<typeof auditPageSchema>
