'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { leaseQuery } from '../../../lib/client/call/queries.ts'
import { renewals } from '../../../lib/client/row/renewals.ts'
import { clockLease } from '../../../lib/client/time/countdown.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { releaseModes } from '../../../lib/contract/releases/release-modes.ts'
import { useElevation } from '../../elevation/use-elevation.ts'
import { useTable } from '../../leases/address/use-table.ts'
import { useLockReason, useLost } from '../../shell/truth/use-connection.ts'
import { DialogHead } from '../../ui/control/dialog.tsx'
import { Say } from '../../ui/text/say.tsx'
import { Fate } from '../holder/fate.tsx'
import { HolderNow } from '../holder/holder-now.tsx'
import { LeaseName } from '../holder/lease-name.tsx'
import { OtherHolderStep } from '../holder/other-holder-step.tsx'
import { OthersSay } from '../holder/others-say.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import { ActAhead } from '../modes/act-ahead.tsx'
import { firstMode } from '../modes/first-mode.ts'
import { ModeCards } from '../modes/mode-cards.tsx'
import { ModeWords } from '../modes/mode-words.tsx'
import { renewalDueAtMs } from '../progress/renewal-due.ts'
import type { ReleaseStage } from '../release-stage.ts'
import { useFocusNext } from '../use-focus-next.ts'
import { useReleaseAct } from '../use-release-act.ts'
import { DeadPlan } from './dead-plan.tsx'
import { NoPlan } from './no-plan.tsx'
import { PlanClock } from './plan-clock.tsx'
import { planState } from './plan-state.ts'
import { ReleaseForm } from './release-form.tsx'
import { useReleasePlan } from './use-release-plan.ts'
import { lostLead, planLead } from './words/plan-words.ts'

interface PlanStepProps {
  name: string
  table: string | undefined
  /** The lease with the holder that the user knows of; null: none yet. */
  known: Lease | null
  onKnown: (lease: Lease) => void
  /** The mode that was chosen before; null: none was. */
  wanted: ReleaseMode | null
  onWanted: (mode: ReleaseMode) => void
  reason: string
  onReason: (reason: string) => void
  onSettled: (stage: ReleaseStage) => void
  onClose: () => void
}

/** Who holds it and how sure that is, how to release it and what that does to whom, and the one button. */
export function PlanStep(props: PlanStepProps) {
  const { name, table, known, onKnown, wanted, onWanted, reason, onReason, onSettled, onClose } = props
  const lost = useLost()
  const { lock: tableLock, isUnanswered } = useTable(table)
  const lock = useLockReason() ?? tableLock
  const { held, expired, error, planning, otherHolder, planAgain } = useReleasePlan(name, table)
  const reading = useQuery(leaseQuery(name, table)).data
  const elevation = useElevation()
  const { act, sending, refusal } = useReleaseAct(name, table, held?.plan.id, onSettled)
  // A name that was typed for one holder is not typed for another.
  const [typed, setTyped] = useState<{ text: string; owner: string | null }>({ text: '', owner: null })
  useEffect(() => {
    if (known === null && held !== undefined) onKnown(held.plan.lease)
  }, [known, held, onKnown])
  const again = () => {
    if (sending) return
    // The dead plan said whose the lease is now.
    if (state === 'changed' && seenLease !== null) onKnown(seenLease.lease)
    planAgain()
  }
  const state = held === undefined ? 'good' : planState({ ...held, reading, expired })
  const seenLease = reading?.held ? reading.sighting : null
  const seen = seenLease !== null && seenLease.lease.owner === held?.plan.lease.owner ? seenLease : null
  // A plan that takes the place of another, or dies, and a refusal: the form goes on from its next input.
  const place = useRef<HTMLDivElement>(null)
  useFocusNext(place, held === undefined ? null : `${held.plan.id} ${state}`)
  useFocusNext(place, refusal?.title ?? null)
  const head = (
    <DialogHead
      title={
        <>
          Release <LeaseName name={name} />
        </>
      }
      lead={
        lost
          ? lostLead
          : held &&
            planLead(
              state,
              (seen ?? held.plan).lease,
              seen !== null && seen.lease.version !== held.plan.lease.version,
            )
      }
      aside={held && !lost && <PlanClock held={held} state={state} />}
    />
  )
  // A plan that could not be made again is said, not the dead one before it.
  if (held === undefined || (error !== null && state !== 'good'))
    return (
      <>
        {head}
        <NoPlan error={error} planning={planning} lock={lock} onAgain={planAgain} onClose={onClose} />
      </>
    )

  const { plan, arrivedAtMs } = held
  const { lease } = plan
  if (known !== null && known.owner !== lease.owner)
    return (
      <OtherHolderStep name={name} seen={known} now={lease} onGoOn={() => onKnown(lease)} onClose={onClose} />
    )
  const mode = firstMode(plan.modes, wanted)
  const offer = mode === null ? null : plan.modes[mode]
  const dueAtMs = renewalDueAtMs(
    clockLease(renewals.mark({ lease, now: plan.now, arrivedAtMs })),
    seen && clockLease(renewals.mark(seen)),
  )
  const typedHere = typed.owner === lease.owner ? typed.text : ''
  const needsElevation =
    mode !== null &&
    releaseModes[mode].elevation &&
    (elevation.isKnown ? !elevation.isElevated : plan.modes[mode].needsElevation)
  const isGood = state === 'good'
  const dead = !isGood && !lost && <DeadPlan state={state} reading={reading} />
  return (
    <>
      {head}
      <HolderNow held={held} reading={reading} state={state} stale={lost !== null || isUnanswered} />
      <div className="body grid gap-3" ref={place}>
        {dead}
        {otherHolder && isGood && (
          <Say tone="danger" icon="risk" title="This is another holder." role="alert">
            The plan before was for <OwnerText owner={otherHolder.lease.owner} />. This plan is for{' '}
            <OwnerText owner={lease.owner} />.
          </Say>
        )}
        {!lost && isGood && <OthersSay lease={lease} />}
        <ModeCards
          modes={plan.modes}
          mode={mode}
          isChosen={wanted !== null || reason !== ''}
          onMode={onWanted}
          lost={lost !== null}
          locked={!isGood}
        />
        {mode !== null && offer !== null && !lost && isGood && (
          <div>
            <Fate
              mode={mode}
              offer={offer}
              ttlMs={lease.ttlSeconds === null ? null : lease.ttlSeconds * 1000}
              renews={dueAtMs !== null && dueAtMs > pageNow()}
            />
            <ModeWords
              mode={mode}
              offer={offer}
              renewalDueAtMs={dueAtMs}
              expiresAt={(seen?.lease ?? lease).expiresAt}
              secondPerson={plan.secondPerson}
            />
          </div>
        )}
      </div>
      <ReleaseForm
        name={name}
        planId={plan.id}
        state={state}
        mode={mode}
        secondPerson={plan.secondPerson}
        needsElevation={needsElevation}
        ahead={
          mode && (
            <ActAhead mode={mode} name={name} owner={lease.owner}>
              {dead}
            </ActAhead>
          )
        }
        reason={reason}
        onReason={onReason}
        typed={typedHere}
        onTyped={(text) => setTyped({ text, owner: lease.owner })}
        lock={lock !== null ? `Locked: ${lock}` : null}
        planning={planning}
        sending={sending}
        refusal={refusal}
        onAct={() =>
          mode !== null &&
          isGood &&
          act({ plan, mode, reason, confirmName: releaseModes[mode].typedName ? typedHere : undefined })
        }
        onPlanAgain={again}
        onClose={onClose}
      />
    </>
  )
}
