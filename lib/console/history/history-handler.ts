import { readHistory } from 'leasehold/history'
import { runOfLease } from '../../contract/lab/lab-lease.ts'
import type { LeaseHistory } from '../../contract/leases/history.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { iso, isoOrNull } from '../http/instant.ts'
import { isOwnTable, tableOf } from '../leases/tables.ts'
import type { HistoryServices } from './history-services.ts'
import { cursorOf, placeOf } from './reading/cursor.ts'
import { eventJson, gapJson, renewalsJson } from './reading/history-json.ts'
import { notObserved, withDropped } from './reading/not-observed.ts'
import type { Recorded } from './reading/recorded-days.ts'

const notRecorded: Recorded = { sinceMs: null, untilMs: null }

export const getLeaseHistory: Handler<Routes['getLeaseHistory'], HistoryServices> = async (
  { params, query, session, senderKey, signal },
  services,
) => {
  const { history } = services
  const table = tableOf(services, query.table)
  const nowMs = Math.floor(services.clock.now().wallMs)
  const oldestMs = nowMs - history.retentionSeconds * 1000
  const toMs = Math.max(oldestMs, Math.min(nowMs, query.to === undefined ? nowMs : Date.parse(query.to)))
  const fromMs = Math.min(
    toMs,
    Math.max(oldestMs, query.from === undefined ? oldestMs : Date.parse(query.from)),
  )
  const stored = history.eventsOf(table)
  const events = (until: AbortSignal) => history.turns.events(stored, { sender: senderKey, signal: until })
  const before = query.cursor === undefined ? undefined : placeOf(query.cursor, { fromMs, toMs })
  const { renewals, limit } = query
  // The recorder looks at them, and writes nothing: that they were observed would be no more than half of the truth.
  const isOfLab = isOwnTable(services, table) && runOfLease(params.name) !== null
  const leaseTable = history.leaseTableOf(table)
  const [page, recorded] = await Promise.all([
    readHistory(events(signal), params.name, { fromMs, toMs, renewals, limit, before }),
    isOfLab ? notRecorded : history.recordedDays.recorded(leaseTable, { fromMs: oldestMs, toMs: nowMs }),
  ])
  const isLast = page.next === null
  const lease = { leaseTable, name: params.name, events, signal }
  const [stretches, earlier] = await Promise.all([
    isOfLab ? [] : history.recordedDays.stretches(leaseTable, page),
    isLast ? history.lastTransitions.before(lease, { fromMs: oldestMs, toMs: fromMs }) : null,
  ])
  const showsPeople = session.role !== 'client'
  const body: LeaseHistory = {
    table: table.id,
    name: params.name,
    from: iso(page.fromMs),
    to: iso(page.toMs),
    events: page.events.map((event) => eventJson(event, showsPeople)),
    renewals: page.renewals.map(renewalsJson),
    notObserved: withDropped(notObserved(stretches, page, nowMs), page.dropped).map(gapJson),
    before: earlier === null ? null : eventJson(earlier, showsPeople),
    recordedSince: isoOrNull(recorded.sinceMs),
    recordedUntil: isoOrNull(recorded.untilMs),
    retentionSeconds: history.retentionSeconds,
    nextCursor: page.next === null ? null : cursorOf(page.next),
    now: iso(nowMs),
  }
  return { status: 200, body }
}
