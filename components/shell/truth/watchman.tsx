'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call, onCall } from '../../../lib/client/call/call.ts'
import { clusterQuery, keys } from '../../../lib/client/call/queries.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { signInPath } from '../../../lib/contract/people/next-path.ts'
import { useConnection } from './use-connection.ts'

const healthTimeoutMs = 1000
/**
 * An elevation and a new password bring a new session id, and requests under way with the old one are refused. So a
 * refusal sends the user to the sign-in page only if a second request, this many milliseconds later, is refused too.
 */
const newIdMs = 500
/** A second call of `location.assign` would load the sign-in page from the start. After this time the user has chosen to stay, and is asked once more. */
const leavesWithinMs = 10_000

/** Whether the session has ended; if so, leaves for the sign-in page. */
async function askAgain(isActRefused: () => boolean): Promise<void> {
  await pause(newIdMs)
  try {
    await call('getSession', {})
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code !== 'unauthenticated') return
    const ended = isActRefused() ? 'act' : true
    location.assign(signInPath(location.pathname + location.search, { ended }))
    await pause(leavesWithinMs)
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Watches the connection on every page: notices an outage and the end of the session, and reads everything again after an outage. */
export function Watchman() {
  const client = useQueryClient()
  const connection = useConnection()
  useQuery(clusterQuery)
  // Every read is refused once the session has ended; one of them is enough to ask.
  const asking = useRef(false)
  // Reads are refused in the same moment, and one of them may have been first.
  const isActRefused = useRef(false)

  useEffect(
    () =>
      onCall(({ route, error }) => {
        if (error?.code === 'unauthenticated' && endpoints[route].method !== 'GET')
          isActRefused.current = true
        if (error?.code === 'unauthenticated' && !asking.current) {
          asking.current = true
          askAgain(() => isActRefused.current).finally(() => {
            asking.current = false
            isActRefused.current = false
          })
        }
        // The role is another one than this page thinks, or the elevation is over.
        if (error?.code === 'forbidden' || error?.code === 'elevation-needed')
          client.refetchQueries({ queryKey: keys.session }, { cancelRefetch: false })
        // Which one is silent, the server or Cassandra? The server answers /healthz without Cassandra.
        if (error?.code === 'server-timeout' && route === 'getCluster')
          call('healthz', { timeoutMs: healthTimeoutMs }).catch(() => {})
        // Another read was refused: do not wait for the next pulse to say so.
        if (error?.code === 'cassandra-unavailable' && route !== 'getCluster')
          client.refetchQueries({ queryKey: keys.cluster }, { cancelRefetch: false })
      }),
    [client],
  )

  const before = useRef(connection.kind)
  useEffect(() => {
    if (before.current === 'lost' && connection.kind === 'good') client.refetchQueries({ type: 'active' })
    before.current = connection.kind
  }, [connection.kind, client])
  return null
}
