import { systemClock } from 'leasehold/time'
import type { RouteId } from '../../../contract/endpoints.ts'
import type { Session } from '../../../contract/people/session.ts'
import { addressKey } from '../limits/request-limits.ts'
import { Sampler } from '../limits/sampler.ts'
import type { Log } from './log.ts'

/** What is known of a request by the time it is answered; its id every line has anyway. */
export interface Access {
  method: string
  address: string | null
  /** null: the path is no route's. Never the path itself, which may hold anything that a person typed. */
  route: RouteId | null
  /** Of the path, as they came. Not for the log. */
  params: Record<string, string>
  /** As the query names it; null: it does not. */
  table: string | null
  /** null: no valid credentials, or they were not looked up. */
  session: Session | null
  /** A token came with it, valid or not. */
  withToken: boolean
  /** Answered late on purpose. */
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
 * is only read goes without, also when it is not there: a console asks twice a second. Requests over the limit are logged by it. Of those
 * refused without a session some are logged, and the next such line says how many were not.
 */
export function logAccess(
  log: Log,
  access: Access,
  { status, ms }: { status: number; ms: number },
  sampler: Pick<Sampler, 'admit'> = strangers,
): void {
  const { method, address, route, session, waits, streams } = access
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  const refused = status >= 400 && status !== 404
  const slow = ms > slowMs && !waits
  // Turned away before its route was looked for.
  const overLimit = status === 429 && route === null
  if (overLimit || (reads && !refused && !slow && !streams)) return
  const sampled =
    session === null && status >= 400 && status < 500 ? sampler.admit(addressKey(address ?? '')) : undefined
  if (sampled === null) return
  log[status >= 500 ? 'warn' : 'info'](
    {
      act: 'request',
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
