import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ApiHeaders } from '../adapters/api-request.ts'

const header = 'x-request-id'

/** Ids from the sender that are harmless in a log, a header and a page. */
const sane = /^[\w-]{8,64}$/

/**
 * The id of a request in its answer, in problems, in the log and in the audit. The sender may give it, so that a
 * request can be followed from a program or a reverse proxy; otherwise it is new. It proves nothing: two requests may
 * have the same id.
 */
export function requestIdOf(headers: ApiHeaders): string {
  return saneId(headers.get(header))
}

const saneId = (given: unknown): string =>
  typeof given === 'string' && sane.test(given) ? given : randomUUID()

/** Gives a request that arrives its id, for the handler to find. @returns the id, which the answer shows */
export function nameRequest(request: IncomingMessage): string {
  const id = saneId(request.headers[header])
  request.headers[header] = id
  return id
}
