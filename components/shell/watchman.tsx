'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call, onCall } from '../../lib/client/call.ts'
import { clusterQuery, keys } from '../../lib/client/queries.ts'
import { signInPath } from '../../lib/contract/people/next-path.ts'
import { useConnection } from './use-connection.ts'

const healthTimeoutMs = 1000
/**
 * An elevation and a new password come with a new session id, and what is on its way under the old one is refused. So
 * nobody leaves before it was asked under the id that is there after a moment, in milliseconds.
 */
const newIdMs = 500

/** Keeps the pulse on every page: notices a loss at once, reads everything anew after it, and a session that ended. */
export function Watchman() {
  const client = useQueryClient()
  const connection = useConnection()
  useQuery(clusterQuery)
  // Every read is refused once the session has ended; one of them is enough to ask.
  const asking = useRef(false)

  useEffect(
    () =>
      onCall(({ route, error }) => {
        if (error?.code === 'unauthenticated' && route === 'getSession')
          location.assign(signInPath(location.pathname + location.search, { ended: true }))
        else if (error?.code === 'unauthenticated' && !asking.current) {
          asking.current = true
          setTimeout(() => {
            call('getSession', {})
              .catch(() => {})
              .finally(() => {
                asking.current = false
              })
          }, newIdMs)
        }
        // The role is another one than this page thinks, or the elevation is over.
        if (error?.code === 'forbidden' || error?.code === 'elevation-needed')
          client.refetchQueries({ queryKey: keys.session }, { cancelRefetch: false })
        // Silence: whose? The server's own health asks nobody else.
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
