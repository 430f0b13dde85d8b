import type { LeaseDetail, LeaseList } from '../../contract/leases/lease.ts'
import type { Routes } from '../../contract/routes.ts'
import { cursorAfter, tokenOfCursor } from '../http/cursor.ts'
import type { Handler, ReadHandler } from '../http/handler.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import { evidenceOf, leaseJson } from './lease-json.ts'
import type { LeaseServices } from './lease-services.ts'
import { tableOf } from './tables.ts'

export const listLeases: Handler<Routes['listLeases'], LeaseServices> = async ({ query }, services) => {
  const table = tableOf(services, query.table)
  const started = services.clock.now().monotonicMs
  const page = await table.leases.page({
    limit: query.limit,
    ...(query.prefix !== undefined && { prefix: query.prefix }),
    ...(query.cursor !== undefined && { afterToken: tokenOfCursor(query.cursor) }),
  })
  const now = services.clock.now()
  const confirmMs = Math.max(0, now.monotonicMs - started - page.scanMs)
  const body: LeaseList = {
    leases: page.leases.map((view) => leaseJson(table, view, now)),
    nextCursor: page.nextToken === null ? null : cursorAfter(page.nextToken),
    now: iso(now.wallMs),
    scan: { rows: page.scannedRows, tookMs: Math.round(page.scanMs * 10) / 10 },
  }
  const timing = `scan;dur=${page.scanMs.toFixed(1)}, confirm;dur=${confirmMs.toFixed(1)}`
  return { status: 200, body, headers: { 'Server-Timing': timing } }
}

export const getLease: ReadHandler<Routes['getLease'], LeaseServices> = async (
  { params, query },
  services,
) => {
  const table = tableOf(services, query.table)
  const view = await table.leases.read(params.name)
  const now = services.clock.now()
  if (view === null)
    throw new HttpProblem('not-held', 'The lease has no holder: a SERIAL read found no row.', {
      now: iso(now.wallMs),
    })
  const body: LeaseDetail = {
    ...leaseJson(table, view, now),
    now: iso(now.wallMs),
    readOnly: table.readOnly,
    evidence: evidenceOf(table, view, services.session.serial),
  }
  return { status: 200, body }
}
