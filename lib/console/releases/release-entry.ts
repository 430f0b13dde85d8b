import type { AuditEvent } from '../../contract/audit.ts'
import { actorOf, type Sender } from '../audit/actor.ts'
import type { Plan } from './plans.ts'
import type { ReleaseRecord } from './release-record.ts'

/** What audit entries have of a request. */
export const wishOf = ({ reason, mode, requestedBy }: ReleaseRecord) => ({
  reason,
  after: { mode, requestedBy },
})

/** What all entries about one plan have in common: its id, its lease, and the holder as it was seen. */
export function entryOf(plan: Plan, sender: Sender): Omit<AuditEvent, 'act' | 'phase' | 'outcome'> {
  const { table, name, owner, version, expiresAt, ttlSeconds } = plan.lease
  return {
    id: plan.id,
    actor: actorOf(sender),
    on: { kind: 'lease', table, name, owner },
    reason: null,
    before: { owner, version, expiresAt, ttlSeconds, planId: plan.id, plannedBy: plan.username },
    after: null,
  }
}
