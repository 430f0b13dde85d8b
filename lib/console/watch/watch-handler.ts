import type { Session } from '../../contract/people/session.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { isOwnTable, tableOf } from '../leases/tables.ts'
import type { ViewSpec } from './rows/view.ts'
import type { WatchServices } from './watch-services.ts'

type ViewQuery = Pick<
  Parameters<Handler<Routes['watch'], WatchServices>>[0]['query'],
  'name' | 'prefix' | 'q' | 'owner' | 'state' | 'sort'
>

/** The console's own leases are shown to a reader who looks for them by this word. */
const ownWord = 'leasehold'
/** What is wrong with leases of the election lab is so on purpose: those who look for them by this word see it counted, too. */
const labWord = 'lab/'

/**
 * What a query asks to see, and of how much its sender may know: a program of the name, or of the names under
 * the prefix, that it gives.
 * @param isOwn the table has the console's own leases, which are not what people look for
 */
export const viewOf = (
  { name, prefix = '', q = '', owner, state, sort }: ViewQuery,
  { role }: Session,
  isOwn: boolean,
): ViewSpec => {
  const looksFor = (word: string) => [prefix, q.toLowerCase()].some((text) => text.includes(word))
  return {
    name,
    sort,
    prefix,
    q,
    owner: owner ?? null,
    states: state ?? null,
    within: role === 'client' ? (name ?? prefix) : '',
    calmsLab: isOwn && name === undefined && !looksFor(labWord),
    hidesOwn: isOwn && name === undefined && !looksFor(ownWord),
  }
}

export const watch: Handler<Routes['watch'], WatchServices> = async (input, services) => {
  const { query, session, senderKey: sender, lastEventId, signal } = input
  const table = tableOf(services, query.table)
  services.watch.begin()
  const { order, offset, limit } = query
  const { streams } = services.watch
  const spec = { ...viewOf(query, session, isOwnTable(services, table)), order, offset, limit }
  return {
    status: 200,
    // The last is for nginx, which would keep events until it has a page of them.
    headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
    stream: await streams.stream(services.watch.table(table.id), spec, { sender, lastEventId, signal }),
  }
}
