// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are grids, at 390 px of three lines, which no tr can be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons and links in a row take the focus, not the row
'use client'

import type { AuditEvent, ShownEntry } from '../../lib/contract/audit.ts'
import { Instant } from '../shell/instant.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { Icon } from '../ui/icon.tsx'
import { SeenText } from '../ui/seen-text.tsx'
import { ActWord, actLooks, releasePagePath } from './act-look.tsx'
import { AuditDetail } from './audit-detail.tsx'
import { ObjectText, PersonLink } from './object-text.tsx'
import { OutcomeWord, outcomeLook } from './outcome-look.tsx'

interface AuditRowProps {
  event: AuditEvent
  /** null: it is not written yet. */
  entry: ShownEntry | null
  open: boolean
  onToggle: () => void
}

/** One entry of the log. The whole row opens it; the links in it lead on. */
export function AuditRow({ event, entry, open, onToggle }: AuditRowProps) {
  const { tone } = outcomeLook(event, entry !== null, entry?.unverified)
  const detailId = `entry-${entry ? `${entry.bucket}-${entry.seq}` : `${event.phase}-${event.id}`}`
  return (
    <>
      <div role="row" className="arrived" data-tone={tone} data-open={open || undefined}>
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
            <span className="vh">: {actLooks[event.act].word}, details</span>
          </button>
        </span>
        <span role="cell" className="c-who cut">
          <PersonLink username={event.actor.username} />
          {event.actor.role && <span className="dim"> · {event.actor.role}</span>}
          {event.actor.via !== 'password' && <span className="dim"> · {event.actor.via}</span>}
        </span>
        <span role="cell" className="c-what cut">
          <Act event={event} />
        </span>
        <span role="cell" className="c-on cut">
          <ObjectText on={event.on} />
        </span>
        <span role="cell" className="c-out">
          <span className="out">
            <OutcomeWord event={event} written={entry !== null} unverified={entry?.unverified} />
          </span>
        </span>
        <span role="cell" className="c-why cut" title={event.reason ?? undefined}>
          {event.reason === null ? (
            <span className="dim none">–</span>
          ) : (
            <bdi className="seen">
              <SeenText text={event.reason} />
            </bdi>
          )}
        </span>
      </div>
      {open && (
        <div role="row" className="more" id={detailId}>
          <div role="cell" aria-colspan={6}>
            <AuditDetail event={event} entry={entry} />
          </div>
        </div>
      )}
    </>
  )
}

/** What was done; an act of a forced release leads to what became of it. */
function Act({ event }: { event: AuditEvent }) {
  const path = releasePagePath(event)
  if (path === null)
    return (
      <span className="what">
        <ActWord act={event.act} />
      </span>
    )
  return (
    <PageLink className="what lead" href={path}>
      <ActWord act={event.act} />
    </PageLink>
  )
}
