'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { actsEnd, call, onCall } from '../../../lib/client/call/call.ts'
import { clusterQuery, keys } from '../../../lib/client/call/queries.ts'
import { pageClock } from '../../../lib/client/time/page-clock.ts'
import { signInPath } from '../../../lib/contract/people/next-path.ts'
import { SessionEnd } from './session-end.ts'
import { useConnection } from './use-connection.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const newSessionEnd = () =>
  new SessionEnd({
    isEnded: () =>
      call('getSession', {}).then(
        () => false,
        (thrown: { code?: unknown }) => thrown.code === 'unauthenticated',
      ),
    actsEnd,
    pause,
    leave: (ended) => location.assign(signInPath(location.pathname + location.search, { ended })),
  })

/** Watches the connection on every page: notices an outage and the end of the session, and reads everything again after an outage or a suspend. */
export function Watchman() {
  const client = useQueryClient()
  const connection = useConnection()
  useQuery(clusterQuery)
  const [sessionEnd] = useState(newSessionEnd)

  useEffect(
    () =>
      onCall((event) => {
        sessionEnd.note(event)
        const { route, error } = event
        // The role is another one than this page thinks, or the elevation is over.
        if (error?.code === 'forbidden' || error?.code === 'elevation-needed')
          client.refetchQueries({ queryKey: keys.session }, { cancelRefetch: false })
        // Another read was refused: do not wait for the next pulse to say so.
        if (error?.code === 'cassandra-unavailable' && route !== 'getCluster')
          client.refetchQueries({ queryKey: keys.cluster }, { cancelRefetch: false })
      }),
    [client, sessionEnd],
  )

  // A page without a stream reads by rhythms, which stood still as well.
  useEffect(() => pageClock.onSuspend(() => client.refetchQueries({ type: 'active' })), [client])

  const before = useRef(connection.kind)
  useEffect(() => {
    if (before.current === 'lost' && connection.kind === 'good') client.refetchQueries({ type: 'active' })
    before.current = connection.kind
  }, [connection.kind, client])
  return null
}
