'use client'

import type { ReactNode } from 'react'
import type { ListedLease } from '../../../lib/client/watch/live-board.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { isLibraryOwner } from '../../../lib/contract/leases/lease-state.ts'
import { releasePath } from '../../../lib/contract/path.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'
import { OwnerText } from '../../release/holder/owner-text.tsx'
import { modeLooks, whoReadsAsk } from '../../release/modes/mode-look.ts'
import { usePast } from '../../release/progress/use-past.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Say } from '../../ui/text/say.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { UntilText } from '../facts/until-text.tsx'
import { endedTenureOf, headingOf, holdsAgain } from './lease-memory.ts'

/** What operators did to a lease, and what is pending, for everyone who looks at it. */
export function DoneByForce({
  releases,
  holder,
  explains,
  auditPath,
}: {
  releases: readonly LeaseRelease[]
  /** The holder now; null: there is none. */
  holder: ListedLease | null
  /** The id of the release whose effect is the state that the page shows above; null: no release has that effect. */
  explains: string | null
  /** Where the releases are that are not shown here: older ones, and those without effect. null: there are none. */
  auditPath: string | null
}) {
  const session = useSession()
  const heading = releases.length === 0 ? 'Releases' : headingOf(releases)
  const older =
    auditPath !== null && may(session, endpoints.listAudit) ? (
      <p className="small mut">
        Others, also those without effect:{' '}
        <PageLink className="link" href={auditPath}>
          audit entries
        </PageLink>
      </p>
    ) : null
  if (releases.length === 0 && older === null) return null
  return (
    <section className="sect" aria-label={heading}>
      <div className="head">
        <h2>{heading}</h2>
      </div>
      <div className="grid gap-3">
        {releases.map((release) => (
          <Done
            key={release.id}
            release={release}
            holder={holder}
            isSaid={release.id === explains}
            ended={endedTenureOf(release, releases)}
          />
        ))}
        {older}
      </div>
    </section>
  )
}

interface DoneProps {
  release: LeaseRelease
  holder: ListedLease | null
  /** The page says above what follows from it, as long as something does. */
  isSaid: boolean
  /** The later release that took the lease from the same owner. */
  ended: LeaseRelease | undefined
}

function Done({ release, holder, isSaid, ended }: DoneProps) {
  const { id, mode, outcome, reason, safeAt } = release
  const session = useSession()
  const past = usePast(safeAt === null ? null : Date.parse(safeAt))
  const isActive = (outcome === 'released' || outcome === 'broken') && !past && !isSaid
  return (
    <Say
      tone={!isActive ? 'plain' : mode === 'kill' ? 'danger' : 'hold'}
      icon={modeLooks[mode].icon}
      title={<Title release={release} />}
    >
      <p>
        <What release={release} holder={holder} past={past} isSaid={isSaid} ended={ended} />
      </p>
      {reason !== null && (
        <p>
          Reason: <SeenText text={reason} />
        </p>
      )}
      {may(session, endpoints.getRelease) && (
        <p>
          <PageLink className="link" href={releasePath(id)}>
            See the release
          </PageLink>
        </p>
      )}
    </Say>
  )
}

function Title({ release }: { release: LeaseRelease }) {
  const { mode, outcome, by, approvedBy, requestedAt, doneAt } = release
  const at = <Instant at={doneAt ?? requestedAt} zoned />
  const who = (
    <>
      {by}
      {approvedBy !== null && <>, approved by {approvedBy},</>}
    </>
  )
  // Where the time of the effect is not known, that of the request must not pass for it.
  const when =
    doneAt === null ? (
      <>
        {approvedBy === null && ','} asked for at {at}
      </>
    ) : (
      <> at {at}</>
    )
  const { noun } = modeLooks[mode]
  switch (outcome) {
    case 'awaiting-approval':
      return (
        <>
          {noun} requested by {who} at {at}: waits for a second person
        </>
      )
    case 'pending':
      return (
        <>
          {noun} by {who}
          {when}: under way
        </>
      )
    case 'asked':
      return (
        <>
          {who} asked the holder to resign at {at}
        </>
      )
    case 'broken':
      return (
        <>
          Broken by {who}
          {when}
        </>
      )
    case 'released':
      return (
        <>
          Killed by {who}
          {when}
        </>
      )
    default:
      return (
        <>
          {noun} by {who}
          {when}: outcome unknown
        </>
      )
  }
}

export function What({ release, holder, past, isSaid, ended }: DoneProps & { past: boolean }): ReactNode {
  const { mode, outcome, safeAt } = release
  const old = <OwnerText owner={release.owner} />
  switch (outcome) {
    case 'awaiting-approval':
      return <>Nothing was done to {old} yet.</>
    case 'asked':
      if (ended !== undefined)
        return (
          <>
            {old} held the lease when it was {ended.mode === 'kill' ? 'killed' : 'broken'}.
          </>
        )
      return holder?.owner === release.owner ? (
        isAskedTenure(release, holder) ? (
          `The holder has not resigned. ${whoReadsAsk}`
        ) : (
          <>
            {old} holds the lease, still or again. {whoReadsAsk}
          </>
        )
      ) : (
        <>{old} no longer holds the lease. If the end was observed, the history below says how it ended.</>
      )
    case 'broken':
      if (safeAt === null || (isSaid && !past)) return <>{old} held the lease.</>
      return past ? (
        <>
          {old} held the lease, and must have stopped by <Instant at={safeAt} zoned />, if it keeps to its
          deadline.
        </>
      ) : (
        <>
          {old} held the lease. It can be acquired from <Instant at={safeAt} zoned /> on.
        </>
      )
    case 'pending':
      return <>Whether it took effect on {old} is not known yet.</>
    default:
      if (mode !== 'kill') return <>Whether this release ended the tenure of {old} is not known.</>
      if (holder !== null && holdsAgain(release, holder))
        return (
          <>
            {old} holds it again: a holder with this owner id acquired the lease after the kill.{' '}
            <KilledMayAct safeAt={safeAt} past={past} />
          </>
        )
      if (holder?.owner === release.owner && outcome !== 'released') return <>{old} holds the lease.</>
      if (isSaid && !past && outcome === 'released') return <>{old} held the lease.</>
      if (safeAt === null)
        return <>{old} held the lease without an expiry: it may go on until its next renewal is refused.</>
      return past ? (
        <>
          {old} held the lease, and must have stopped by <Instant at={safeAt} zoned />, if it keeps to its
          deadline.
        </>
      ) : (
        <>
          {old} held the lease, and may act until <UntilText at={safeAt} />.
        </>
      )
  }
}

/** Of a kill whose owner id holds the lease again: the process before. */
function KilledMayAct({ safeAt, past }: { safeAt: string | null; past: boolean }) {
  if (safeAt === null)
    return 'The killed holder had no expiry: it may go on until its next renewal is refused.'
  return past ? (
    <>
      The killed holder must have stopped by <Instant at={safeAt} zoned />, if it keeps to its deadline.
    </>
  ) : (
    <>
      The killed holder may act until <UntilText at={safeAt} />.
    </>
  )
}

/** Whether the holder now is the one that was asked, and no later one of the same id. The library uses each id once. */
const isAskedTenure = ({ owner, requestedAt }: LeaseRelease, { heldSince }: ListedLease): boolean =>
  isLibraryOwner(owner) || (heldSince != null && heldSince < requestedAt)
