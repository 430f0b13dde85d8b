/**
 * Whether the page can be up to date: when Cassandra was last read through the server, and which of the two does not
 * answer since. Lost is decided by the pulse (`GET /v1/cluster`, a SERIAL read every 2 s) and by an unreachable server;
 * any SERIAL read that began after the loss ends it. A single slow list is no loss.
 */
import type { RouteId } from '../../contract/endpoints.ts'
import { type ApiError, isServerSilent } from './api-error.ts'
import type { CallEvent } from './call.ts'

/** The pulse is asked again this long after its last answer. */
export const pulseMs = 2000
/** With `pulseMs` and this, a stop is on the page within 4 s, whatever the server and Cassandra do. */
export const pulseTimeoutMs = 2000

export interface Lost {
  kind: 'lost'
  /**
   * `server`: Leasehold's own server does not answer. `cassandra`: the server answers, Cassandra does not. `silence`:
   * no answer in time; `GET /healthz`, which does not need Cassandra, shows which of the two is silent.
   */
  cause: 'server' | 'cassandra' | 'silence'
  /** When the last good answer came, or the first bad one when there was none; monotonic. */
  sinceMs: number
  /** When the loss was noticed: answers to earlier requests do not end it. */
  noticedAtMs: number
  /** When the pulse is asked again by itself; monotonic. */
  nextTryAtMs: number
  /** As the server counts them. */
  nodes: number | null
  nodesUp: number | null
}

/** `unknown` until the first answer. `goodAtMs`: when the last SERIAL read was answered; monotonic. */
export type Connection =
  | { kind: 'unknown' }
  | { kind: 'good'; goodAtMs: number }
  | (Lost & { goodAtMs: number | null })

const serialReads: readonly RouteId[] = ['getCluster', 'listLeases', 'getLease', 'planRelease']

/** The connection after one more call has ended. */
export function afterCall(before: Connection, event: CallEvent): Connection {
  if (event.route === 'healthz') return afterHealth(before, event.error !== undefined)
  if (!serialReads.includes(event.route)) return before
  const { error } = event
  const goodAtMs = before.kind === 'unknown' ? null : before.goodAtMs
  const answered =
    error === undefined ||
    (error.code !== 'cassandra-unavailable' && error.code !== 'internal' && !isServerSilent(error))
  if (answered) {
    const counts = error === undefined || error.code === 'not-held'
    if (!counts || (before.kind === 'lost' && event.startedAtMs < before.noticedAtMs)) return before
    return { kind: 'good', goodAtMs: event.endedAtMs }
  }
  if (event.route !== 'getCluster' && error.code !== 'server-unreachable') return before
  const cause = causeOf(error, before)
  // A silence after a refusal: the last count is still the best there is.
  const counted = error.problem ?? (before.kind === 'lost' && cause === 'cassandra' ? before : undefined)
  return {
    kind: 'lost',
    cause,
    sinceMs: before.kind === 'lost' ? before.sinceMs : (goodAtMs ?? event.startedAtMs),
    noticedAtMs: event.endedAtMs,
    nextTryAtMs: event.endedAtMs + pulseMs,
    nodes: counted?.nodes ?? null,
    nodesUp: counted?.nodesUp ?? null,
    goodAtMs,
  }
}

function causeOf({ code }: ApiError, before: Connection): Lost['cause'] {
  if (code === 'cassandra-unavailable') return 'cassandra'
  if (code !== 'server-timeout') return 'server'
  // Once it is known which one is silent, further silence is the same loss, until another answer comes.
  return before.kind === 'lost' ? before.cause : 'silence'
}

/** The answer of /healthz shows which one is silent. */
function afterHealth(before: Connection, failed: boolean): Connection {
  if (before.kind !== 'lost') return before
  const cause = failed ? 'server' : 'cassandra'
  return before.cause === cause ? before : { ...before, cause }
}
