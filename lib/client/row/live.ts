/**
 * Whether the server answers, by all calls of the page together, and by what other windows hear of the server. Lives in the browser only.
 */
import { isServerSilent } from '../call/api-error.ts'
import { type CallEvent, call, onCall } from '../call/call.ts'
import { afterCall, type Connection, healthTimeoutMs } from '../call/connection.ts'
import { shareAnswers, sharedAnswers } from '../stream/shared-answers.ts'

let connection: Connection = { kind: 'unknown' }
const listeners = new Set<() => void>()
let ends: (() => void)[] = []

function take(event: CallEvent): void {
  const { route, error } = event
  if (error === undefined || !isServerSilent(error))
    sharedAnswers.note(error?.code === 'cassandra-unavailable')
  // Which one is silent, the server or Cassandra? The server answers /healthz without Cassandra.
  if (route === 'getCluster' && error?.code === 'server-timeout')
    call('healthz', { timeoutMs: healthTimeoutMs }).catch(() => {})
  const next = afterCall(connection, event, sharedAnswers.heard())
  if (next === connection) return
  connection = next
  for (const tell of listeners) tell()
}

export const live = {
  connection: (): Connection => connection,
  subscribe: (listener: () => void): (() => void) => {
    if (listeners.size === 0) ends = [onCall(take), shareAnswers()]
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      for (const end of ends) end()
      ends = []
    }
  },
}
