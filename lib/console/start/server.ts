/**
 * The console's process: one server, which answers the API itself and gives pages to Next. Compiled by `tsc` into the
 * build (scripts/console/build.mjs) and run from the directory of the repository:
 *
 *     HOST=127.0.0.1 PORT=3000 node .next/leasehold/console/start/server.js
 */
import { createServer } from 'node:http'
import next from 'next'
import { createNodeServer } from '../http/adapters/node-server.ts'
import { ConnectionShares } from '../http/connections/connection-shares.ts'
import { clientAddress } from '../http/limits/client-address.ts'
import { FailedPages } from '../http/log/failed-pages.ts'
import { requestIdOf } from '../http/log/request-id.ts'
import { respond } from '../http/router.ts'
import { startConsole } from './start.ts'

// An empty variable is one that is not set, as in the configuration.
const host = process.env.HOST || '127.0.0.1'
const port = Number(process.env.PORT || 3000)
/** The exit code that shells give for a signal. */
const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const

const app = next({
  dev: false,
  hostname: host,
  port,
  // It would write each error of a page in lines of its own: see failed-pages.ts.
  quiet: true,
  // Next listens for `upgrade` on the server that it is given, or else on the first request's: see node-server.ts.
  httpServer: createServer(),
})
const [context] = await Promise.all([startConsole(), app.prepare()])
const { log, config } = context
const render = app.getRequestHandler()
const failedPages = new FailedPages(log)
const { server, close } = createNodeServer({
  respond: (request) => respond(request, context),
  limitPage: (path, from) => context.pageLimits.take(path, clientAddress(from, config)),
  page: (request, response, from) => {
    const page = {
      requestId: requestIdOf(from.headers),
      address: clientAddress(from, config),
      response,
    }
    return failedPages.watch(page, () => render(request, response))
  },
  publicUrl: config.publicUrl,
  shares: new ConnectionShares({ trustProxy: config.trustProxy, log }),
  failed: (error) => {
    if (!failedPages.isNoted(error)) log.error({ error }, 'a request could not be answered')
  },
})
server.once('error', (error) => {
  console.error(`Leasehold cannot start: it cannot listen at ${host}:${port} (${error.message}).`)
  process.exit(1)
})
server.listen(port, host)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    context.close()
    await close()
    await Promise.all([context.audit.close(), context.recorder.ended(), context.lab.end()])
    process.exit(exitCodes[signal])
  })
