'use client'

import { useSyncExternalStore } from 'react'
import type { Connection, Lost } from '../../../lib/client/call/connection.ts'
import { live } from '../../../lib/client/row/live.ts'

const unknown: Connection = { kind: 'unknown' }

export const useConnection = (): Connection =>
  useSyncExternalStore(live.subscribe, live.connection, () => unknown)

/** null while Cassandra answers, or nothing is known yet. */
export function useLost(): (Lost & { goodAtMs: number | null }) | null {
  const connection = useConnection()
  return connection.kind === 'lost' ? connection : null
}

/** Why nothing may be released or made now; null: it may. */
export function useLockReason(): string | null {
  const lost = useLost()
  if (lost === null) return null
  if (lost.cause === 'server') return 'the server does not answer'
  return lost.cause === 'silence' || lost.nodes === null ? 'no answer' : 'no quorum'
}
