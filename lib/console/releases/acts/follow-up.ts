import { forcedSettleMs } from 'leasehold/operator'
import type { Clock } from 'leasehold/time'
import { z } from 'zod'
import type { AuditEntry } from '../../../contract/audit.ts'
import { type ReleaseMode, releaseModeSchema } from '../../../contract/releases/release.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { isUnderWay } from '../../audit/audited.ts'
import { AuditDamagedError } from '../../audit/chain/end/chain-alarm.ts'
import type { FollowUp } from '../../audit/recovery/recovery.ts'
import { actOverAfterIntentMs } from '../../audit/recovery/recovery.ts'
import { iso } from '../../http/instant.ts'
import type { Log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { noReport, type ReleaseRecord, type Report, releaseRow } from '../release-record.ts'
import type { Releases } from '../releases.ts'
import { killOverlapMs, mayHaveDeleted } from '../rules/kill-overlap.ts'
import { findOut } from './find-out.ts'

interface ReleaseFollowUpDeps {
  releases: Releases
  tables: ReadonlyMap<string, LeaseTable>
  clock: Clock
  log: Log
}

/**
 * Finds the outcome of a forced release. An outcome in the plan's row counts. Without one, a SERIAL read of the lease decides:
 * our own mark proves a break, at any time; another holder than the planned one means *superseded*; the planned holder means
 * *not released*, once the act cannot take effect any more.
 *
 * The signed intent says how the lease was to be released: another client may have deleted the plan's row. Without the
 * row, *superseded* cannot be distinguished from an outcome that was kept in it: *unknown*.
 */
export const releaseFollowUp =
  (deps: ReleaseFollowUpDeps): FollowUp =>
  async (intent, { early }) => {
    const { releases } = deps
    if (releases.isRunning(intent.id) || isUnderWay(intent.id)) return null
    const record = await releases.read(intent.id)
    const mode = modeIn(intent) ?? record?.mode ?? null
    if (early && (mode !== 'break' || (record !== null && record.state !== 'acting'))) return null
    if (mode === null) return { outcome: 'unknown', after: null }
    const isKept = record?.state === 'done' && record.report !== null
    const report = isKept ? record.report : await look(deps, intent, mode, record)
    if (report === null || (early && report.outcome !== 'broken')) return null
    const { outcome, safeAt } = record === null || isKept ? report : await releases.settle(record.id, report)
    const isHidden = record === null && hadPlan(intent) && outcome === 'superseded'
    const found = isHidden ? 'unknown' : outcome
    return { outcome: found, after: { mode, outcome: found, safeAt } }
  }

/** It proves nothing: it has expired, or another client has deleted it. */
const rowIsGone = { outcome: 'unknown', after: null }

/**
 * Finds the outcome of a rejection in the plan's row. From that entry on, older versions of the row do not count.
 * Does not guarantee: the right outcome when an older row was put back before this read: it says *not done*.
 */
export const rejectionFollowUp =
  ({ releases }: Pick<ReleaseFollowUpDeps, 'releases'>): FollowUp =>
  async ({ before, actor }) => {
    const { planId } = planIdSchema.parse(before)
    const record = await releases.read(planId)
    // When two people reject at the same time, one of them did it.
    if (record === null) return rowIsGone
    const isDone = record.state === 'rejected' && record.decidedBy === actor.username
    if (!isDone) return { outcome: 'not-done', after: null }
    return { outcome: 'ok', after: null, rows: [releaseRow(record.plan, record.version)] }
  }

/** Finds the outcome of a request for approval in the plan's row, by the person and the time that the row names. */
export const requestFollowUp =
  ({ releases }: Pick<ReleaseFollowUpDeps, 'releases'>): FollowUp =>
  async ({ before, after, actor }) => {
    const record = await releases.read(planIdSchema.parse(before).planId)
    if (record === null) return rowIsGone
    const { requestedAt } = z.object({ requestedAt: z.iso.datetime() }).parse(after)
    const isDone = record.requestedBy === actor.username && record.requestedAtMs === Date.parse(requestedAt)
    return { outcome: isDone ? 'ok' : 'not-done', after: null }
  }

/** Finds the outcome of an approval in the same way. */
export const approvalFollowUp =
  ({ releases }: Pick<ReleaseFollowUpDeps, 'releases'>): FollowUp =>
  async ({ before, after, actor }) => {
    const record = await releases.read(planIdSchema.parse(before).planId)
    if (record === null) return rowIsGone
    const { decidedAt } = z.object({ decidedAt: z.iso.datetime() }).parse(after)
    const isDone =
      record.state !== 'rejected' &&
      record.decidedBy === actor.username &&
      record.decidedAtMs === Date.parse(decidedAt)
    return { outcome: isDone ? 'ok' : 'not-done', after: null }
  }

const planIdSchema = z.object({ planId: z.string() })

/** A person's `DELETE` of another owner's lease has no plan. */
const hadPlan = ({ before }: Pick<AuditEntry, 'before'>): boolean => planIdSchema.safeParse(before).success

/** How the lease was to be released; null: the intent does not say. */
const modeIn = ({ after }: Pick<AuditEntry, 'after'>): ReleaseMode | null =>
  z.object({ mode: releaseModeSchema }).safeParse(after).data?.mode ?? null

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
  record: ReleaseRecord | null,
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
    // What the act read after the plan is lost with its process.
    overlapMs:
      mode === 'kill' && record !== null && mayHaveDeleted(outcome)
        ? killOverlapMs(record.plan.lease, table.leases.context.store.paxosVariant)
        : null,
    current: seen === null ? null : leaseJson(table, seen, now),
    currentReadAt: iso(now.wallMs),
    steps: [
      { what: 'The server stopped midway; a SERIAL read found the outcome', at: iso(now.wallMs), ok: true },
    ],
  })
  const sentAtMs = Date.parse(at) + actOverAfterIntentMs
  if (owner === null || table.mapping.owner === null) {
    // The row has no owner: it may be the released holder's row, or the next holder's.
    if (seen === null) return report('superseded')
    return now.wallMs - sentAtMs >= forcedSettleMs ? report('unknown') : null
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

interface StaleReleaseDeps extends ReleaseFollowUpDeps {
  audit: Pick<AuditLog, 'follow' | 'page' | 'alarms'>
}

/**
 * For a plan whose process died before it wrote its intent: the recovery does not know of such an act. The audit log proves that
 * nothing was sent; where it proves nothing, because it was changed past the console, the lease decides.
 * @throws StoreUnavailableError
 */
export async function staleReport(deps: StaleReleaseDeps, record: ReleaseRecord): Promise<Report | null> {
  const { id, plan, mode, requestedAtMs, decidedAtMs } = record
  const sinceMs = decidedAtMs ?? requestedAtMs ?? 0
  if (record.state !== 'acting' || mode === null || deps.releases.isRunning(id)) return null
  const nowMs = deps.clock.now().wallMs
  if (nowMs - sinceMs < 2 * actOverAfterIntentMs + forcedSettleMs) return null
  const { table, name, owner } = plan.lease
  const on = { kind: 'lease', table, name, owner } as const
  const report = (await hasNoIntent(deps.audit, id, sinceMs))
    ? unsent(nowMs)
    : await look(deps, { id, at: iso(sinceMs), on }, mode, record)
  return report === null ? null : deps.releases.settle(id, report)
}

const unsent = (nowMs: number): Report => ({
  ...noReport,
  outcome: 'not-sent',
  steps: [
    {
      what: 'The server stopped before it wrote the intent into the audit log, and so before it sent anything',
      at: iso(nowMs),
      ok: false,
    },
  ],
})

/** Clocks of instances differ by less than this. */
const aroundMs = 3_600_000

/** Whether the audit log proves that no intent was written. One that is written after this is refused as too late to act on. */
async function hasNoIntent(audit: StaleReleaseDeps['audit'], id: string, sinceMs: number): Promise<boolean> {
  try {
    await audit.follow()
  } catch (thrown) {
    if (thrown instanceof AuditDamagedError) return false
    throw thrown
  }
  const range = { id, from: iso(sinceMs - aroundMs), to: iso(sinceMs + aroundMs) }
  for (let cursor: string | undefined; ; ) {
    const { entries, nextCursor } = await audit.page({ ...range, cursor })
    if (entries.some(({ act, phase }) => act === 'release' && phase !== 'event')) return false
    // The pages may have found that entries are missing or altered: one of them may be the intent.
    if (nextCursor === null) return audit.alarms.length === 0
    cursor = nextCursor
  }
}
