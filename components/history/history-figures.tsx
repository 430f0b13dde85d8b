'use client'

import { useCallback } from 'react'
import { serverNow } from '../../lib/client/call/call.ts'
import type { Pace } from '../../lib/client/time/ticker.ts'
import { countText, durationText, wholeAgeText } from '../../lib/client/time/time-text.ts'
import { Instant } from '../shell/time/instant.tsx'
import { Ticking } from '../ui/text/ticking.tsx'
import type { Strip } from './strip/beats.ts'
import type { Span, Totals } from './strip/spans.ts'

interface HistoryFiguresProps {
  spans: readonly Span[]
  totals: Totals
  strip: Strip
  /** Whom the page shows as the holder now; null: none is known. */
  holder: string | null
  stale: boolean
}

/** What the timeline adds up to. A figure that is not known is a dash. */
export function HistoryFigures({ spans, totals, strip, holder, stale }: HistoryFiguresProps) {
  const last = spans.at(-1)
  const sinceMs =
    !stale && holder !== null && last?.kind === 'held' && last.owner === holder ? last.beganAtMs : null
  const isIn = totals.unknownMs > 0
  return (
    <dl className="figures">
      <Figure name="Held for">
        {sinceMs === null ? null : (
          <>
            <HeldSince atMs={sinceMs} />{' '}
            <span className="dim">
              since <Instant at={sinceMs} />
            </span>
          </>
        )}
      </Figure>
      <Figure name="Hand-overs">{countText(totals.handOvers)}</Figure>
      <Figure name="Leaderless">
        {totals.leaderlessMs === 0 ? '0 s' : durationText(totals.leaderlessMs)}
      </Figure>
      <Figure name="Not observed">{isIn ? durationText(totals.unknownMs) : '0 s'}</Figure>
      <Figure name="Least margin">
        {strip.leastMarginMs === null ? null : durationText(strip.leastMarginMs)}
      </Figure>
      <Figure name="Typical margin">
        {strip.typicalMarginMs === null ? null : durationText(strip.typicalMarginMs)}
      </Figure>
      <Figure name="Missed renewals">
        {strip.beats.length === 0 ? null : countText(strip.missed.length)}
      </Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? <span className="dim">–</span>}</dd>
    </div>
  )
}

const seconds = (): Pace => 'seconds'

function HeldSince({ atMs }: { atMs: number }) {
  const text = useCallback((nowMs: number) => wholeAgeText(serverNow(nowMs) - atMs), [atMs])
  return <Ticking text={text} pace={seconds} />
}
