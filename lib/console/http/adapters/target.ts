import { routes } from '../../../contract/routes.ts'

/** Which part of the server answers a request, by its target. `path`, with the query, is passed on as it is here. */
type Target =
  | { kind: 'api'; path: string }
  | { kind: 'page'; path: string }
  /** `*`: the server as a whole. */
  | { kind: 'server' }
  /** No text. `detail` says why. */
  | { kind: 'bad'; detail: string }

/** The first segments of the API's paths: `v1`, `healthz`, … */
const apiRooms: ReadonlySet<string> = new Set(
  Object.values(routes).map(({ path }) => path.split('/')[1] as string),
)

/** The most frequent beginning needs no parsing. */
const plainApi = /^\/v1\/[\w/-]/

/**
 * Decides between API and pages. Dots and escapes are resolved first, so that no spelling of `/v1` leads to a page, or
 * around the API's checks.
 */
export function targetOf(url: string): Target {
  if (url === '*') return { kind: 'server' }
  // A client of a proxy names the host in the request line.
  const path = url.replace(/^https?:\/\/[^/?#]*(?=[/?])/i, '')
  if (!path.startsWith('/')) return { kind: 'bad', detail: 'The request line names no path.' }
  if (plainApi.test(path)) return { kind: 'api', path }
  const { pathname, search } = new URL(`http://localhost${path}`)
  const decoded = decode(pathname)
  const room = (decoded ?? pathname).split('/')[1] as string
  if (apiRooms.has(room)) return { kind: 'api', path: pathname + search }
  if (decoded === null) return { kind: 'bad', detail: 'The path is not valid percent-encoded UTF-8.' }
  return { kind: 'page', path: pathname + search }
}

function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}
