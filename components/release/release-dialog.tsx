'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '../../lib/client/call/queries.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import type { ReleaseMode } from '../../lib/contract/releases/release.ts'
import { Dialog } from '../ui/control/dialog.tsx'
import { ChangedStep } from './changed-step.tsx'
import { ResultStep } from './outcome/result-step.tsx'
import { PlanStep } from './plan/plan-step.tsx'
import type { ReleaseStage } from './release-stage.ts'
import { UnheardStep } from './unheard-step.tsx'
import { useKeptReason } from './use-kept-reason.ts'

interface ReleaseDialogProps {
  name: string
  table: string | undefined
  /** The lease as the page showed it when the dialog was opened from there; null: it was opened by a link. */
  seen: Lease | null
  onClose: () => void
}

/** A forced release: plan, act, and what really happened. */
export function ReleaseDialog({ name, table, seen, onClose }: ReleaseDialogProps) {
  const client = useQueryClient()
  const [stage, setStage] = useState<ReleaseStage>({ at: 'plan' })
  const { reason, keep, forget } = useKeptReason(name, table)
  const [wanted, setWanted] = useState<ReleaseMode | null>(null)
  const [known, setKnown] = useState(seen)

  const settle = (next: ReleaseStage) => {
    setStage(next)
    if (next.at === 'result') forget()
    client.invalidateQueries({ queryKey: keys.lease(name, table) })
    client.invalidateQueries({ queryKey: keys.awaiting })
  }
  const plan = (mode: ReleaseMode | null) => {
    client.removeQueries({ queryKey: keys.plan(name, table) })
    if (mode !== null) setWanted(mode)
    setStage({ at: 'plan' })
  }
  return (
    <Dialog open onClose={onClose} sticky>
      {stage.at === 'plan' && (
        <PlanStep
          name={name}
          table={table}
          known={known}
          onKnown={setKnown}
          wanted={wanted}
          onWanted={setWanted}
          reason={reason}
          onReason={keep}
          onSettled={settle}
          onClose={onClose}
        />
      )}
      {stage.at === 'result' && (
        <ResultStep
          key={stage.release.id}
          first={stage.release}
          again={stage.again}
          onPlan={plan}
          onClose={onClose}
        />
      )}
      {stage.at === 'changed' && (
        <ChangedStep
          name={name}
          problem={stage.problem}
          onPlan={(mode) => {
            setKnown(stage.problem.current ?? known)
            plan(mode)
          }}
          onClose={onClose}
        />
      )}
      {stage.at === 'unheard' && (
        <UnheardStep plan={stage.plan} onSettled={settle} onPlan={plan} onClose={onClose} />
      )}
    </Dialog>
  )
}
