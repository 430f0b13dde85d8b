'use client'

import { countText, durationText } from '../../lib/client/time/time-text.ts'
import type { Strip } from './strip/beats.ts'
import type { Totals } from './strip/spans.ts'

interface HistoryFiguresProps {
  totals: Totals
  strip: Strip
}

/** What the timeline adds up to. Margins and missed renewals are known where the holder writes them down. */
export function HistoryFigures({ totals, strip }: HistoryFiguresProps) {
  return (
    <dl className="figures">
      <Figure name="Hand-overs">{countText(totals.handOvers)}</Figure>
      <Figure name="Leaderless">
        {lengthText(totals.leaderlessMs)}
        {totals.perhapsLeaderlessMs > 0 && ' seen'}
      </Figure>
      <Figure name="Not observed">{lengthText(totals.unknownMs)}</Figure>
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

const lengthText = (ms: number) => (ms === 0 ? '0 s' : durationText(ms))

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children ?? (
          <span
            className="dim"
            title="Known where the holder records its events: recordEvents of the library"
          >
            not known
          </span>
        )}
      </dd>
    </div>
  )
}
