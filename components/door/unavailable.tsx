'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'
import { isServerSilent } from '../../lib/client/call/api-error.ts'
import { call } from '../../lib/client/call/call.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { pageNow } from '../../lib/client/time/page-clock.ts'
import { Say } from '../ui/text/say.tsx'
import { Door } from './door.tsx'

const rhythmMs = 2000
/** A refresh that takes longer hangs on a connection that is dead: Next waits for it without a limit, and another one takes its place. */
const refreshMostMs = 15_000

/**
 * Sessions are rows in Cassandra: while it does not answer, or the console does not know which rows count, no user
 * can be checked, and no page is shown.
 */
export function Unavailable({ title, detail }: { title: string; detail: string }) {
  const router = useRouter()
  const [refreshing, refresh] = useTransition()
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => call('readyz', { signal }),
    refetchInterval: rhythmMs,
  })
  const { isSuccess, dataUpdatedAt } = ready
  const begunAtMs = useRef(0)
  useEffect(() => {
    const nowMs = pageNow()
    if (!isSuccess || (refreshing && nowMs - begunAtMs.current < refreshMostMs)) return
    begunAtMs.current = nowMs
    refresh(() => router.refresh())
  }, [isSuccess, dataUpdatedAt])
  const silent = isServerSilent(ready.error) ? errorWords(ready.error) : null
  return (
    <Door title={title}>
      <Say tone="danger" icon="risk" title={silent?.title ?? detail} role="alert">
        {silent?.detail}
      </Say>
      <p className="mut">
        Sessions are kept in Cassandra, so no user can sign in until it answers. Holders keep their leases
        until their deadlines. A holder that cannot renew until then stops.
      </p>
      <p className="mut" role="status">
        This page tries again every 2 s.
      </p>
      <button type="button" className="btn lg" onClick={() => ready.refetch()}>
        {ready.isFetching || refreshing ? 'Trying…' : 'Try now'}
      </button>
    </Door>
  )
}
