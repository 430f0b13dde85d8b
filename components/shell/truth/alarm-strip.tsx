'use client'

import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import type { Lost } from '../../../lib/client/call/connection.ts'
import { notOpened } from '../../../lib/client/call/not-opened.ts'
import { keys } from '../../../lib/client/call/queries.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { Instant } from '../time/instant.tsx'

/** Who does not answer, in a few words, as a head and as what follows after "for 14 s". */
function who({ cause, nodes, nodesUp }: Lost): { head: string; tail: string } {
  if (cause === 'server') return { head: 'Leasehold’s server has not answered', tail: '' }
  if (cause === 'silence') return { head: 'No answer', tail: '' }
  if (nodes === null || nodesUp === null) return { head: 'Cassandra has not answered', tail: '' }
  const tail = nodesUp === 1 ? `1 of ${nodes} answers` : `${nodesUp} of ${nodes} answer`
  return {
    head: 'No quorum',
    tail: nodes === 1 ? ': the one node does not answer' : `: ${tail.replace(' answer', ' nodes answer')}`,
  }
}

/**
 * What is shown may be wrong: since when, as of when, what is locked, what is tried next. What changes every second is hidden from
 * live regions, so that the alarm is said once.
 */
export function AlarmStrip({ lost }: { lost: Lost & { goodAtMs: number | null } }) {
  const { head, tail } = who(lost)
  const since = useCallback(
    (nowMs: number) => durationText(Math.floor((nowMs - lost.sinceMs) / 1000) * 1000),
    [lost.sinceMs],
  )
  const atMs = serverNow(lost.sinceMs)
  return (
    <section className="alarm" aria-label="Alarm" id="alarm">
      <Icon name="risk" />
      <div role="alert">
        <b>
          {head}{' '}
          <span className="vh">
            since <Instant at={atMs} zoned />
          </span>
          <span aria-hidden="true">
            for <Ticking text={since} />
          </span>
          {tail}.
        </b>{' '}
        {lost.goodAtMs === null ? (
          'Nothing could be read yet.'
        ) : (
          <>
            What is shown is as of <Instant at={atMs} zoned /> and may be wrong by now.
          </>
        )}{' '}
        Releases are locked until a SERIAL read succeeds.
        {lost.cause !== 'cassandra' && ' Other pages cannot be opened until then.'}
        <NotOpened />
      </div>
      <TryNow nextTryAtMs={lost.nextTryAtMs} />
    </section>
  )
}

/** Why a link did nothing. Said again for each time. */
function NotOpened() {
  const count = useSyncExternalStore(notOpened.subscribe, notOpened.count, () => 0)
  useEffect(() => notOpened.clear, [])
  if (count === 0) return null
  return (
    <p key={count} className="mt-1">
      <b>The page was not opened.</b> Pages come from Leasehold’s server, which does not answer. What is shown
      stays here; open the page again once the alarm is over.
    </p>
  )
}

function TryNow({ nextTryAtMs }: { nextTryAtMs: number }) {
  const client = useQueryClient()
  const trying = useIsFetching({ queryKey: keys.cluster }) > 0
  const next = useCallback(
    (nowMs: number) => ` (next in ${Math.max(1, Math.ceil((nextTryAtMs - nowMs) / 1000))} s)`,
    [nextTryAtMs],
  )
  return (
    <button
      type="button"
      className="btn sm push"
      aria-label="Try now"
      onClick={() => client.refetchQueries({ type: 'active' })}
    >
      Try now
      {trying ? <span> (trying…)</span> : <Ticking text={next} />}
    </button>
  )
}
