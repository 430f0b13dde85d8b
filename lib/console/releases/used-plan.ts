import type { Release } from '../../contract/releases/release.ts'
import { WithoutEffect } from '../audit/audited.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { Plan } from './plans.ts'
import { releaseRow } from './release-record.ts'

/** A plan that cannot be used again. null: its row has expired. */
export const usedProblem = (release: Release | null): HttpProblem =>
  release === null
    ? new HttpProblem('plan-expired', 'The plan is no longer kept. Plan again.')
    : new HttpProblem('plan-used', usedText(release), { release })

/** A release that cannot be approved or rejected. */
export const notAwaitingProblem = (release: Release): HttpProblem =>
  new HttpProblem(
    'not-awaiting',
    release.outcome === 'lapsed'
      ? 'The release was not approved in time. Nothing was released. Plan again.'
      : `This release no longer waits for approval: ${usedText(release)}`,
    { release },
  )

/** @param version which the row did not get: from the audit entry on, the row as it is counts no more */
export const withoutEffect = (plan: Plan, version: number): WithoutEffect =>
  new WithoutEffect(
    'Nothing was released: the row of this release was not written, although Cassandra answered that it was. Something other than this console gave the row, or a part of it, a timestamp in the future. Plan again, and see docs/operations.md, “Rows dated in the future”.',
    [releaseRow(plan, version)],
  )

/** Who used the plan, and what came of it. */
export function usedText({ mode, outcome, requestedAt, approval, plannedBy }: Release): string {
  if (outcome === 'awaiting-approval') return 'It waits for a second person already.'
  const by = approval?.by ?? plannedBy
  const who = by === plannedBy || outcome === 'rejected' ? plannedBy : `${plannedBy}, approved by ${by},`
  const when = requestedAt === null ? '' : ` at ${requestedAt.slice(11, 19)} UTC`
  const ended = outcome === 'rejected' ? `rejected by ${by}` : outcome.replaceAll('-', ' ')
  return `${who} used this plan${when} (${mode}): ${ended}. Nothing was done again.`
}
