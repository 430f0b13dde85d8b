'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isApiError } from '../../lib/client/api-error.ts'
import { errorWords } from '../../lib/client/error-words.ts'
import { releaseQuery } from '../../lib/client/queries.ts'
import type { ReleasePlan } from '../../lib/contract/releases/release.ts'
import { Instant } from '../shell/instant.tsx'
import { DialogLead, DialogTitle } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import type { ReleaseStage } from './release-stage.ts'

/** A request that has not arrived after this will not arrive: the plan itself is only good for 60 s. */
const givesUpAfterMs = 10_000

interface UnheardStepProps {
  plan: ReleasePlan
  onSettled: (stage: ReleaseStage) => void
  onPlan: (mode: null) => void
  onClose: () => void
}

/**
 * The request to release was sent, and this browser never heard of it again. The server keeps releases under the
 * plan's id, so that it can be asked what became of it.
 */
export function UnheardStep({ plan, onSettled, onPlan, onClose }: UnheardStepProps) {
  const { data, error } = useQuery(releaseQuery(plan.id))
  useEffect(() => {
    if (data && data.outcome !== 'planned') onSettled({ at: 'result', release: data, again: false })
  }, [data, onSettled])

  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), givesUpAfterMs)
    return () => clearTimeout(timer)
  }, [])
  // The plan is known from when it was made: as long as nobody has acted on it the request has not arrived.
  const unheardOf = data?.outcome === 'planned' || (isApiError(error) && error.code === 'not-found')
  if (unheardOf && late)
    return (
      <div className="body first-step">
        <div role="status">
          <DialogTitle>The request has not arrived</DialogTitle>
          <DialogLead>
            Nothing was released so far. It may still arrive until the plan is too old, at{' '}
            <Instant at={plan.expiresAt} zoned />. Look who holds the lease now before you do anything else.
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
        <DialogTitle>Leasehold’s server has not answered yet</DialogTitle>
        <DialogLead>
          The request was sent; whether it arrived is unknown. The server is asked what became of it. Do not
          send it again.
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
          <span>Asking for release {plan.id}</span>
          <span />
        </li>
      </ol>
      {error && !unheardOf && (
        <div className="mt-3">
          <Say tone="warn" icon="stale" title={errorWords(error).title}>
            Asking again.
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
