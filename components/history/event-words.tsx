import type { ShownState } from '../../lib/client/row/row-board.ts'
import { durationText } from '../../lib/client/time/time-text.ts'
import type { LeaseEventKind } from '../../lib/contract/leases/event-kinds.ts'
import type { LeaseEvent, LeaseEventSource } from '../../lib/contract/leases/history.ts'
import { releasePath } from '../../lib/contract/path.ts'
import { PageLink } from '../shell/page-link.tsx'
import { Icon, type IconName } from '../ui/control/icon.tsx'
import { SeenText } from '../ui/text/seen-text.tsx'

interface EventLook {
  word: string
  icon: IconName
  /** The state whose hue it has; null: none. */
  hue: ShownState | null
}

/** The events: word, icon and hue. */
export const eventLooks: Record<LeaseEventKind, EventLook> = {
  acquired: { word: 'acquired', icon: 'held', hue: 'held' },
  'changed-hands': { word: 'changed hands', icon: 'right', hue: 'held' },
  asked: { word: 'asked to resign', icon: 'ask', hue: null },
  resigned: { word: 'resigned', icon: 'leave', hue: null },
  released: { word: 'released', icon: 'gone', hue: null },
  expired: { word: 'expired', icon: 'clock', hue: 'risk' },
  broken: { word: 'broken', icon: 'break', hue: 'quarantined' },
  killed: { word: 'killed', icon: 'kill', hue: 'zombie' },
  lost: { word: 'lost', icon: 'risk', hue: 'risk' },
  'quarantine-ended': { word: 'quarantine ended', icon: 'gone', hue: null },
  'ended-unknown': { word: 'ended, not seen how', icon: 'stale', hue: null },
}

const sources: Record<LeaseEventSource, string> = {
  library: 'the holder’s library',
  console: 'the console',
  observed: 'seen by reads',
}

/** Who says so, and whether the time is exact. */
export const sourceText = ({ source, notBefore }: LeaseEvent): string =>
  notBefore === null ? `${sources[source]}, exact` : sources[source]

export function EventWord({ event }: { event: LeaseEvent }) {
  const { word, icon, hue } = eventLooks[event.kind]
  return (
    <span className="state" data-state={hue ?? 'none'}>
      <Icon name={icon} />
      <span>{word}</span>
    </span>
  )
}

const ownerName = (owner: string | null): string => owner ?? 'an owner that the table does not name'

/** A shorter uncertainty would read as 0.0 s. */
const leastShownMs = 100

/** Between which instants it happened, where that is more than a moment. */
export function uncertaintyText({ notBefore, notAfter }: LeaseEvent): string {
  if (notBefore === null || notAfter === null) return ''
  const withinMs = Date.parse(notAfter) - Date.parse(notBefore)
  return withinMs < leastShownMs ? '' : `, known to within ${durationText(withinMs)}`
}

/** The whole event as one text, to be read aloud. `at`: its time. */
export function eventText(event: LeaseEvent, at: string): string {
  const { release, previousOwner, reason } = event
  const from = previousOwner === null ? '' : `, after ${previousOwner}`
  const why = reason === null ? '' : `, reason ${reason}`
  const by =
    release?.by == null ? '' : `, by ${release.by}${release.reason === null ? '' : `: ${release.reason}`}`
  return `${at}${uncertaintyText(event)}: ${eventLooks[event.kind].word}, ${ownerName(event.owner)}${from}${why}${by}`
}

/** Whom it is about, and of a forced release by whom and why, with the way to its page. */
export function EventDetail({ event, canOpen }: { event: LeaseEvent; canOpen: boolean }) {
  const { owner, previousOwner, reason, release } = event
  return (
    <>
      <bdi className="mono seen break-all">
        {owner === null ? <span className="dim">–</span> : <SeenText text={owner} />}
      </bdi>
      {previousOwner !== null && previousOwner !== owner && (
        <span className="mut">
          {' after '}
          <bdi className="mono seen break-all">
            <SeenText text={previousOwner} />
          </bdi>
        </span>
      )}
      {reason !== null && <span className="mut">, reason: {reason}</span>}
      {release !== null && (
        <span className="mut">
          {release.by !== null && <>, by {release.by}</>}
          {release.reason !== null && (
            <>
              : “<SeenText text={release.reason} />”
            </>
          )}{' '}
          {canOpen && (
            <PageLink className="link" href={releasePath(release.id)}>
              See the release
            </PageLink>
          )}
        </span>
      )}
    </>
  )
}
