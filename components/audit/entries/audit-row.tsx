// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are grids, at 390 px of three lines, which no tr can be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons and links in a row take the focus, not the row
'use client'

import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { changedRights } from '../changed-rights.ts'
import { ActWord, lookOf, releasePagePath } from './act-look.tsx'
import { type Act, requesterOf } from './act-of.ts'
import { ActorText, actorWords } from './actor-text.tsx'
import { AuditDetail } from './audit-detail.tsx'
import { ObjectText } from './object-text.tsx'
import { OutcomeWord, outcomeOf } from './outcome-look.tsx'

interface AuditRowProps {
  act: Act
  open: boolean
  onToggle: () => void
}

/** One act: what was done, and its outcome. The whole row opens its entries; the links in it lead on. */
export function AuditRow({ act, open, onToggle }: AuditRowProps) {
  const [{ event, entry }] = act
  const outcome = outcomeOf(act)
  const reason = act.find((part) => part.event.reason !== null)?.event.reason ?? null
  const rights = changedRights(act)
  const requester = requesterOf(event)
  const requestWords = requester === null ? '' : `, requested by ${requester}`
  const detailId = `act-${event.id}`
  return (
    <>
      <div role="row" className="arrived" data-tone={outcome.tone} data-open={open || undefined}>
        <span role="cell" className="c-when">
          <button
            type="button"
            className="toggle"
            aria-expanded={open}
            aria-controls={open ? detailId : undefined}
            onClick={onToggle}
          >
            <Icon name={open ? 'down' : 'right'} />
            {entry ? <Instant at={entry.at} digits={1} /> : <span>just now</span>}
            <span className="vh">: {lookOf(act).word}, details</span>
          </button>
        </span>
        <span
          role="cell"
          className="c-who cut"
          title={`${event.actor.username}${requestWords}${actorWords(event.actor, true)}`}
        >
          <ActorText actor={event.actor} />
          {requestWords !== '' && (
            <span className="dim">
              <SeenText text={requestWords} />
            </span>
          )}
        </span>
        <span role="cell" className="c-what cut">
          <What act={act} />
        </span>
        <span role="cell" className="c-on cut">
          <ObjectText on={event.on} />
          {rights !== null && <span title={rights}>, {rights}</span>}
        </span>
        <span role="cell" className="c-out">
          <span className="out">
            <OutcomeWord look={outcome} />
          </span>
        </span>
        <span role="cell" className="c-why cut" title={reason ?? undefined}>
          {reason === null ? (
            <span className="dim none">–</span>
          ) : (
            <bdi className="seen">
              <SeenText text={reason} />
            </bdi>
          )}
        </span>
      </div>
      {open && (
        <div role="row" className="more" id={detailId}>
          <div role="cell" aria-colspan={6}>
            <AuditDetail act={act} />
          </div>
        </div>
      )}
    </>
  )
}

/** The act; a forced release links to its page. */
function What({ act }: { act: Act }) {
  const path = releasePagePath(act[0].event)
  if (path === null)
    return (
      <span className="what">
        <ActWord act={act} />
      </span>
    )
  return (
    <PageLink className="what lead" href={path}>
      <ActWord act={act} />
    </PageLink>
  )
}
