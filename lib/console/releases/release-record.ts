import { z } from 'zod'
import {
  approvalLifetimeSeconds,
  type Release,
  releaseModeSchema,
  releaseSchema,
} from '../../contract/releases/release.ts'
import { iso, isoOrNull } from '../http/instant.ts'
import type { ReadRow } from '../store/sealed-rows.ts'
import { type Plan, planSchema } from './plans.ts'
import { sealedColumns } from './release-statements.ts'
import { killOverlapMs } from './rules/kill-overlap.ts'

/** The state of a plan. `done`: the report is final. */
const stateSchema = z.enum(['planned', 'awaiting-approval', 'rejected', 'acting', 'done'])

/** The outcome so far: the part of a release that changes while it is carried out. */
const reportSchema = releaseSchema.pick({
  outcome: true,
  renewedSincePlan: true,
  current: true,
  currentReadAt: true,
  safeAt: true,
  overlapMs: true,
  steps: true,
  finalBy: true,
})
export type Report = z.infer<typeof reportSchema>

export const noReport: Report = {
  outcome: 'pending',
  renewedSincePlan: false,
  current: null,
  currentReadAt: null,
  safeAt: null,
  overlapMs: null,
  steps: [],
  finalBy: null,
}

const json = <T extends z.ZodType>(schema: T) =>
  z.string().transform((text, context): z.output<T> => {
    const parsed = schema.safeParse(jsonOf(text))
    if (parsed.success) return parsed.data
    context.addIssue({ code: 'custom', message: parsed.error.message })
    return z.NEVER
  })
/** undefined: the text is no JSON. The role of the console may write any text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const wallMs = z.date().transform((date) => date.getTime())

/** One row of `releases`. */
const recordSchema = z
  .object({
    id: z.string(),
    state: stateSchema,
    plan: json(planSchema),
    mode: releaseModeSchema.nullable(),
    reason: z.string().nullable(),
    requested_by: z.string().nullable(),
    requested_at: wallMs.nullable(),
    decided_by: z.string().nullable(),
    decided_at: wallMs.nullable(),
    decision_reason: z.string().nullable(),
    report: json(reportSchema).nullable(),
    attempt: z.string().nullable(),
    version: z.number(),
  })
  .transform((row) => ({
    id: row.id,
    state: row.state,
    plan: row.plan,
    mode: row.mode,
    reason: row.reason,
    requestedBy: row.requested_by,
    requestedAtMs: row.requested_at,
    decidedBy: row.decided_by,
    decidedAtMs: row.decided_at,
    decisionReason: row.decision_reason,
    report: row.report,
    /** Which attempt made the last change: the proof that it was ours, when its answer is lost. */
    attempt: row.attempt,
    version: row.version,
  }))
export type ReleaseRecord = z.infer<typeof recordSchema>

export type Row = Record<(typeof sealedColumns)[number], string | Date | null>
export const emptyRow = Object.fromEntries(sealedColumns.map((column) => [column, null])) as Row
/** A row that counts: as the console reads it, and its columns as they stand. */
export interface Stored {
  record: ReleaseRecord
  row: Row
}

/** @param found a row as the driver gives it */
export function readRelease(found: Record<string, unknown>): ReadRow<Stored> {
  const at = { table: 'releases', key: String(found.id) }
  const { data: record } = recordSchema.safeParse(found)
  // A row that its schema refuses gives no right, whatever its seal.
  if (record === undefined)
    return { ...at, version: null, seal: null, columns: null, row: undefined as never }
  const row = Object.fromEntries(sealedColumns.map((column) => [column, found[column]])) as Row
  return {
    ...at,
    version: record.version,
    seal: found.seal as string | null,
    columns: row,
    row: { record, row },
  }
}

/** Rows are kept for 30 days, and an hour more because clocks differ. */
const keptMs = (30 * 24 + 1) * 3_600_000

/** What an audit entry says of the row of a plan. */
export const releaseRow = ({ id, madeAtMs }: Plan, version: number) => ({
  table: 'releases',
  key: id,
  version,
  untilMs: madeAtMs + keptMs,
})

const approvalUntilMs = ({ requestedAtMs }: ReleaseRecord): number =>
  (requestedAtMs ?? 0) + approvalLifetimeSeconds * 1000

/** Whether it still waits for a second person. */
export const isAwaiting = (record: ReleaseRecord, nowMs: number): boolean =>
  record.state === 'awaiting-approval' && nowMs < approvalUntilMs(record)

/**
 * A release as the API shows it.
 * @param live what the process that carries it out knows beyond the row; once the row has an outcome, that one counts: another instance
 * may have found out a different one, and kept it first
 */
export function releaseOf(record: ReleaseRecord, nowMs: number, live?: Report): Release {
  const { plan } = record
  const report = (isDone(record) ? null : live) ?? record.report ?? unreported(record)
  const waited = record.state === 'awaiting-approval' || record.decidedAtMs !== null
  return {
    id: record.id,
    ...report,
    outcome: outcomeOf(record, nowMs, report),
    planned: plan.lease,
    plannedBy: plan.username,
    plannedAt: iso(plan.madeAtMs),
    planExpiresAt: iso(plan.expiresAtMs),
    mode: record.mode,
    reason: record.reason,
    requestedAt: isoOrNull(record.requestedAtMs),
    approval: waited
      ? {
          by: record.decidedBy,
          at: isoOrNull(record.decidedAtMs),
          reason: record.decisionReason,
          until: iso(approvalUntilMs(record)),
        }
      : null,
    now: iso(nowMs),
  }
}

/**
 * Of an act that another process carries out, or none yet: what it read since the plan is not known. Nor is it known here how
 * Cassandra writes: v1 contends for longer.
 */
export const unreportedOverlapMs = ({ mode, plan }: Pick<ReleaseRecord, 'mode' | 'plan'>): number | null =>
  mode === 'kill' ? killOverlapMs(plan.lease, 'v1') : null

const unreported = (record: ReleaseRecord): Report => ({
  ...noReport,
  overlapMs: unreportedOverlapMs(record),
})

function outcomeOf(record: ReleaseRecord, nowMs: number, report: Report): Release['outcome'] {
  switch (record.state) {
    case 'planned':
    case 'rejected':
      return record.state
    case 'awaiting-approval':
      return isAwaiting(record, nowMs) ? 'awaiting-approval' : 'lapsed'
    default:
      return report.outcome
  }
}

const isDone = ({ state }: ReleaseRecord): boolean => state === 'done'

/** Whether nothing changes the row any more, on any instance. */
export const isSettled = (record: ReleaseRecord): boolean => isDone(record) || record.state === 'rejected'

/** Outcomes after which nothing changes any more, as far as this instance knows. */
export const isFinal = ({ outcome }: Pick<Release, 'outcome'>): boolean =>
  outcome !== 'pending' && outcome !== 'awaiting-approval' && outcome !== 'planned'

/** Releases that wait. `more`: the list goes on with older ones, which were not read. */
export interface Awaiting {
  readonly records: readonly ReleaseRecord[]
  readonly more: boolean
}
