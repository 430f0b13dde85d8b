/**
 * What became of an acquisition or a renewal whose process ended before it had an answer.
 *
 * A renewal stands in the audit log where a person renews another owner's lease, or a name of two people gets less time than
 * was left. Its intent names the TTL that was asked for, and the version and the TTL of the row before it.
 * 1. Another holder, or none: `superseded`. The lease may have ended because of the renewal, or by itself.
 * 2. The holder's row has the version that it had: `not-done`.
 * 3. The row is newer and has the TTL that was asked for, which it did not have before: `renewed`.
 * 4. The row is newer, and its TTL does not tell whose renewal that was, the holder's or this one: `unknown`.
 *
 * An acquisition by a person is `acquired` when the row has the owner that the console drew for it. Otherwise it is `unknown`:
 * the lease may have been acquired, and have ended since.
 */
import { openForMs } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import { z } from 'zod'
import type { AuditEntry } from '../../contract/audit.ts'
import {
  actOverAfterIntentMs,
  type FollowedUp,
  type FollowUp,
  type FollowUps,
} from '../audit/recovery/recovery.ts'
import type { Log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { isOwnerOf } from './owner-name.ts'

/** What the intent of a renewal says under `after`. */
const renewalSchema = z.object({
  ttlSeconds: z.number(),
  /** Of the row as it was read just before; null: it had none. */
  versionBefore: z.string().nullable(),
  ttlSecondsBefore: z.number().nullable(),
})
export type Renewal = z.infer<typeof renewalSchema>

/** A row's TTL is known only to whole seconds. */
export const ttlToleranceSeconds = 1

interface LockFollowUpDeps {
  tables: ReadonlyMap<string, LeaseTable>
  clock: Clock
  log: Log
}

export function lockFollowUps(deps: LockFollowUpDeps): FollowUps {
  return {
    renewal: (intent, when) => renewalFollowUp(deps, intent, when),
    acquire: (intent) => acquireFollowUp(deps, intent),
  }
}

async function renewalFollowUp(
  deps: LockFollowUpDeps,
  { on, at, after, id }: AuditEntry,
  { early }: Parameters<FollowUp>[1],
): Promise<FollowedUp | null> {
  const table = tableOf(deps, { on, id })
  const isSettled = deps.clock.now().wallMs - Date.parse(at) >= actOverAfterIntentMs + openForMs
  if (table === null || on.kind !== 'lease' || early || !isSettled) return null
  const { ttlSeconds, versionBefore, ttlSecondsBefore } = renewalSchema.parse(after)
  const now = await table.leases.read(on.name)
  const found = (outcome: string): FollowedUp => ({
    outcome,
    after: { outcome, ttlSeconds: now?.ttlSeconds ?? null },
  })
  if (now === null || now.owner !== on.owner) return found('superseded')
  if (now.version !== null && String(now.version) === versionBefore) return found('not-done')
  const isAsked = (ttl: number | null) => ttl !== null && Math.abs(ttl - ttlSeconds) <= ttlToleranceSeconds
  return found(isAsked(now.ttlSeconds) && !isAsked(ttlSecondsBefore) ? 'renewed' : 'unknown')
}

async function acquireFollowUp(
  deps: LockFollowUpDeps,
  { on, actor, id }: AuditEntry,
): Promise<FollowedUp | null> {
  const table = tableOf(deps, { on, id })
  if (table === null || on.kind !== 'lease') return null
  const now = await table.leases.read(on.name)
  const isDrawn = on.owner !== null && isOwnerOf(actor.username, on.owner)
  const outcome = isDrawn && now?.owner === on.owner ? 'acquired' : 'unknown'
  return { outcome, after: { outcome, holder: now?.owner ?? null } }
}

/** null: another instance may have it configured. */
function tableOf({ tables, log }: LockFollowUpDeps, { on, id }: Pick<AuditEntry, 'on' | 'id'>) {
  const table = on.kind === 'lease' ? tables.get(on.table) : undefined
  if (table === undefined)
    log.error({ id, on }, 'an act on a lease cannot be followed up here: its table is not configured')
  return table ?? null
}
