'use client'

import { serverNow } from '../../lib/client/call/call.ts'
import { mayActUntilMs, type TenureEnd, tenureEnd } from '../../lib/client/row/tenure-end.ts'
import type { FreeReading } from '../../lib/client/watch/one-lease.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import type { LeaseRelease } from '../../lib/contract/releases/lease-release.ts'
import { MayStillAct } from '../release/holder/may-still-act.tsx'
import { OwnerText } from '../release/holder/owner-text.tsx'
import { usePast } from '../release/progress/use-past.ts'
import { Say } from '../ui/text/say.tsx'
import { UntilText } from './facts/until-text.tsx'
import { endedByForce } from './memory/lease-memory.ts'
import type { LeaseMemory } from './memory/use-lease-memory.ts'
import { type Still, StillSentence } from './still.tsx'

interface FreeSentenceProps {
  reading: FreeReading
  /** The lease that was seen here until it went. */
  was: Lease | null
  /** When a read showed `was` last, on the monotonic clock; null: not known. */
  lastSeenAtMs: number | null
  memory: LeaseMemory
  still: Still
}

const onWatch = 'The page keeps watching and shows the next holder.'

/** What a lease without a row means. That it can be acquired is said together with how long an old holder may act. */
export function FreeSentence({ reading, was, lastSeenAtMs, memory, still }: FreeSentenceProps) {
  const { acting, isKnown } = memory
  const freedAtMs = freedAt(reading)
  const forced = was === null ? undefined : endedByForce(memory.shown, was)
  const quarantinedUntil = cutQuarantine(was, forced, freedAtMs)
  const isOver = usePast(acting?.safeAt == null ? null : Date.parse(acting.safeAt))
  const isQuarantineOver = usePast(quarantinedUntil === null ? null : Date.parse(quarantinedUntil))
  if (still !== null) return <StillSentence still={still} />
  const end = forced === undefined ? endOf(reading, was, lastSeenAtMs) : null
  if (acting !== undefined && !isOver)
    return (
      <>
        <OldHolder until={acting.safeAt} />
        {was !== null && end !== null && !mayHaveEndedBy(acting, was) && (
          <Say
            icon="gone"
            title={
              <>
                <OwnerText owner={was.owner} /> held the lease last.
              </>
            }
          >
            <EndText end={end} freedAtMs={freedAtMs} ttlSeconds={was.ttlSeconds} />
          </Say>
        )}
      </>
    )
  if (quarantinedUntil !== null && !isQuarantineOver) return <OldHolder until={quarantinedUntil} wasBroken />
  if (!isKnown)
    return (
      <Say icon="gone" title="Free. Cassandra confirmed it.">
        Whether it was released by force is not known yet. If it was, its old holder may still act.
      </Say>
    )
  return (
    <Say icon="gone" title="Free. Cassandra confirmed it.">
      {was !== null && end !== null && (
        <EndText end={end} freedAtMs={freedAtMs} ttlSeconds={was.ttlSeconds} />
      )}
      A SERIAL read found no row. Any program can acquire the lease now. {onWatch}
    </Say>
  )
}

/** @param wasBroken the mark of the break was deleted early */
function OldHolder({ until, wasBroken = false }: { until: string | null; wasBroken?: boolean }) {
  return (
    <Say tone="danger" icon="risk" title="The old holder may still act.">
      {wasBroken && 'The lease was broken, and its quarantine was ended early: its row is gone. '}
      {until === null ? (
        'The lease had no expiry, so its holder has no deadline: it may act until its next renewal is refused.'
      ) : (
        <>
          It must have stopped by <UntilText at={until} />, if it keeps to its deadline.
        </>
      )}{' '}
      A program that acquires the lease before then works at the same time.
    </Say>
  )
}

interface EndTextProps {
  end: TenureEnd
  freedAtMs: number
  ttlSeconds: number | null
}

function EndText({ end, freedAtMs, ttlSeconds }: EndTextProps) {
  if (end === 'expired') return 'It expired without a renewal. '
  return (
    <>
      {end === 'early'
        ? 'Released early, by its holder or a program that named it. '
        : 'How it ended was not seen. '}
      <MayStillAct untilMs={mayActUntilMs(freedAtMs, ttlSeconds)} />
    </>
  )
}

/** The first read that found it free, by the server's clock. */
function freedAt(reading: FreeReading): number {
  const { now, readAtMs } = reading.since ?? reading
  return now === undefined ? serverNow(readAtMs) : Date.parse(now)
}

/** How the holder that was seen lost it; null: no holder was seen. */
function endOf(reading: FreeReading, was: Lease | null, lastSeenAtMs: number | null): TenureEnd | null {
  if (was === null || was.owner === null || was.state === 'quarantined') return null
  return tenureEnd({
    expiresAtMs: was.expiresAt === null ? null : Date.parse(was.expiresAt),
    goneAtMs: freedAt(reading),
    unseenForMs: lastSeenAtMs === null ? null : (reading.since ?? reading).readAtMs - lastSeenAtMs,
  })
}

/** Clocks differ: a mark that is gone so shortly before its end has expired. */
const clocksDifferMs = 1_000

/** Until when the lease would be quarantined, if the mark of its break had not been deleted; null: it was not broken, or that is over. */
function cutQuarantine(
  was: Lease | null,
  forced: LeaseRelease | undefined,
  freedAtMs: number,
): string | null {
  const until =
    was?.state === 'quarantined' ? was.expiresAt : forced?.outcome === 'broken' ? forced.safeAt : null
  return until !== null && freedAtMs < Date.parse(until) - clocksDifferMs ? until : null
}

/** Whether it is not certain yet, or any more, that a kill of the same holder ended the tenure: the kill's own warning covers that. */
const mayHaveEndedBy = (kill: LeaseRelease, was: Lease): boolean =>
  kill.owner === was.owner && kill.outcome !== 'released'
