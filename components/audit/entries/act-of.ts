/** The log has entries; a reader looks for acts. Entries of one act carry its id. */
import type { ActQuery } from '../../../lib/client/call/queries.ts'
import type { AuditEvent, ShownEntry } from '../../../lib/contract/audit.ts'
import { entryKey, pendingKey } from './entry-key.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/** One entry of an act; `entry` is null until it is written. */
export interface ActPart {
  event: AuditEvent
  entry: ShownEntry | null
}

/** Newest first, at least one. The first one shows the state of the act. */
export type Act = readonly [ActPart, ...ActPart[]]

export const partKey = ({ event, entry }: ActPart): string =>
  entry === null ? pendingKey(event) : entryKey(entry)

/** Whether `key` names one of its parts. A part keeps the key that it had while it was pending. */
export const hasPart = (act: Act, key: string | undefined): boolean =>
  act.some((part) => partKey(part) === key || pendingKey(part.event) === key)

/**
 * One act a row, in the order of each one's newest entry.
 * @param pending entries that are not written yet; they are newer than those that are
 * @param continued acts that a newer page shows already
 */
export function actsOf(
  pending: readonly AuditEvent[],
  entries: readonly ShownEntry[],
  continued: ReadonlySet<string> = new Set(),
): Act[] {
  const acts = new Map<string, [ActPart, ...ActPart[]]>()
  const parts = [
    ...pending.map((event): ActPart => ({ event, entry: null })),
    ...entries.map((entry): ActPart => ({ event: entry, entry })),
  ]
  for (const part of parts) {
    const { id } = part.event
    const act = acts.get(id)
    if (act !== undefined) act.push(part)
    else if (!continued.has(id)) acts.set(id, [part])
  }
  return [...acts.values()].map(withoutDoubles)
}

/** An outcome that was pending when the page was read may stand in it as well. */
function withoutDoubles(act: [ActPart, ...ActPart[]]): Act {
  const written = new Set(act.filter(({ entry }) => entry !== null).map(({ event }) => pendingKey(event)))
  const [first, ...rest] = act.filter(({ event, entry }) => entry !== null || !written.has(pendingKey(event)))
  return first === undefined ? act : [first, ...rest]
}

/** Acts whose outcome stands on this page, while the intent is on an older one. */
export const begunEarlier = (acts: readonly Act[]): string[] =>
  acts
    .filter((act) => act[0].event.phase === 'outcome' && !act.some(({ event }) => event.phase === 'intent'))
    .map(([{ event }]) => event.id)

/** Whether nothing of the act can be missing here. A forced release begins with its plan. */
export function isWhole(act: Act): boolean {
  const has = (wanted: AuditEvent['phase']) => act.some(({ event }) => event.phase === wanted)
  if (isReleaseAct(act))
    return has('outcome') && has('intent') && act.some(({ event }) => event.act === 'release-plan')
  return act.every(({ event }) => event.phase === 'event') || (has('outcome') && has('intent'))
}

/** Requests and approvals of earlier versions are single entries of the release. Later ones are acts of their own. */
const isReleaseAct = (act: Act) =>
  act.some(
    ({ event }) =>
      ['release', 'release-plan'].includes(event.act) ||
      (event.phase === 'event' && ['release-request', 'approval'].includes(event.act)),
  )

/** Who asked for a forced release that another person's approval carried out; null: the actor did. */
export function requesterOf({
  act,
  actor,
  before,
}: Pick<AuditEvent, 'act' | 'actor' | 'before'>): string | null {
  if (act !== 'release' || typeof before !== 'object' || before === null) return null
  const { plannedBy } = before as { plannedBy?: unknown }
  return typeof plannedBy === 'string' && plannedBy !== actor.username ? plannedBy : null
}

/** Where the other entries of an act can be: a plan lives for a minute, an approval may take hours. */
export function restOf(act: Act, nowMs: number): ActQuery {
  const { event } = act[0]
  const written = act.flatMap(({ entry }) => (entry === null ? [] : [entry]))
  const newest = written[0]
  // Only the day of now counts: the query must not differ at each drawing, which would be another request each time.
  const todayMs = Math.floor(nowMs / dayMs) * dayMs
  const oldestMs = written.length === 0 ? todayMs : Math.min(...written.map(({ at }) => Date.parse(at)))
  return {
    id: event.id,
    chain: newest?.chain ?? 'main',
    from: new Date(oldestMs - dayMs).toISOString(),
    to: newest?.phase === 'outcome' ? new Date(Date.parse(newest.at) + minuteMs).toISOString() : undefined,
  }
}

/** Both lists of parts as one, newest first; the parts of the page, which is asked for again and again, go first. */
export function joined(act: Act, found: readonly ShownEntry[]): Act {
  const known = new Set(act.map(partKey))
  const written = [
    ...act.filter(({ entry }) => entry !== null),
    ...found
      .filter((entry) => !known.has(entryKey(entry)))
      .map((entry): ActPart => ({ event: entry, entry })),
  ]
  const place = ({ entry }: ActPart) => entry?.bucket ?? ''
  written.sort((a, b) =>
    place(a) === place(b) ? (b.entry?.seq ?? 0) - (a.entry?.seq ?? 0) : compareBuckets(place(b), place(a)),
  )
  const [first = act[0], ...rest] = [...act.filter(({ entry }) => entry === null), ...written]
  return [first, ...rest]
}

/** `2026-11-21#10` is after `2026-11-21#9`. */
function compareBuckets(a: string, b: string): number {
  const [dayA = '', partA = '1'] = a.split('#')
  const [dayB = '', partB = '1'] = b.split('#')
  return dayA === dayB ? Number(partA) - Number(partB) : dayA < dayB ? -1 : 1
}
