import type { ApiRequest } from '../adapters/api-request.ts'
import { HttpProblem } from '../http-problem.ts'

/**
 * Refuses what another site's page makes a browser send. Asked of every request but those that carry a token and no
 * cookie: a token is sent on purpose, a cookie by any page that the browser shows.
 *
 * 1. `Sec-Fetch-Site` says cross-site or same-site (another port or subdomain): refused, reading included. Only a
 *    navigation to a new document may read: a link, or the way back from a single sign-on.
 * 2. A request that changes something must come from PUBLIC_URL by its Origin; when it has none, the browser must say
 *    that it is same-origin. What says neither is refused.
 *
 * Programs send neither header when they read; a browser sends both, and no page can forge them.
 * @throws HttpProblem wrong-origin
 */
export function checkOrigin({ method, headers }: ApiRequest, { publicUrl }: { publicUrl: URL }): void {
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
  if (site !== 'same-origin') throw refusal(publicUrl, 'has no Origin header')
}

const refusal = ({ origin }: URL, why: string) =>
  new HttpProblem(
    'wrong-origin',
    `Requests by cookie are accepted from ${origin} alone (PUBLIC_URL); this request ${why}.`,
  )
