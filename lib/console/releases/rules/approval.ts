/** Whether the person who approves a release, and the person who requested it, may release it together. */

import { roles } from '../../../contract/people/rights.ts'
import type { User } from '../../../contract/people/user.ts'
import type { ReleaseMode } from '../../../contract/releases/release.ts'
import { releaseModes } from '../../../contract/releases/release-modes.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { ReleaseRecord } from '../release-record.ts'
import type { ReleaseRules } from './offers.ts'
import { type Account, checkSettled, checkTwoPeople } from './second-person.ts'

export interface ApprovalServices {
  readonly config: ReleaseRules
  readonly users: { find(username: string): Promise<(Account & Pick<User, 'role' | 'disabled'>) | null> }
}

/** An account whose row does not count is refused: what cannot be read proves no second person. @throws HttpProblem forbidden */
export async function checkSecondPerson(
  { requestedBy, mode }: Pick<ReleaseRecord, 'requestedBy' | 'mode'>,
  approvedBy: string,
  { users, config }: ApprovalServices,
  nowMs: number,
): Promise<void> {
  const asker = requestedBy === null ? null : await users.find(requestedBy)
  // Either person may have lost the right to since they were permitted: both must have it now.
  const isAllowed = ({ role, disabled }: Pick<User, 'role' | 'disabled'>, least: ReleaseMode) =>
    !disabled && roles.indexOf(role) >= roles.indexOf(releaseModes[least].role)
  if (asker === null || mode === null || !isAllowed(asker, mode))
    throw new HttpProblem(
      'forbidden',
      `${requestedBy} requested this release, but may no longer ${mode} leases.`,
    )
  const approver = await users.find(approvedBy)
  if (approver === null)
    throw new HttpProblem(
      'forbidden',
      `The account ${approvedBy} could not be read, so it cannot approve a release.`,
    )
  if (!isAllowed(approver, mode))
    throw new HttpProblem('forbidden', `${approvedBy} may no longer ${mode} leases.`)
  checkTwoPeople(approver, asker)
  for (const account of [approver, asker]) checkSettled(account, config.secondPersonAfterMs, nowMs)
}
