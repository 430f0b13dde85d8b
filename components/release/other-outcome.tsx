'use client'

import type { ReactNode } from 'react'
import type { Release, ReleaseOutcome } from '../../lib/contract/releases/release.ts'
import { Instant } from '../shell/instant.tsx'
import { deedOf } from './act-words.ts'
import { LeaseDiff } from './lease-diff.tsx'
import { OwnerText } from './owner-text.tsx'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

type OtherOutcome = Exclude<ReleaseOutcome, 'awaiting-approval' | 'pending' | 'asked' | 'broken' | 'released'>

/** Ends that are none of an act which took effect, and what nobody has acted on. */
export function OtherOutcomeResult({ release, outcome }: { release: Release; outcome: OtherOutcome }) {
  return (
    <>
      <ResultHead title={titleOf(outcome)}>{leadOf(outcome, release)}</ResultHead>
      {outcome === 'holder-changed' && release.currentReadAt !== null && (
        <LeaseDiff planned={release.planned} current={release.current} readAt={release.currentReadAt} />
      )}
      {release.steps.length > 0 && <ReleaseSteps release={release} />}
    </>
  )
}

function titleOf(outcome: OtherOutcome): string {
  switch (outcome) {
    case 'planned':
      return 'Nobody has acted on this plan'
    case 'rejected':
      return 'It was rejected. Nothing was sent.'
    case 'lapsed':
      return 'Nobody approved it in time. Nothing was sent.'
    case 'superseded':
      return 'The planned holder does not hold it any more'
    case 'unknown':
      return 'The outcome is unknown'
    case 'holder-changed':
    case 'not-released':
    case 'not-sent':
      return 'Nothing was released'
  }
}

function leadOf(outcome: OtherOutcome, release: Release): ReactNode {
  const { current, approval, planned, planExpiresAt, plannedBy } = release
  const deed = deedOf(release.mode)
  switch (outcome) {
    case 'planned':
      return planExpiresAt > release.now ? (
        <>
          It can be acted on until <Instant at={planExpiresAt} zoned />, by <b>{plannedBy}</b> alone.
        </>
      ) : (
        <>
          It was good until <Instant at={planExpiresAt} zoned />, and cannot be carried out any more.
        </>
      )
    case 'rejected':
      return approval?.by === plannedBy ? (
        <>
          <b>{plannedBy}</b> took it back: “{approval.reason}”
        </>
      ) : (
        <>
          <b>{approval?.by ?? 'Somebody'}</b> rejected it: “{approval?.reason}”
        </>
      )
    case 'lapsed':
      return approval === null ? (
        'It waited for a second person, and nobody came.'
      ) : (
        <>
          It waited for a second person until <Instant at={approval.until} zoned />.
        </>
      )
    case 'holder-changed':
      return current === null
        ? 'Nobody held it any more when it was carried out. Nothing was changed by this.'
        : 'Somebody else held it when it was carried out. That lease was left alone.'
    case 'superseded':
      return (
        <>
          The answer of Cassandra was lost. Whether the holder lost it by this {deed}, by itself or by expiry,
          nobody can tell.{' '}
          {current === null ? (
            'Nobody holds it now.'
          ) : (
            <>
              <OwnerText owner={current.owner} /> holds it now.
            </>
          )}
        </>
      )
    case 'not-released':
      return `Cassandra’s answer is final: the ${deed} did not take effect. The planned holder still holds it.`
    case 'unknown':
      return `Cassandra never answered, and the holder is still there. The ${deed} may yet take effect, on this holder alone: nobody else can lose the lease by it.`
    case 'not-sent':
      return (
        <>
          Cassandra did not answer before anything was sent. <OwnerText owner={planned.owner} /> was left
          alone.
        </>
      )
  }
}
