import { may } from '../../components/shell/session/may.ts'
import { pageSize } from '../../lib/client/call/queries.ts'
import { viewOf, viewQuery } from '../../lib/client/view/lease-view.ts'
import { ActWindow } from '../../lib/console/http/act-window.ts'
import { personKey } from '../../lib/console/http/limits/sender-key.ts'
import { consoleContext } from '../../lib/console/start/started.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { LeaseList } from '../../lib/contract/leases/lease.ts'
import { leaseListQuerySchema } from '../../lib/contract/leases/watch.ts'
import { currentSession } from './current-session.ts'
import { oneOf, type SearchParams } from './search-text.ts'

/** A page waits no longer for its rows: without them it is shown as well, and asks for them itself. */
const withinMs = 400

/**
 * The rows that a page of the list begins with, as `GET /v1/leases` answers: they are in the page's HTML. null: this
 * person may not see them, the query is wrong, or Cassandra has not answered in time; the page's own request says which.
 */
export async function firstLeases(search: SearchParams): Promise<LeaseList | null> {
  const found = await currentSession()
  if (found.kind !== 'signed-in' || !may(found.session, endpoints.listLeases)) return null
  const { session } = found
  const senderKey = personKey(session.username)
  const query = leaseListQuerySchema.safeParse({
    ...viewQuery(viewOf((name) => oneOf(search[name]))),
    limit: pageSize,
  })
  if (!query.success) return null
  const { clock, handlers, listSlots } = consoleContext()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), withinMs)
  const list = () =>
    handlers.listLeases({
      params: undefined,
      query: query.data,
      body: undefined,
      session,
      senderKey,
      sessionId: null,
      cookieHeader: null,
      requestId: '',
      address: null,
      lastEventId: null,
      signal: late.signal,
      window: new ActWindow(clock),
      stillAllowed: async () => session,
    })
  const read = async () => {
    const { body } = await listSlots.run(senderKey, list, late.signal)
    return body as LeaseList
  }
  const given = new Promise<null>((resolve) => late.signal.addEventListener('abort', () => resolve(null)))
  try {
    return await Promise.race([read(), given])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
