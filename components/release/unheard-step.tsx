'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { isNotActedOn, mayBeUsed, releaseQuery } from '../../lib/client/call/queries.ts'
import type { ReleasePlan } from '../../lib/contract/releases/release.ts'
import { Instant } from '../shell/time/instant.tsx'
import { DialogLead, DialogTitle } from '../ui/control/dialog.tsx'
import { Icon } from '../ui/control/icon.tsx'
import { Say } from '../ui/text/say.tsx'
import { LeaseName } from './holder/lease-name.tsx'
import type { ReleaseStage } from './release-stage.ts'

/** Before this a plan that was not carried out yet is normal, and not said. */
const sayPlannedAfterMs = 10_000

interface UnheardStepProps {
  plan: ReleasePlan
  onSettled: (stage: ReleaseStage) => void
  onPlan: (mode: null) => void
  onClose: () => void
}

/**
 * The request to release was sent, and no answer came. The server keeps releases under the
 * plan's id, so that it can be asked for the outcome.
 */
export function UnheardStep({ plan, onSettled, onPlan, onClose }: UnheardStepProps) {
  const { data, error } = useQuery(releaseQuery(plan.id))
  useEffect(() => {
    if (data && data.outcome !== 'planned') onSettled({ at: 'result', release: data, again: false })
  }, [data, onSettled])

  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), sayPlannedAfterMs)
    return () => clearTimeout(timer)
  }, [])
  // Of a request that has arrived nothing shows before the first write of the act, which may take as long as the act may.
  const isPlanned = isNotActedOn(data, error)
  const isOver = data?.outcome === 'planned' && !mayBeUsed(data)
  if (isOver || (isPlanned && late))
    return (
      <div className="body first-step">
        <div role="status">
          <DialogTitle>
            {isOver ? 'Not carried out' : 'Not carried out so far'}: <LeaseName name={plan.lease.name} />
          </DialogTitle>
          <DialogLead>
            {isOver ? (
              'The plan expired, and was not used. Nothing was released, and nothing will be by this plan.'
            ) : (
              <>
                Nothing was released so far. The request may still arrive until the plan expires, at{' '}
                <Instant at={plan.expiresAt} zoned />, and be carried out within a minute after that. The
                console goes on asking. Look at the lease before you do anything else.
              </>
            )}
          </DialogLead>
        </div>
        <div className="acts mt-4 pb-4">
          <button type="button" className="btn push" onClick={() => onPlan(null)}>
            Plan again
          </button>
          <button type="button" className="btn primary" onClick={onClose}>
            Close, look at the lease
          </button>
        </div>
      </div>
    )
  return (
    <div className="body first-step">
      <div role="status">
        <DialogTitle>
          No answer from the server yet: <LeaseName name={plan.lease.name} />
        </DialogTitle>
        <DialogLead>
          The request was sent; whether it arrived is unknown. The console is asking the server for the
          outcome. Do not send it again.
        </DialogLead>
      </div>
      <ol className="steps mt-3" aria-label="What was done">
        <li className="done">
          <Icon name="check" />
          <span>Request sent</span>
          <span />
        </li>
        <li className="cur">
          <Icon name="verifying" />
          <span>Asking the server for the outcome of release {plan.id}</span>
          <span />
        </li>
      </ol>
      {error && !isPlanned && (
        <div className="mt-3">
          <Say tone="warn" icon="stale" title={errorWords(error).title}>
            Retrying.
          </Say>
        </div>
      )}
      <div className="acts mt-4 pb-4">
        <button type="button" className="btn push" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}
