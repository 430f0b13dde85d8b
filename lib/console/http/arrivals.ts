import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { noteAddress } from './limits/client-address.ts'
import { nameRequest } from './log/request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { rewriteUndecodablePath } from './undecodable-path.ts'

/**
 * What is done to every request of this process as soon as it arrives, before Next sees it: a path that cannot be
 * decoded is replaced, the socket's address is noted, the request gets its id, and the answer the headers that all have.
 * Handlers cannot weaken these: Next drops a header of theirs that is set already; proxy.ts replaces the policy of pages.
 * What Node refuses while parsing (a malformed request line, headers of more than 16 KiB) never gets here.
 *
 * Called once a process. @param publicUrl undefined as long as nobody has read the configuration
 */
export function watchArrivals(publicUrl: () => URL | undefined): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    rewriteUndecodablePath(request)
    noteAddress(request)
    nameRequest(request, response)
    for (const [name, value] of securityHeaders(request.url ?? '', publicUrl()))
      response.setHeader(name, value)
  })
}
