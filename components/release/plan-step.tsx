'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isApiError, isServerSilent } from '../../lib/client/api-error.ts'
import { call } from '../../lib/client/call.ts'
import { errorWords } from '../../lib/client/error-words.ts'
import { leaseQuery } from '../../lib/client/queries.ts'
import type { ReleasePlan } from '../../lib/contract/release.ts'
import { useLockReason, useLost } from '../shell/use-connection.ts'
import { DialogHead } from '../ui/dialog.tsx'
import { NameText } from '../ui/name-text.tsx'
import { Say } from '../ui/say.tsx'
import { HolderNow, holderSentence } from './holder-now.tsx'
import { KillDeed } from './kill-deed.tsx'
import { NoPlan } from './no-plan.tsx'
import { OwnerText } from './owner-text.tsx'
import { PlanClock } from './plan-clock.tsx'
import type { ReleaseStage } from './release-dialog.tsx'
import { ReleaseForm } from './release-form.tsx'
import { useReleasePlan } from './use-release-plan.ts'

interface PlanStepProps {
  name: string
  table: string | undefined
  reason: string
  onReason: (reason: string) => void
  onSettled: (stage: ReleaseStage) => void
  onClose: () => void
}

/** Errors after which it is not known whether the server has acted. */
const mayHaveActed = (error: unknown) =>
  isServerSilent(error) || (isApiError(error) && error.code === 'internal')

/** Who holds it and how sure that is, what would be done to whom, and the one button. */
export function PlanStep({ name, table, reason, onReason, onSettled, onClose }: PlanStepProps) {
  const lost = useLost()
  const lock = useLockReason()
  const { held, expired, error, planning, otherHolder, planAgain } = useReleasePlan(name, table)
  const reading = useQuery(leaseQuery(name, table)).data
  // The plan that was sent. State would be too late: a second click comes before the first one is rendered.
  const sentPlan = useRef<string | null>(null)
  const act = useMutation({
    mutationFn: ({ plan, typed }: { plan: ReleasePlan; typed: string }) =>
      call('release', {
        params: { name },
        query: { table },
        body: { plan: plan.plan, mode: 'kill', reason, confirmName: typed },
      }),
    onSuccess: ({ data }) => onSettled({ at: 'result', release: data }),
    onError: (thrown, { plan }) => {
      if (isApiError(thrown) && thrown.code === 'holder-changed' && thrown.problem)
        onSettled({ at: 'changed', problem: thrown.problem })
      else if (mayHaveActed(thrown)) onSettled({ at: 'unheard', plan })
      else sentPlan.current = null
    },
  })
  const kill = (plan: ReleasePlan, typed: string) => {
    if (sentPlan.current === plan.id) return
    sentPlan.current = plan.id
    act.mutate({ plan, typed })
  }
  const again = () => {
    if (!act.isPending) planAgain()
  }
  // What the last try failed with is of the past once there is a new plan, or Cassandra answers again.
  const { reset } = act
  const planId = held?.plan.id
  const connected = lost === null
  useEffect(() => {
    if (connected && sentPlan.current === null) reset()
  }, [planId, connected, reset])
  const head = (
    <DialogHead
      title={
        <>
          Release{' '}
          <span className="mono" title={name}>
            <NameText name={name} />
          </span>
        </>
      }
      lead={
        lost
          ? 'Nobody can check the holder now. What is shown is as it was last read.'
          : held && holderSentence(held.plan, reading)
      }
      aside={held && !lost && <PlanClock held={held} expired={expired} />}
    />
  )
  if (held === undefined)
    return (
      <>
        {head}
        <NoPlan error={error} planning={planning} lock={lock} onAgain={planAgain} onClose={onClose} />
      </>
    )

  const offer = held.plan.modes.kill
  const refusal = act.isError && !mayHaveActed(act.error) ? errorWords(act.error) : null
  return (
    <>
      {head}
      <HolderNow held={held} reading={reading} stale={lost !== null} onPlanAgain={again} />
      <div className="body grid gap-3">
        {otherHolder && (
          <Say tone="danger" icon="risk" title="The holder is another one now." role="alert">
            The plan before was for <OwnerText owner={otherHolder.lease.owner} />. This one is for{' '}
            <OwnerText owner={held.plan.lease.owner} />. Look again before you release it.
          </Say>
        )}
        <KillDeed offer={offer} lost={lost !== null} />
      </div>
      <ReleaseForm
        key={held.plan.lease.owner}
        name={name}
        reason={reason}
        onReason={onReason}
        lock={lock !== null ? `Locked: ${lock}` : null}
        forbidden={offer.allowed ? null : (offer.reason ?? 'You may not kill this lease.')}
        expired={expired}
        planning={planning}
        sending={act.isPending}
        refusal={act.isPending ? null : refusal}
        onKill={(typed) => kill(held.plan, typed)}
        onPlanAgain={again}
        onClose={onClose}
      />
    </>
  )
}
