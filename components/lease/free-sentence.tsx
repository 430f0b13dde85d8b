'use client'

import type { FreeReading } from '../../lib/client/watch/one-lease.ts'
import { longestContentionMs } from '../../lib/contract/leases/contention.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { usePast } from '../release/progress/use-past.ts'
import { Say } from '../ui/text/say.tsx'
import { UntilText } from './facts/until-text.tsx'
import type { LeaseMemory } from './memory/use-lease-memory.ts'
import { type Still, StillSentence } from './still.tsx'

interface FreeSentenceProps {
  reading: FreeReading
  /** The lease that was seen here until it went. */
  was: Lease | null
  memory: LeaseMemory
  still: Still
}

const onWatch = 'The page keeps watching and shows the next holder.'

/** What a lease without a row means. That it can be acquired is said together with how long an old holder may act. */
export function FreeSentence({ reading, was, memory, still }: FreeSentenceProps) {
  const { acting, isKnown } = memory
  const freedAtMs = freedEarlyAtMs(reading, was)
  // The last renewal may have come just before the delete: the old holder has its whole TTL from then.
  const heldUntilMs =
    freedAtMs === null || was?.ttlSeconds == null
      ? null
      : freedAtMs + was.ttlSeconds * 1000 + longestContentionMs
  const isOver = usePast(acting?.safeAt == null ? null : Date.parse(acting.safeAt))
  const isTtlOver = usePast(heldUntilMs)
  if (still !== null) return <StillSentence still={still} />
  if (acting !== undefined && !isOver)
    return (
      <Say tone="danger" icon="risk" title="The old holder may still act.">
        {acting.safeAt === null ? (
          'The lease had no expiry, so its holder has no deadline: it may act until its next renewal is refused.'
        ) : (
          <>
            It must have stopped by <UntilText at={acting.safeAt} />, if it keeps to its deadline.
          </>
        )}{' '}
        A program that acquires the lease before then works at the same time.
      </Say>
    )
  if (!isKnown)
    return (
      <Say icon="gone" title="Free. Cassandra confirmed it.">
        Whether it was released by force is not known yet. If it was, its old holder may still act.
      </Say>
    )
  return (
    <Say icon="gone" title="Free. Cassandra confirmed it.">
      {memory.shown.length > 0 ? null : freedAtMs === null ? (
        was !== null && was.state !== 'quarantined' && 'It expired without a renewal. '
      ) : (
        <>
          Released early, by its holder or a program that named it.{' '}
          {!isTtlOver && heldUntilMs !== null && (
            <>
              If another program released it, the holder may still act until <UntilText at={heldUntilMs} />,
              its latest deadline.{' '}
            </>
          )}
        </>
      )}
      A SERIAL read found no row. Any program can acquire the lease now. {onWatch}
    </Say>
  )
}

/** When it was found free before its time, by the server's clock; null: it was not, or that is not known. */
function freedEarlyAtMs(reading: FreeReading, was: Lease | null): number | null {
  const { now } = reading.since ?? reading
  if (now === undefined || was === null || was.owner === null || was.state === 'quarantined') return null
  const isEarly = was.expiresAt === null || Date.parse(now) < Date.parse(was.expiresAt)
  return isEarly ? Date.parse(now) : null
}
