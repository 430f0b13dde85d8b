/** Whether the server answers, by all calls of the page together. Lives in the browser only. */
import { onCall } from '../call/call.ts'
import { afterCall, type Connection } from '../call/connection.ts'

let connection: Connection = { kind: 'unknown' }
const listeners = new Set<() => void>()
let silence: (() => void) | undefined

export const live = {
  connection: (): Connection => connection,
  subscribe: (listener: () => void): (() => void) => {
    if (listeners.size === 0)
      silence = onCall((event) => {
        const next = afterCall(connection, event)
        if (next === connection) return
        connection = next
        for (const tell of listeners) tell()
      })
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) silence?.()
    }
  },
}
