import type { Release } from '../../contract/releases/release.ts'
import { HttpProblem } from '../http/http-problem.ts'

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

function usedText({ mode, outcome, requestedAt, approval, plannedBy }: Release): string {
  const by = approval?.by
  const who =
    by === undefined || by === null || by === plannedBy ? plannedBy : `${plannedBy}, approved by ${by},`
  if (outcome === 'awaiting-approval') return 'It waits for a second person already.'
  const when = requestedAt === null ? '' : ` at ${requestedAt.slice(11, 19)} UTC`
  return `${who} used this plan${when} (${mode}): ${outcome.replaceAll('-', ' ')}. Nothing was done again.`
}
