import { randomUUID } from 'node:crypto'
import {
  type AuditChain,
  type AuditEntry,
  type AuditEvent,
  auditEntrySchema,
} from '../../../contract/audit.ts'
import { startOf } from '../../../contract/text-size.ts'

/** Of `before` and `after`, as JSON. */
const detailMaxBytes = 8 * 1024
const reasonMaxLength = 4_096
const nameMaxLength = 1_024

/** The place of an entry and its id. */
export interface Place {
  chain: AuditChain
  bucket: string
  seq: number
  /** ISO 8601, UTC, milliseconds. */
  at: string
  keyId: string
  /** Of this entry alone; an intent and its outcome have one id of the act, and two of these. */
  entry: string
}

/** One row of a bucket, as stored. */
export interface AuditRow {
  seq: number
  id: string
  body: string
  prev: string
  hash: string
}

/** The text that is hashed and stored: JSON in one order of its fields. @param event as `snapshotOf` gives it */
export function bodyOf(place: Place, event: AuditEvent): string {
  const { chain, bucket, seq, at, keyId, entry } = place
  const { act, phase, id, actor, on, reason, before, after, outcome, rows } = event
  return JSON.stringify({
    v: 1,
    chain,
    bucket,
    seq,
    at,
    keyId,
    entry,
    act,
    phase,
    id,
    actor,
    on,
    reason,
    before,
    after,
    outcome,
    rows,
  })
}

/** A copy of an event as it is now, no larger than a row may be: later changes of the event do not reach it. */
export function snapshotOf(event: AuditEvent): AuditEvent {
  const { act, phase, id, actor, on, reason, before, after, outcome, rows } = event
  return {
    act,
    phase,
    id: clip(id, nameMaxLength),
    actor: clipped(actor),
    on: clipped(on),
    reason: reason === null ? null : clip(reason, reasonMaxLength),
    before: bounded(before),
    after: bounded(after),
    outcome: outcome === null ? null : clip(outcome, nameMaxLength),
    rows,
  }
}

const clip = (text: string, length: number) => (text.length > length ? `${startOf(text, length)}…` : text)

const clipped = <T extends object>(names: T): T =>
  Object.fromEntries(
    Object.entries(names).map(([key, held]) => [
      key,
      typeof held === 'string' ? clip(held, nameMaxLength) : held,
    ]),
  ) as T

/** JSON of 8 kB at most; what is longer is cut, and says so. */
function bounded(detail: unknown): unknown {
  const text = JSON.stringify(detail, (_, held) => (typeof held === 'bigint' ? held.toString() : held))
  if (text === undefined) return null
  const bytes = Buffer.byteLength(text)
  if (bytes <= detailMaxBytes) return JSON.parse(text)
  // Cut text is escaped again, which may double it: half leaves room for that.
  const start = Buffer.from(text).subarray(0, detailMaxBytes / 2)
  // As of a stream that goes on: the bytes of a character that is cut in two are left out.
  return { cut: new TextDecoder().decode(start, { stream: true }), bytes }
}

/** What a row says. @returns null for a row that no console has written: `verify` names it */
export function entryOf(row: AuditRow): AuditEntry | null {
  try {
    const parsed = auditEntrySchema.safeParse({ ...JSON.parse(row.body), prev: row.prev, hash: row.hash })
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** An entry whose seal says which bucket is the next; null: not a seal. */
export function nextOfSeal({ act, after }: { act: string; after: unknown }): string | null {
  const next = (after as { next?: unknown } | null)?.next
  return act === 'seal' && typeof next === 'string' ? next : null
}

/** The last event of a bucket: it names the next one. */
export const sealEvent = (next: string): AuditEvent => ({
  act: 'seal',
  phase: 'event',
  id: randomUUID(),
  actor: { username: 'leasehold', role: null, via: 'server', address: null, requestId: null },
  on: { kind: 'console' },
  reason: null,
  before: null,
  after: { next },
  outcome: 'ok',
})
