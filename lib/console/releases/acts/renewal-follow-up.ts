/**
 * What became of a renewal that counts as a kill: a person renews another owner's lease, or one of two people, for less time
 * than was left. Its intent names the TTL that was asked for, and the version and the TTL of the row before it.
 *
 * 1. Another holder, or none: `superseded`. The lease may have ended because of the renewal, or by itself.
 * 2. The holder's row has the version that it had: `not-done`.
 * 3. The row is newer and has the TTL that was asked for, which it did not have before: `renewed`.
 * 4. The row is newer, and its TTL does not tell whose renewal that was, the holder's or this one: `unknown`.
 */
import { killSettleMs } from 'leasehold/operator'
import { z } from 'zod'
import type { AuditEntry } from '../../../contract/audit.ts'
import { type FollowedUp, sentWithinMs } from '../../audit/recovery/recovery.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'

/** What the intent of such a renewal says under `after`. */
const renewalSchema = z.object({
  ttlSeconds: z.number(),
  /** Of the row as it was read just before; null: it had none. */
  versionBefore: z.string().nullable(),
  ttlSecondsBefore: z.number().nullable(),
})
export type Renewal = z.infer<typeof renewalSchema>

/** null: the intent is none of a renewal. */
export const renewalIn = ({ after }: Pick<AuditEntry, 'after'>): Renewal | null =>
  z.object({ renewal: renewalSchema }).safeParse(after).data?.renewal ?? null

/** The TTL of a row is what Cassandra's whole seconds tell of it. */
const ttlToleranceSeconds = 1

/** null: that cannot be told yet. @throws StoreUnavailableError */
export async function renewalOutcome(
  { leases }: Pick<LeaseTable, 'leases'>,
  { on, at }: Pick<AuditEntry, 'on' | 'at'>,
  { ttlSeconds, versionBefore, ttlSecondsBefore }: Renewal,
  nowMs: number,
): Promise<FollowedUp | null> {
  if (on.kind !== 'lease' || nowMs - Date.parse(at) < sentWithinMs + killSettleMs) return null
  const now = await leases.read(on.name)
  const found = (outcome: string): FollowedUp => ({
    outcome,
    after: { mode: 'kill', outcome, ttlSeconds: now?.ttlSeconds ?? null },
  })
  if (now === null || now.owner !== on.owner) return found('superseded')
  if (now.version !== null && String(now.version) === versionBefore) return found('not-done')
  const isAsked = (ttl: number | null) => ttl !== null && Math.abs(ttl - ttlSeconds) <= ttlToleranceSeconds
  return found(isAsked(now.ttlSeconds) && !isAsked(ttlSecondsBefore) ? 'renewed' : 'unknown')
}
