import { systemClock } from 'leasehold/time'
import type { RouteId } from '../../../contract/endpoints.ts'
import type { Session } from '../../../contract/people/session.ts'
import { addressKey } from '../limits/request-limits.ts'
import { Sampler } from '../limits/sampler.ts'
import type { Log } from './log.ts'

/** The facts about a request when it is answered. */
export interface Access {
  requestId: string
  method: string
  address: string | null
  /** null: the path is no route's. Never the path itself: a person may have typed anything there. */
  route: RouteId | null
  /** The parameters of the path, as received. Not for the log. */
  params: Record<string, string>
  /** The table in the query; null: it names none. */
  table: string | null
  /** null: no valid credentials, or they were not looked up. */
  session: Session | null
  /** A token came with it, valid or not. */
  withToken: boolean
  /** The request was meant to wait. */
  waits: boolean
  /** Answered over time; logged when it has ended. */
  streams: boolean
}

const slowMs = 1000
/** Lines about requests that were refused without a session: 190 a second of them were 4 GB a day. */
export const strangerLines = { windowMs: 60_000, perKey: 20, total: 120 }
const strangers = new Sampler(systemClock, strangerLines)

/**
 * One line for a request to the API that changes something, is refused, fails, or is slow, and for a stream at its end. What
 * is only read goes without, also when it is not there: a console asks twice a second. The rate limit logs the requests that it refuses. Of those
 * refused without a session some are logged, and the next such line says how many were not.
 */
export function logAccess(
  log: Log,
  access: Access,
  { status, ms }: { status: number; ms: number },
  sampler: Pick<Sampler, 'admit'> = strangers,
): void {
  const { requestId, method, address, route, session, waits, streams } = access
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  const refused = status >= 400 && status !== 404
  const slow = ms > slowMs && !waits
  // Refused before the router looked for its route.
  const overLimit = status === 429 && route === null
  if (overLimit || (reads && !refused && !slow && !streams)) return
  const sampled =
    session === null && status >= 400 && status < 500 ? sampler.admit(addressKey(address ?? '')) : undefined
  if (sampled === null) return
  log[status >= 500 ? 'warn' : 'info'](
    {
      act: 'request',
      requestId,
      method,
      route,
      status,
      ms: Math.round(ms),
      username: session?.username ?? null,
      role: session?.role ?? null,
      address,
      notLogged: sampled?.passedOver || undefined,
    },
    'request',
  )
}
