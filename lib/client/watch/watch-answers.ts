/** What the events of a watch have to look like, by the contract's schemas. Fetched late, as `answers.ts` is. */
import { type WatchEvent, type WatchEventName, watchEvents } from '../../contract/leases/watch.ts'

/** One event, as the contract has it. `unknown`: a newer server's, which says nothing to this page. */
export type WatchMessage =
  | { [N in WatchEventName]: { name: N; data: WatchEvent<N> } }[WatchEventName]
  | { name: 'unknown' }

/** @throws {Error} where the data is not what the contract says */
export function parseWatchEvent(name: string, data: string): WatchMessage {
  if (!Object.hasOwn(watchEvents, name)) return { name: 'unknown' }
  const known = name as WatchEventName
  return { name: known, data: watchEvents[known].parse(JSON.parse(data)) } as WatchMessage
}
