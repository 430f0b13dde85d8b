'use client'

import { type CSSProperties, useMemo } from 'react'
import { serverNow } from '../../lib/client/call/call.ts'
import { pageNow } from '../../lib/client/time/page-clock.ts'
import { clockText, dateText } from '../../lib/client/time/time-text.ts'
import type { LeaseHistory } from '../../lib/contract/leases/history.ts'
import { useZone } from '../shell/time/zone.tsx'
import { Say } from '../ui/text/say.tsx'
import { EventCursor } from './event-cursor.tsx'
import { EventsTable } from './events-table.tsx'
import { HistoryFigures } from './history-figures.tsx'
import { axisTicks, bucketMsOf, type HistoryRange, historyRanges } from './history-range.ts'
import { RenewalsLane } from './renewals-lane.tsx'
import { stripOf } from './strip/beats.ts'
import { spansOf, totalsOf } from './strip/spans.ts'
import { toldEvents } from './strip/unseen-beginning.ts'
import { oldestFirst } from './strip/unseen-end.ts'
import { TermsLane } from './terms-lane.tsx'

interface HistoryViewProps {
  history: LeaseHistory
  /** Who holds the lease now; null: no owner; undefined: not known. */
  holder: string | null | undefined
  /** A read has confirmed that it is free. */
  isFree: boolean
  range: HistoryRange
  canOpen: boolean
}

/** A history that has been read, as it is drawn. */
export function HistoryView({ history, holder, isFree, range, canOpen }: HistoryViewProps) {
  const fromMs = Date.parse(history.from)
  const toMs = Date.parse(history.to)
  const { spans, totals, strip, told, events, ttlMs } = useMemo(() => {
    const times = { fromMs: Date.parse(history.from), toMs: Date.parse(history.to) }
    const known = { ...history, ...times, holder, isFree }
    const told = toldEvents(known)
    const source = { ...known, events: told }
    const drawn = spansOf(source)
    const ttlSeconds = [...history.events, history.before].find((event) => event?.ttlSeconds != null)
    return {
      spans: drawn,
      totals: totalsOf(source),
      strip: stripOf(history.renewals, drawn, { ...source, bucketMs: bucketMsOf(range) }),
      told,
      events: oldestFirst(told),
      ttlMs: ttlSeconds?.ttlSeconds == null ? undefined : ttlSeconds.ttlSeconds * 1000,
    }
  }, [history, holder, isFree, range])
  const isEmpty = told.length === 0 && history.before === null
  return (
    <>
      <HistoryFigures totals={totals} strip={strip} />
      {history.nextCursor !== null && (
        <Say title="Only the newest part of this time is shown.">
          More happened than a page can draw. Choose a shorter range, or ask the API for all of it.
        </Say>
      )}
      <EventCursor events={events} fromMs={fromMs} toMs={toMs} canOpen={canOpen}>
        <TermsLane spans={spans} fromMs={fromMs} toMs={toMs} />
        <RenewalsLane
          strip={strip}
          spans={spans}
          fromMs={fromMs}
          toMs={toMs}
          ttlMs={ttlMs}
          bucketMs={bucketMsOf(range)}
        />
        <Axis fromMs={fromMs} toMs={toMs} tickMs={historyRanges[range].tickMs} />
      </EventCursor>
      {isEmpty && <Nothing isRecorded={history.recordedSince !== null} />}
      {!isEmpty && <EventsTable events={told} canOpen={canOpen} />}
    </>
  )
}

function Nothing({ isRecorded }: { isRecorded: boolean }) {
  return isRecorded ? (
    <Say title="No event of this lease is kept for this time.">
      No read saw a holder come or go. A tenure that began and ended between two reads leaves no trace, and
      what happened in a time that was not observed is not known.
    </Say>
  ) : (
    <Say title="Nothing was recorded yet.">
      One instance of the console records what happens to leases while it runs. What came before that is not
      known.
    </Say>
  )
}

const dayMs = 86_400_000

function Axis({ fromMs, toMs, tickMs }: { fromMs: number; toMs: number; tickMs: number }) {
  const zone = useZone()
  const offsetMs = zone === 'utc' ? 0 : -new Date(serverNow(pageNow())).getTimezoneOffset() * 60_000
  const at = (ms: number) => ({ '--x': ((ms - fromMs) / (toMs - fromMs)) * 100 }) as CSSProperties
  // The end has a label with seconds: on a telephone it needs a quarter of the axis, in a narrow window a tenth.
  const ticks = axisTicks(fromMs, toMs, tickMs, offsetMs).filter(
    (ms) => ms - fromMs > (toMs - fromMs) * 0.03 && toMs - ms > (toMs - fromMs) * 0.12,
  )
  const isOptional = (ms: number, index: number) => index % 2 === 1 || toMs - ms < (toMs - fromMs) * 0.25
  const dateAt = (ms: number | undefined) => (ms === undefined ? undefined : dateText(ms, zone))
  const beginsDay = (index: number) =>
    tickMs >= dayMs || (index > 0 && dateAt(ticks[index]) !== dateAt(ticks[index - 1]))
  return (
    <div className="axis" aria-hidden="true">
      {ticks.map((ms, index) => (
        <span key={ms} className={isOptional(ms, index) ? 'opt' : undefined} style={at(ms)}>
          {beginsDay(index) ? dateText(ms, zone).slice(5) : clockText(ms, zone).slice(0, 5)}
        </span>
      ))}
      <span className="end" style={at(toMs)}>
        {clockText(toMs, zone)}
      </span>
    </div>
  )
}
