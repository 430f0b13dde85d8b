'use client'

import type { CSSProperties } from 'react'
import { durationText } from '../../lib/client/time/time-text.ts'
import { startOf } from '../../lib/contract/text-size.ts'
import { SeenText } from '../ui/text/seen-text.tsx'
import { eventLooks } from './event-words.tsx'
import type { Span } from './strip/spans.ts'

/** Narrower than this share of the lane, a span is a stroke without words. */
const wordyShare = 0.06
/** Strokes share one element each kind, however many there are. */
const strokeShare = 0.004

interface TermsLaneProps {
  spans: readonly Span[]
  fromMs: number
  toMs: number
}

/** Who held the lease: solid where it is known, hatched where it was not observed. */
export function TermsLane({ spans, fromMs, toMs }: TermsLaneProps) {
  const share = (ms: number) => (ms - fromMs) / (toMs - fromMs)
  const width = (span: Span) => share(span.toMs) - share(span.fromMs)
  const isCurrent = (span: Span) => span.toMs === toMs && span.kind === 'held'
  const current = spans.at(-1)
  const strokes: Record<Span['kind'], string> = { held: '', free: '', quarantined: '', unknown: '', none: '' }
  const wide: Span[] = []
  for (const span of spans) {
    if (width(span) >= strokeShare || isCurrent(span)) wide.push(span)
    else
      strokes[span.kind] +=
        `M${(share(span.fromMs) * 1000).toFixed(2)} 0h${Math.max(0.8, width(span) * 1000).toFixed(2)}v1h-${Math.max(0.8, width(span) * 1000).toFixed(2)}z`
  }
  return (
    <div className="lane-t terms">
      <span className="lb">
        Terms<small> one holder each</small>
      </span>
      <div className="bars" aria-hidden="true">
        {wide.map((span) => (
          <SpanBar
            key={`${span.fromMs} ${span.kind}`}
            span={span}
            style={{ '--a': share(span.fromMs) * 100, '--b': share(span.toMs) * 100 } as CSSProperties}
            isThisTerm={
              span.kind === 'held' && current?.kind === 'held' && span.beganAtMs === current.beganAtMs
            }
            isWordy={width(span) >= wordyShare}
          />
        ))}
        <svg
          className="strokes"
          viewBox="0 0 1000 1"
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          {(Object.keys(strokes) as Span['kind'][]).map((kind) =>
            strokes[kind] === '' ? null : <path key={kind} className={kind} d={strokes[kind]} />,
          )}
        </svg>
      </div>
    </div>
  )
}

interface SpanBarProps {
  span: Span
  style: CSSProperties
  isThisTerm: boolean
  isWordy: boolean
}

function SpanBar({ span, style, isThisTerm, isWordy }: SpanBarProps) {
  const length = durationText(span.toMs - span.fromMs)
  if (span.kind === 'unknown')
    return (
      <div className={span.owner === null ? 'unwatched' : 'unwatched through'} style={style}>
        {isWordy && <span>{span.why === 'no-event' ? 'not known' : 'not observed'}</span>}
      </div>
    )
  if (span.kind === 'none')
    return (
      <div className="before" style={style}>
        {isWordy && <span>no tenure seen</span>}
      </div>
    )
  if (span.kind !== 'held')
    return (
      <div className={span.kind === 'free' ? 'gap' : 'gap hold'} style={style}>
        {isWordy && (
          <span>
            {span.event !== null && `${eventLooks[span.event.kind].word}, `}
            {span.kind === 'free' ? 'no holder' : 'quarantined'} {length}
          </span>
        )}
      </div>
    )
  return (
    <div className={isThisTerm ? 'term cur' : 'term'} style={style}>
      {isWordy && (
        <>
          <span className="mono cut">
            {span.owner === null ? 'a holder' : <SeenText text={startOf(span.owner, 100)} />}
          </span>
          <span className="push">{length}</span>
        </>
      )}
    </div>
  )
}
