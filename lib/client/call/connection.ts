/**
 * Whether the page can be up to date: when Cassandra was last read through the server, and which of the two does not
 * answer since. Lost is decided by the pulse (`GET /v1/cluster`, a SERIAL read every 2 s) and by an unreachable server;
 * any SERIAL read that began after the loss ends it. A single slow list is no loss.
 *
 * A request may wait in the browser until its time is over (`shared-answers.ts`). Where `GET /healthz` is not answered in time either, what
 * the windows of this browser heard of the server meanwhile names the silent one. A connection that is refused has not waited: it names
 * the server.
 *
 * Guarantees: a server that falls silent is named as soon as in a single window, within 5 s, if it answered the last pulse within half a
 * second. Does not guarantee that where Cassandra was silent before: then it may take 6.5 s.
 */
import type { RouteId } from '../../contract/endpoints.ts'
import type { ServerHeard } from '../stream/shared-answers.ts'
import { type ApiError, isServerSilent } from './api-error.ts'
import type { CallEvent } from './call.ts'

/** The pulse is asked again this long after its last answer. */
export const pulseMs = 2000
/** With `pulseMs` and this, a stop is on the page within 4 s, whatever the server and Cassandra do. */
export const pulseTimeoutMs = 2000
/** How long the server may take to answer `GET /healthz`, after a pulse without an answer. */
export const healthTimeoutMs = 1000
/**
 * For so long the server counts as heard. Longer than the two seconds between two events of a stream, and shorter than a pulse and a
 * `/healthz` without an answer: what was heard before the server fell silent does not count.
 */
const heardForMs = 2500

export interface Lost {
  kind: 'lost'
  /**
   * `server`: Leasehold's own server does not answer. `cassandra`: the server answers, Cassandra does not. `silence`:
   * no answer in time; `GET /healthz`, which does not need Cassandra, shows which of the two is silent. It stays `silence` where that is
   * not answered in time, and a window heard the server meanwhile.
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

/** The connection after one more call has ended. @param heard of the server, by the windows of this browser */
export function afterCall(before: Connection, event: CallEvent, heard: ServerHeard): Connection {
  if (event.route === 'healthz') return afterHealth(before, event, heard)
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
function afterHealth(before: Connection, event: CallEvent, heard: ServerHeard): Connection {
  if (before.kind !== 'lost') return before
  const cause = causeByHealth(before.cause, event, heard)
  return before.cause === cause ? before : { ...before, cause }
}

function causeByHealth(
  before: Lost['cause'],
  { error, endedAtMs }: CallEvent,
  heard: ServerHeard,
): Lost['cause'] {
  if (error === undefined) return 'cassandra'
  const isOfNow = (atMs: number) => endedAtMs - atMs < heardForMs
  if (error.code !== 'server-timeout' || !isOfNow(heard.answeredAtMs)) return 'server'
  if (isOfNow(heard.cassandraSilentAtMs)) return 'cassandra'
  return before === 'server' ? 'silence' : before
}
