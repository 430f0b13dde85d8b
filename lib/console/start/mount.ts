import { toResponse } from '../http/adapters/web.ts'
import { requestIdOf } from '../http/log/request-id.ts'
import { respond } from '../http/router.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { consoleContext } from './started.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Every method of one of Next's route files, answered by the router of the contract: 404 and 405 are its own too. For
 * `next dev`, and for hosts that run Next themselves; the console's own server answers the API before Next sees it.
 */
export function mountAll(): Record<(typeof methods)[number], (request: Request) => Promise<Response>> {
  const handle = async (request: Request) => {
    const console = consoleContext()
    const requestId = requestIdOf(request.headers)
    const { method, url, body, signal } = request
    const headers = new Headers(request.headers)
    headers.set('x-request-id', requestId)
    const response = toResponse(await respond({ method, url, headers, body, signal }, console))
    response.headers.set('X-Request-Id', requestId)
    for (const [name, value] of securityHeaders('/', console.config.publicUrl))
      response.headers.set(name, value)
    return response
  }
  return Object.fromEntries(methods.map((method) => [method, handle])) as ReturnType<typeof mountAll>
}
