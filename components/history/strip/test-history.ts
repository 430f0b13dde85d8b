import type { LeaseEventKind } from '../../../lib/contract/leases/event-kinds.ts'
import type { LeaseEvent, NotObserved } from '../../../lib/contract/leases/history.ts'
import type { SpanSource } from './unseen-end.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** An exact event at a few milliseconds after 1970. */
export function transition(
  atMs: number,
  kind: LeaseEventKind,
  owner: string | null,
  previousOwner: string | null = null,
): LeaseEvent {
  return {
    id: `${atMs} ${kind} ${owner}`,
    kind,
    at: iso(atMs),
    notBefore: null,
    notAfter: null,
    owner,
    previousOwner,
    token: null,
    version: null,
    ttlSeconds: 30,
    source: 'observed',
    reason: null,
    release: null,
  }
}

export const gap = (fromMs: number, toMs: number): NotObserved => ({
  from: iso(fromMs),
  to: iso(toMs),
  why: 'no-recorder',
  what: 'everything',
})

/** `events`: oldest first, as a reader tells them; the server gives the newest first. */
export const history = (
  fromMs: number,
  toMs: number,
  events: readonly LeaseEvent[],
  { recordedSince = fromMs, gaps = [] }: { recordedSince?: number | null; gaps?: NotObserved[] } = {},
): SpanSource => ({
  fromMs,
  toMs,
  events: [...events].reverse(),
  notObserved: [...gaps].reverse(),
  before: null,
  recordedSince: recordedSince === null ? null : iso(recordedSince),
})
