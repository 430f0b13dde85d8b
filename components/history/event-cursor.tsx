'use client'

import { type CSSProperties, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { serverNow } from '../../lib/client/call/call.ts'
import { pageNow } from '../../lib/client/time/page-clock.ts'
import { zonedText } from '../../lib/client/time/time-text.ts'
import type { LeaseEvent } from '../../lib/contract/leases/history.ts'
import { useZone } from '../shell/time/zone.tsx'
import { EventDetail, EventWord, eventText, sourceText, uncertaintyText } from './event-words.tsx'

interface EventCursorProps {
  /** Oldest first. */
  events: readonly LeaseEvent[]
  fromMs: number
  toMs: number
  canOpen: boolean
  children: React.ReactNode
}

/** How far a key moves among `count` events; null: another key. */
function moved(key: string, at: number, count: number): number | null {
  const last = count - 1
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, at - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, at + 1)
  if (key === 'PageDown') return Math.max(0, at - 10)
  if (key === 'PageUp') return Math.min(last, at + 10)
  if (key === 'Home') return 0
  if (key === 'End') return last
  return null
}

/** The event nearest to an instant. */
function nearest(events: readonly LeaseEvent[], atMs: number): LeaseEvent | undefined {
  let low = 0
  let high = events.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (Date.parse((events[middle] as LeaseEvent).at) < atMs) low = middle + 1
    else high = middle
  }
  const [before, after] = [events[low - 1], events[low]]
  if (before === undefined || after === undefined) return after ?? before
  return atMs - Date.parse(before.at) < Date.parse(after.at) - atMs ? before : after
}

/**
 * The marks of the events over the lanes, and a cursor that goes from one to the next by arrow keys or follows the pointer.
 * The line below says the event under the cursor in full, and a screen reader reads it.
 */
export function EventCursor({ events, fromMs, toMs, canOpen, children }: EventCursorProps) {
  const zone = useZone()
  // By its id: events that come in move no cursor.
  const [chosenId, setChosenId] = useState<string | null>(null)
  const edges = useRef<DOMRect | null>(null)
  const found = events.findIndex(({ id }) => id === chosenId)
  const at = found === -1 ? events.length - 1 : found
  const event = events[at]
  const chosen = found === -1 ? undefined : event
  const percent = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * 100
  const timeOf = ({ at: instant }: LeaseEvent) =>
    zonedText(Date.parse(instant), serverNow(pageNow()), zone, 3)
  const onKeyDown = (press: KeyboardEvent) => {
    if (press.altKey || press.ctrlKey || press.metaKey) return
    const next = press.key === 'Escape' ? -1 : moved(press.key, at, events.length)
    if (next === null) return
    press.preventDefault()
    press.stopPropagation()
    setChosenId(events[next]?.id ?? null)
  }
  const onPointerMove = (move: PointerEvent<HTMLDivElement>) => {
    // Measured once a visit of the pointer, not at each move.
    edges.current ??= move.currentTarget.getBoundingClientRect()
    const { left, width } = edges.current
    setChosenId(nearest(events, fromMs + ((move.clientX - left) / width) * (toMs - fromMs))?.id ?? null)
  }
  // Not at each move of the pointer.
  const marks = useMemo(
    () =>
      events
        .map(({ at: instant }) => ((Date.parse(instant) - fromMs) / (toMs - fromMs)) * 1000)
        .map((x) => `M${x.toFixed(2)} 0v1`)
        .join(''),
    [events, fromMs, toMs],
  )
  return (
    <>
      <div className="plot">
        {children}
        <svg
          className="marks"
          viewBox="0 0 1000 1"
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <path d={marks} />
        </svg>
        {event && (
          <div
            className="cursor"
            role="slider"
            tabIndex={0}
            aria-label="Events"
            aria-orientation="horizontal"
            aria-valuemin={1}
            aria-valuemax={events.length}
            aria-valuenow={at + 1}
            aria-valuetext={`Event ${at + 1} of ${events.length}`}
            onKeyDown={onKeyDown}
            onFocus={() => chosenId === null && setChosenId(event.id)}
            onPointerEnter={() => {
              edges.current = null
            }}
            onPointerMove={onPointerMove}
          >
            {chosen && (
              <i className="at" style={{ '--x': percent(Date.parse(chosen.at)) } as CSSProperties} />
            )}
          </div>
        )}
      </div>
      <p className="readout small">
        {chosen ? (
          <>
            <span className="mono">{timeOf(chosen)}</span>
            <EventWord event={chosen} />
            <span className="what">
              <EventDetail event={chosen} canOpen={canOpen} />
              <span className="dim">
                {' '}
                {sourceText(chosen)}
                {uncertaintyText(chosen)}
              </span>
            </span>
          </>
        ) : (
          <span className="dim">
            {events.length > 0 &&
              'Point at the timeline, or focus it and press the arrow keys, to read an event.'}
          </span>
        )}
      </p>
      <p className="vh" role="status" aria-label="Event under the cursor">
        {chosen && eventText(chosen, timeOf(chosen))}
      </p>
    </>
  )
}
