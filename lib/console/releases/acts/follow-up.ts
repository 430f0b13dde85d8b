import { killSettleMs } from 'leasehold/operator'
import type { Clock } from 'leasehold/time'
import { z } from 'zod'
import type { AuditEntry } from '../../../contract/audit.ts'
import type { ReleaseMode } from '../../../contract/release.ts'
import { isUnderWay } from '../../audit/audited.ts'
import type { FollowUp } from '../../audit/recovery/recovery.ts'
import { sentWithinMs } from '../../audit/recovery/recovery.ts'
import { iso } from '../../http/instant.ts'
import type { Log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { noReport, type ReleaseRecord, type Report, releaseRow } from '../release-record.ts'
import type { Releases } from '../releases.ts'
import { findOut } from './find-out.ts'
import { renewalIn, renewalOutcome } from './renewal-follow-up.ts'

export interface ReleaseFollowUpDeps {
  releases: Releases
  tables: ReadonlyMap<string, LeaseTable>
  clock: Clock
  log: Log
}

/**
 * What became of a forced release. An outcome that is kept beside the plan is the outcome. Else Cassandra is read at
 * SERIAL: a mark of ours proves a break, however early; a holder that is another one than planned was superseded; a planned holder that
 * is still there was not released, once the act cannot take effect any more.
 */
export const releaseFollowUp =
  (deps: ReleaseFollowUpDeps): FollowUp =>
  async (intent, { early }) => {
    const { releases } = deps
    if (releases.isRunning(intent.id) || isUnderWay(intent.id)) return null
    const renewal = renewalIn(intent)
    if (renewal !== null) {
      const table = early ? null : tableOf(deps, intent)
      return table === null ? null : renewalOutcome(table, intent, renewal, deps.clock.now().wallMs)
    }
    const record = await releases.read(intent.id)
    // Without a plan: a person's DELETE of another owner's lease, which is a kill.
    const mode = record?.mode ?? 'kill'
    if (early && (record?.state !== 'acting' || mode !== 'break')) return null
    const isKept = record?.state === 'done' && record.report !== null
    const report = isKept ? record.report : await look(deps, intent, mode)
    if (report === null || (early && report.outcome !== 'broken')) return null
    const { outcome, safeAt } = record === null || isKept ? report : await releases.settle(record.id, report)
    return { outcome, after: { mode, outcome, safeAt } }
  }

/**
 * What became of a rejection: the row says so, and from the outcome on no older one of it counts.
 * Does not guarantee: to tell a rejection whose row was put back before this looked: it is told as not done.
 */
export const rejectionFollowUp =
  ({ releases }: Pick<ReleaseFollowUpDeps, 'releases'>): FollowUp =>
  async ({ before, actor }) => {
    const { planId } = planIdSchema.parse(before)
    const record = await releases.read(planId)
    // Of two who reject at the same time one did.
    const isDone = record?.state === 'rejected' && record.decidedBy === actor.username
    if (!isDone) return { outcome: 'not-done', after: null }
    return { outcome: 'ok', after: null, rows: [releaseRow(record.plan, record.version)] }
  }

const planIdSchema = z.object({ planId: z.string() })

/** null: another instance may have it configured. */
function tableOf({ tables, log }: ReleaseFollowUpDeps, { id, on }: Pick<AuditEntry, 'id' | 'on'>) {
  const table = on.kind === 'lease' ? tables.get(on.table) : undefined
  if (table === undefined)
    log.error({ id, on }, 'a forced release cannot be followed up here: its table is not configured')
  return table ?? null
}

async function look(
  deps: ReleaseFollowUpDeps,
  { id, on, at }: Pick<AuditEntry, 'id' | 'on' | 'at'>,
  mode: ReleaseMode,
): Promise<Report | null> {
  const { clock } = deps
  const table = tableOf(deps, { id, on })
  if (table === null || on.kind !== 'lease') return null
  const { name, owner } = on
  const seen = await table.leases.read(name)
  const now = clock.now()
  const report = (outcome: Report['outcome'], safeAt: string | null = null): Report => ({
    ...noReport,
    outcome,
    safeAt,
    current: seen === null ? null : leaseJson(table, seen, now),
    currentReadAt: iso(now.wallMs),
    steps: [
      { what: 'The server ended in between; found out by a SERIAL read', at: iso(now.wallMs), ok: true },
    ],
  })
  const sentAtMs = Date.parse(at) + sentWithinMs
  if (owner === null || table.mapping.owner === null) {
    // The row does not say whose it is: it may be the released holder's, or the next one's.
    if (seen === null) return report('superseded')
    return now.wallMs - sentAtMs >= killSettleMs ? report('unknown') : null
  }
  const found = await findOut(table, mode, id, { name, owner, sentAtMs }, clock)
  switch (found.kind) {
    case 'unknown':
      return null
    case 'broken':
      return report('broken', iso(found.safeAtMs))
    case 'not-broken':
    case 'not-asked':
      return report('not-released')
    default:
      return report(found.kind)
  }
}

/** For a plan that was used by a process that died before it wrote its intent: no recovery hears of it. */
export async function staleReport(deps: ReleaseFollowUpDeps, record: ReleaseRecord): Promise<Report | null> {
  const { id, plan, mode, requestedAtMs, decidedAtMs } = record
  const sinceMs = decidedAtMs ?? requestedAtMs ?? 0
  if (record.state !== 'acting' || mode === null || deps.releases.isRunning(id)) return null
  if (deps.clock.now().wallMs - sinceMs < 2 * sentWithinMs + killSettleMs) return null
  const { table, name, owner } = plan.lease
  const report = await look(deps, { id, at: iso(sinceMs), on: { kind: 'lease', table, name, owner } }, mode)
  return report === null ? null : deps.releases.settle(id, report)
}
