'use client'

import type { CSSProperties } from 'react'
import { countText, durationText } from '../../lib/client/time/time-text.ts'
import { binned, type Rate, type Strip } from './strip/beats.ts'
import type { Span } from './strip/spans.ts'

const mostTicks = 300
const bins = 240
const height = 72

interface RenewalsLaneProps {
  strip: Strip
  spans: readonly Span[]
  fromMs: number
  toMs: number
  /** The TTL, or undefined: the highest beat has the height of the lane. */
  ttlMs: number | undefined
  /** What the renewals were counted by: a minute, or an hour. */
  bucketMs: number
}

/** The highest rate has this share of the lane's height. */
const rateShare = 0.6
const hourMs = 3_600_000

/** One path a kind, so that a day of renewals is as light as a minute. */
export function RenewalsLane({ strip, spans, fromMs, toMs, ttlMs, bucketMs }: RenewalsLaneProps) {
  const { beats, rates, missed } = strip
  const x = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * 1000
  const fullMs = Math.max(ttlMs ?? 0, ...beats.slice(-mostTicks).map(({ marginMs }) => marginMs), 1)
  const y = (ms: number) => (height * (1 - Math.min(1, Math.max(0.04, ms / fullMs)))).toFixed(1)
  const stroke = (atMs: number, marginMs: number) => `M${x(atMs).toFixed(2)} ${height}V${y(marginMs)}`
  const isMany = beats.length > mostTicks
  const parts = isMany ? binned(beats, fromMs, toMs, bins) : []
  const isLate = (marginMs: number) => marginMs < fullMs / 3
  const ticks = isMany ? parts.map(({ fromMs: at, leastMs }) => ({ atMs: at, marginMs: leastMs })) : beats
  const good = ticks.filter(({ marginMs }) => !isLate(marginMs))
  const late = ticks.filter(({ marginMs }) => isLate(marginMs))
  const most = Math.max(1, ...rates.map(({ count }) => count))
  const bars = (each: readonly Rate[]) =>
    each
      .map(({ fromMs: a, toMs: b, count }) => {
        const top = (height * (1 - (rateShare * count) / most)).toFixed(1)
        return `M${(x(a) + 0.5).toFixed(2)} ${height}V${top}H${Math.max(x(a) + 1, x(b) - 0.5).toFixed(2)}V${height}z`
      })
      .join('')
  const mostText = `${countText(most)} ${bucketMs < hourMs ? 'a minute' : 'an hour'}`
  const scale =
    beats.length > 0
      ? { top: 0, text: durationText(fullMs) }
      : rates.length > 0
        ? { top: 1 - rateShare, text: mostText }
        : null
  return (
    <div
      className="lane-t pulse"
      role="img"
      aria-label={`${stripText(strip)}${rates.length > 0 ? ` At most ${mostText}.` : ''}`}
    >
      <span className="lb">
        Renewals<small>{beats.length > 0 ? ' height: time left' : ' height: how many'}</small>
      </span>
      {beats.length > 0 && <span className="zone" />}
      <svg viewBox={`0 0 1000 ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <path className="rate" d={bars(rates.filter(({ isThisTerm }) => !isThisTerm))} />
        <path className="rate this" d={bars(rates.filter(({ isThisTerm }) => isThisTerm))} />
        <path
          className="k median"
          d={parts.map(({ fromMs: at, medianMs }) => stroke(at, medianMs)).join('')}
        />
        <path className="k" d={good.map(({ atMs, marginMs }) => stroke(atMs, marginMs)).join('')} />
        <path className="k late" d={late.map(({ atMs, marginMs }) => stroke(atMs, marginMs)).join('')} />
        <path
          className="k miss"
          d={missed.map(({ atMs }) => `M${x(atMs).toFixed(2)} ${height}V0`).join('')}
        />
      </svg>
      {spans.map(({ kind, why, fromMs: a, toMs: b }) =>
        kind === 'unknown' && why !== 'no-event' ? (
          <div key={a} className="unwatched" style={{ '--a': x(a) / 10, '--b': x(b) / 10 } as CSSProperties}>
            {x(b) - x(a) > 90 && <span>not observed</span>}
          </div>
        ) : null,
      )}
      {scale !== null && (
        <span className="most" style={{ '--top': scale.top * 100 } as CSSProperties}>
          <span>{scale.text}</span>
        </span>
      )}
    </div>
  )
}

function stripText({ beats, rates, missed, leastMarginMs }: Strip): string {
  if (beats.length === 0 && rates.length === 0) return 'Renewals: none was seen.'
  const seen = rates.reduce((sum, { count }) => sum + count, 0)
  const exact = beats.length > 0 ? ` ${beats.length} recorded one by one.` : ''
  const rated = seen > 0 ? ` At least ${seen} seen.` : ''
  const gone = missed.length > 0 ? ` ${missed.length} missed.` : ''
  const least = leastMarginMs === null ? '' : ` At least ${durationText(leastMarginMs)} left at each.`
  return `Renewals:${exact}${rated}${gone}${least}`
}
