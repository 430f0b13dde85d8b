import type { LeaseHistory } from '../../contract/leases/history.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { iso } from '../http/instant.ts'
import { tableOf } from '../leases/tables.ts'
import type { HistoryServices } from './history-services.ts'

const retentionSeconds = 7 * 86_400

export const getLeaseHistory: Handler<Routes['getLeaseHistory'], HistoryServices> = async (
  { params, query },
  services,
) => {
  const table = tableOf(services, query.table)
  const nowMs = services.clock.now().wallMs
  const body: LeaseHistory = {
    table: table.id,
    name: params.name,
    from: query.from ?? iso(nowMs - retentionSeconds * 1000),
    to: query.to ?? iso(nowMs),
    events: [],
    renewals: [],
    notObserved: [],
    before: null,
    recordedSince: null,
    recordedUntil: null,
    retentionSeconds,
    nextCursor: null,
    now: iso(nowMs),
  }
  return { status: 200, body }
}
