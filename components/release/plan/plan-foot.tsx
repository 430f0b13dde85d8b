'use client'

import type { ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { ActButton } from '../modes/act-button.tsx'
import { CopyLink } from '../outcome/copy-link.tsx'
import type { PlanState } from './plan-state.ts'

export interface PlanFootProps {
  planId: string
  state: PlanState
  /** null: none is chosen. */
  mode: ReleaseMode | null
  secondPerson: boolean
  /** Why nothing can be released now; null: it can. */
  lock: string | null
  planning: boolean
  sending: boolean
  /** What has to be done before the button can be pressed; null: nothing. */
  missing: string | null
  onAct: () => void
  onPlanAgain: () => void
  onClose: () => void
}

/** The way out, and the one button: the act, or a new plan where this one is dead. */
export function PlanFoot({ state, lock, planning, missing, onPlanAgain, onClose, ...act }: PlanFootProps) {
  const isDead = state !== 'good'
  // Of a lease that is free or quarantined there is nothing to plan: to leave is the likely next step.
  const leaves = state === 'free' || state === 'broken'
  if (isDead && !act.sending)
    return (
      <div className="df">
        <button
          type="button"
          className={leaves ? 'btn primary push' : 'btn push'}
          data-input={leaves ? 'missing' : undefined}
          onClick={onClose}
        >
          Close
        </button>
        {!leaves && (
          <button
            type="button"
            className="btn primary"
            data-input="missing"
            aria-disabled={lock !== null || planning || undefined}
            title={lock ?? undefined}
            onClick={() => lock === null && !planning && onPlanAgain()}
          >
            {planning ? 'Planning…' : 'Plan again'}
          </button>
        )}
      </div>
    )
  return (
    <div className="df">
      <CopyLink id={act.planId} text="Copy link to this plan" />
      <span className="small dim push missing" id="act-missing">
        {missing}
      </span>
      <button type="button" className="btn" onClick={onClose}>
        Cancel
      </button>
      <ActButton
        mode={act.mode}
        secondPerson={act.secondPerson}
        locked={lock ?? (missing !== null || planning ? '' : null)}
        sending={act.sending}
        onAct={act.onAct}
      />
    </div>
  )
}
