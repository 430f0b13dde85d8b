import type { IncomingMessage } from 'node:http'

/** The path that stands for every one which cannot be decoded; the router answers it with a 400. */
export const undecodablePath = '/v1/undecodable-path'

/**
 * Next answers a path such as `/v1/locks/%ZZ` with a 500 before any of our code runs. So the path is replaced as
 * soon as the request arrives.
 */
export function rewriteUndecodablePath(request: IncomingMessage): void {
  const path = request.url?.split('?', 1)[0] ?? ''
  try {
    decodeURIComponent(path)
  } catch {
    request.url = path.startsWith('/v1/') ? undecodablePath : '/undecodable-path'
  }
}
