import type { ApiRequest } from '../adapters/api-request.ts'
import { HttpProblem } from '../http-problem.ts'

/**
 * Refuses what another site's page makes a browser send. Asked of every request but those that carry a token and no
 * cookie: a token is sent on purpose, a cookie by any page that the browser shows.
 *
 * 1. `Sec-Fetch-Site` says cross-site or same-site (another port or subdomain): refused, reading included. Only a
 *    navigation to a new document may read: a link, or the way back from a single sign-on.
 * 2. A request that changes something must come from PUBLIC_URL by its Origin; when it has none, the browser must say
 *    that it is same-origin. A request that says neither is refused if the server may act on it.
 *
 * Programs send neither header; a browser sends both, and no page can forge them.
 * @param options `mayAct: false`: the request has no credentials, on a route that needs some. The sender is a program that
 * forgot its token, and the next step answers 401, which says what to send
 * @throws HttpProblem wrong-origin
 */
export function checkOrigin(
  { method, headers }: ApiRequest,
  { publicUrl }: { publicUrl: URL },
  { mayAct = true }: { mayAct?: boolean } = {},
): void {
  const reads = method === 'GET' || method === 'HEAD'
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') {
    const opens = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
    if (!(reads && opens)) throw refusal(publicUrl, `comes from a page of another origin (${site})`)
  }
  if (reads) return
  const origin = headers.get('origin')
  if (origin === publicUrl.origin) return
  if (origin !== null) throw refusal(publicUrl, `comes from ${origin}`)
  if (mayAct && site !== 'same-origin') throw refusal(publicUrl, 'has no Origin header')
}

const refusal = ({ origin }: URL, why: string) =>
  new HttpProblem(
    'wrong-origin',
    `Requests by cookie are accepted from ${origin} alone (PUBLIC_URL); this request ${why}.`,
  )
