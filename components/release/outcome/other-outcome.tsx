'use client'

import { type ReactNode, useContext } from 'react'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { LeaseDiff } from '../holder/lease-diff.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import { deedOf } from '../modes/act-words.ts'
import type { OutcomeProps } from '../progress/headline.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { OnPage, ResultHead } from './result-head.tsx'

/** Ends that are none of an act which took effect, and a plan that was not carried out. */
export function OtherOutcomeResult({ release, headline }: OutcomeProps) {
  const { outcome, planned, current, currentReadAt } = release
  // The page has a table of its own, of the lease as it is now: two would contradict each other.
  const onPage = useContext(OnPage)
  return (
    <>
      <ResultHead headline={headline} name={planned.name}>
        {leadOf(release)}
      </ResultHead>
      {outcome === 'holder-changed' && currentReadAt !== null && !onPage && (
        <LeaseDiff planned={planned} current={current} readAt={currentReadAt} />
      )}
      {release.steps.length > 0 && <ReleaseSteps release={release} />}
    </>
  )
}

function leadOf(release: Release): ReactNode {
  const { outcome, current, currentReadAt, approval, planned, planExpiresAt, plannedBy } = release
  const deed = deedOf(release.mode)
  switch (outcome) {
    case 'planned':
      return planExpiresAt > release.now ? (
        <>
          <b>{plannedBy}</b> can carry this plan out until <Instant at={planExpiresAt} zoned />, in the
          browser tab where it was made.
        </>
      ) : (
        <>
          This plan expired at <Instant at={planExpiresAt} zoned />. It was not carried out.
        </>
      )
    case 'rejected':
      return (
        <>
          <b>{approval?.by ?? 'An operator'}</b> {approval?.by === plannedBy ? 'withdrew it' : 'rejected it'}:
          “{approval?.reason}”
        </>
      )
    case 'lapsed':
      return approval === null ? (
        'No second person approved it in time.'
      ) : (
        <>
          No second person approved it before <Instant at={approval.until} zoned />.
        </>
      )
    case 'holder-changed':
      return (
        <>
          {currentReadAt !== null && (
            <>
              At <Instant at={currentReadAt} zoned />{' '}
              {current === null ? (
                'the lease was free. '
              ) : (
                <>
                  <OwnerText owner={current.owner} /> held it.{' '}
                </>
              )}
            </>
          )}
          Nothing was released.
        </>
      )
    case 'superseded':
      return (
        <>
          Whether the {deed} took effect was not certain. The planned holder lost the lease by this {deed}, by
          releasing it, or by expiry; which one is unknown. {heldWhenRead(release)}
        </>
      )
    case 'not-released':
      return `The holder was not released. That is final: this ${deed} will not release it later.`
    case 'unknown':
      if (currentReadAt === null)
        return `Whether the ${deed} took effect is not known: the lease could not be read. It may still take effect, but only on the planned holder.`
      if (current?.owner === planned.owner)
        return `The planned holder still holds the lease. The ${deed} may still take effect, but only on this holder.`
      return (
        <>
          Whether the {deed} took effect is not known. {heldWhenRead(release)}
        </>
      )
    case 'not-sent':
      return (
        <>
          Nothing was sent: Cassandra did not answer in time, or the server ended before.{' '}
          <OwnerText owner={planned.owner} /> was left alone.
        </>
      )
    default:
      return null
  }
}

/** The read that made the outcome certain may not be kept: one before it says nothing, or that the planned holder was there. */
function heldWhenRead({ planned, current, currentReadAt }: Release): ReactNode {
  if (currentReadAt === null || current?.owner === planned.owner) return null
  if (current === null) return 'The lease was free when it was read again.'
  return (
    <>
      <OwnerText owner={current.owner} /> held it when it was read again.
    </>
  )
}
