/** What the dialog of a plan says, in a row. */

import type { Lease } from '../../../../lib/contract/leases/lease.ts'
import type { Role } from '../../../../lib/contract/people/rights.ts'
import type { ReleaseMode } from '../../../../lib/contract/releases/release.ts'
import type { PlanState } from '../plan-state.ts'

/** Under the name: what is going on with the lease. `wasRenewed`: a renewal was seen since the plan. */
export function planLead(state: PlanState, lease: Lease, wasRenewed: boolean): string {
  switch (state) {
    case 'free':
      return 'The lease is free. There is nothing left to release.'
    case 'changed':
      return 'The holder changed. This plan is for the holder before.'
    case 'broken':
      return 'The lease is quarantined. It becomes free by itself.'
    default:
      return heldLead(lease, wasRenewed)
  }
}

function heldLead(lease: Lease, wasRenewed: boolean): string {
  if (lease.state === 'eternal') return 'Held, without an expiry. Only a release frees it.'
  if (wasRenewed) return 'Held. The holder just renewed it, and may be working right now.'
  if (lease.state === 'partial') return 'Held. Its value expires before its owner.'
  return 'Held. The holder may be working right now.'
}

export const lostLead = 'The holder cannot be checked now. This is what the last read showed.'

/** Why a plan is dead, then what to do. What was done to a broken lease stands beside it. */
export const deadWords: Record<Exclude<PlanState, 'good'>, { title: string; detail: string }> = {
  expired: {
    title: 'This plan has expired.',
    detail: 'Plan again to re-read the holder; your input is kept.',
  },
  free: {
    title: 'The lease is free.',
    detail: 'Cassandra confirmed it: the lease expired, or was released or killed.',
  },
  changed: {
    title: 'The holder changed after this plan.',
    detail: 'Plan again to see the new holder; your reason is kept.',
  },
  broken: { title: 'Another person broke this lease.', detail: '' },
}

/** The first thing that is missing, in the order in which it stands. null: nothing is. */
export function missingText({
  mode,
  needsElevation,
  isSso,
  hasReason,
  isReasonTooLong,
  hasName,
  isOtherName,
}: {
  mode: ReleaseMode | null
  needsElevation: boolean
  isSso: boolean
  hasReason: boolean
  isReasonTooLong: boolean
  hasName: boolean
  /** What was typed so far is not the beginning of the lease's name. */
  isOtherName: boolean
}): string | null {
  if (mode === null) return 'Choose how to release it.'
  if (needsElevation) return isSso ? 'Sign in again first.' : 'Confirm your password first.'
  if (!hasReason) return 'Enter a reason.'
  if (isReasonTooLong) return 'Shorten the reason.'
  if (hasName) return null
  return isOtherName ? 'The typed name is not the name of this lease.' : 'Type the lease name.'
}

export const formWords = {
  reason: 'The audit log keeps it, with your name.',
  typedName: 'To confirm, type the lease name exactly.',
  secondPerson: {
    title: 'This lease needs two people.',
    detail: (approver: Role) => `You send a request. Another ${approver} must approve it.`,
  },
}
