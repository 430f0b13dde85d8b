import { randomUUID } from 'node:crypto'

export const requestIdHeader = 'X-Request-Id'

/** Ids that others made are taken over when they can do no harm in a log, a header or a page. */
const sane = /^[\w-]{8,64}$/

/**
 * What a request is called in its answer, in problems, in the log and in the audit: the id that it came with, so that
 * it can be followed from a program or a reverse proxy on, or a new one. It names a request and proves nothing: two
 * requests may come under one id.
 */
export function requestIdOf(headers: Headers): string {
  const given = headers.get(requestIdHeader)
  return given !== null && sane.test(given) ? given : randomUUID()
}
