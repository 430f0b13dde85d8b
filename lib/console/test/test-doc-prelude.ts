/**
 * For the documentation's test alone: a console that answers, and what an `@example` of it, or of what talks to it,
 * takes for granted besides the library's.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LeaseholdServer } from 'leasehold/http'
import { testProgramCredentials } from '../../leasehold/test/node-session.ts'
import { wholeBody } from '../../leasehold/test/whole-body.ts'
import { serve } from '../http/router.ts'
import { testConsole } from './test-console.ts'

/** Made for one run, and dropped after it. */
export const consoleKeyspace = `documentation_console_${process.pid}`

const { username: programRole } = testProgramCredentials()
/** Programs may use its tables, as they may use those of a console that `npm start` starts. */
const testing = await testConsole(
  consoleKeyspace,
  programRole === undefined ? {} : { CASSANDRA_PROGRAM_ROLE: programRole },
)
/** What the router takes; in the documentation, `api`. */
export const api = testing.context
export const token: string = (
  await testing.api('POST', '/v1/tokens', { name: 'documentation', prefixes: [''] })
).body.token

const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
  const body = await wholeBody(incoming)
  if (body === undefined) return
  const { method = 'GET', url = '/' } = incoming
  const request = new Request(`http://localhost:3000${url}`, {
    method,
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    body: body === '' ? null : body,
  })
  const response = await serve(request, api)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(await response.text())
}
const http = createServer((incoming, outgoing) => {
  // A promise that rejects and that no code awaits ends the process of all tests.
  respond(incoming, outgoing).catch(() => outgoing.destroy())
})
await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))

export const serverUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
export const server = new LeaseholdServer({ url: serverUrl, token })

export function closeConsole(): void {
  testing.context.close()
  http.closeAllConnections()
  http.close()
}
