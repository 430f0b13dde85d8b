'use client'

import { useCallback } from 'react'
import type { LanesPicture, Leader } from '../../../lib/client/lab/lanes/lanes.ts'
import { type RunClock, runNow } from '../../../lib/client/lab/window/run-clock.ts'
import { momentText } from '../../../lib/client/lab/window/time-window.ts'
import { tokenText } from '../../../lib/client/lab/window/token-text.ts'
import { durationText, leftText } from '../../../lib/client/time/time-text.ts'
import { BarFill } from '../../leases/row/bar-fill.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'

interface LeaderHeadProps {
  picture: LanesPicture
  clock: RunClock
  ttlSeconds: number
  /** The stream is lost: it was so when it was last heard. */
  isStale: boolean
  /** The run has ended, and its end is shown: no read follows. */
  isOver: boolean
}

/** Who leads by Cassandra, and for how much longer. */
export function LeaderHead({ picture, clock, ttlSeconds, isStale, isOver }: LeaderHeadProps) {
  const { leader } = picture
  return (
    <section
      className="lane-lead"
      aria-label="The leader"
      data-state={leader === null || isStale ? 'waiting' : 'leads'}
      data-stale={isStale || undefined}
    >
      {leader === null ? (
        <NoLeader picture={picture} clock={clock} isStale={isStale} isOver={isOver} />
      ) : (
        <LeaderFacts
          leader={leader}
          clock={clock}
          ttlSeconds={ttlSeconds}
          isStale={isStale}
          isOver={isOver}
        />
      )}
      <Overlap picture={picture} />
    </section>
  )
}

function NoLeader({
  picture: { quarantinedUntilMs },
  clock,
  isStale,
  isOver,
}: Omit<LeaderHeadProps, 'ttlSeconds'>) {
  const left = useLeft(quarantinedUntilMs, clock, { isStale, isOver })
  return (
    <>
      <div className="kv">
        <LeaderWord isStale={isStale} />
        <b className="who">
          <Icon name={isStale ? 'stale' : quarantinedUntilMs === null ? 'gone' : 'quarantined'} />
          none
        </b>
      </div>
      {quarantinedUntilMs !== null && (
        <div className="kv">
          <span>Broken: the name is kept free for</span>
          <Ticking className="big" text={left} />
        </div>
      )}
    </>
  )
}

function LeaderFacts({
  leader,
  clock,
  ttlSeconds,
  isStale,
  isOver,
}: Omit<LeaderHeadProps, 'picture'> & { leader: Leader }) {
  const { id, sinceMs, expiryMs, token, term } = leader
  const left = useLeft(expiryMs, clock, { isStale, isOver })
  const held = useCallback(
    (browserMs: number) =>
      `${term === null ? '' : `${term}, `}${isStale ? 'was' : 'for'} ${durationText(runNow(clock, browserMs) - sinceMs)}`,
    [clock, sinceMs, term, isStale],
  )
  const endsAtMs = expiryMs === null ? null : expiryMs + clock.zeroMs
  const stillAtMs = clock.stoppedAtMs === null ? null : clock.stoppedAtMs + clock.zeroMs
  return (
    <>
      <div className="kv">
        <LeaderWord isStale={isStale} />
        <b className="who">
          <Icon name={isStale ? 'stale' : 'held'} />
          <span className="mono">{id}</span>
        </b>
      </div>
      <div className="kv">
        <span>Expires in</span>
        <span className="left-of">
          <Ticking className="big" text={left} />
          <span className="bar" data-live={stillAtMs === null || undefined} aria-hidden="true">
            <BarFill
              key={`${endsAtMs} ${stillAtMs}`}
              endsAtMs={endsAtMs}
              ttlSeconds={ttlSeconds}
              stillAtMs={stillAtMs}
            />
          </span>
        </span>
      </div>
      {token !== null && (
        <div className="kv">
          <span>Token</span>
          <span className="mono" title={token}>
            <b>{tokenText(token)}</b>
          </span>
        </div>
      )}
      <div className="kv">
        <span>{term === null ? 'Leads' : 'Term'}</span>
        <Ticking text={held} />
      </div>
    </>
  )
}

const LeaderWord = ({ isStale }: { isStale: boolean }) => (
  <span>{isStale ? 'Leader, when last heard' : 'Leader'}</span>
)

/** Whether two have believed to lead at once, and for how long. */
function Overlap({ picture: { overlaps, overlapMs, atMs } }: { picture: LanesPicture }) {
  const last = overlaps.at(-1)
  const goesOn = last !== undefined && last.toMs === null
  return (
    <div className="kv push" data-state={overlapMs > 0 ? 'wrong' : 'waiting'}>
      <span>Two believe to lead</span>
      <span className="state">
        {overlapMs === 0 ? (
          'never'
        ) : (
          <>
            <Icon name="risk" />
            {goesOn
              ? `since ${momentText(last.fromMs)} s, ${durationText(atMs - last.fromMs)}`
              : `for ${durationText(overlapMs)}, ended`}
          </>
        )}
      </span>
    </div>
  )
}

type Shown = Pick<LeaderHeadProps, 'isStale' | 'isOver'>

function useLeft(endMs: number | null, clock: RunClock, { isStale, isOver }: Shown) {
  return useCallback(
    (browserMs: number) =>
      leftWords(endMs === null ? null : endMs - runNow(clock, browserMs), { isStale, isOver }),
    [endMs, clock, isStale, isOver],
  )
}

/** At zero it is not known whether the row is gone, until a read says so. @param leftMs null: the row does not expire */
export function leftWords(leftMs: number | null, { isStale, isOver }: Shown): string {
  if (leftMs === null) return 'no expiry'
  if (isStale) return leftMs <= 0 ? 'unknown' : `was ${leftText(leftMs)}`
  if (leftMs > 0) return leftText(leftMs)
  return isOver ? 'unknown: the run ended' : 'verifying…'
}
