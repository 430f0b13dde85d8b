import { inParallel, isLeaseholdError, type LeaseView } from 'leasehold/lease'
import type { LeaseList } from '../../contract/leases/lease.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import { leaseJson } from '../leases/lease-json.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { isOwnTable, tableOf } from '../leases/tables.ts'
import { cursorAt, leaseOrders, placeOf } from './rows/lease-order.ts'
import { type ReadableView, scanFactsFor } from './rows/view.ts'
import { isFlapping, type WatchedRow } from './rows/watched-row.ts'
import type { TableWatch } from './table-watch.ts'
import { viewOf } from './watch-handler.ts'
import type { WatchServices } from './watch-services.ts'

/** After a start, the first scan of a hundred thousand rows takes about so long. */
const firstScanWithinMs = 3_000

export const listLeases: Handler<Routes['listLeases'], WatchServices> = async (
  { query, session, senderKey, signal },
  services,
) => {
  const { sort, order, limit, cursor } = query
  const table = tableOf(services, query.table)
  const place = cursor === undefined ? null : placeOf(cursor, sort, order)
  const watched = await scannedTable(services, table)
  await services.watch.ownWrites()
  const view = await watched.view(viewOf(query, session, isOwnTable(services, table)), senderKey)
  const candidates = view.window(order, place === null ? 0 : view.after(order, place), limit + 1)
  // Rows of a scan are no sign that Cassandra answers now; nor is it that there are none.
  if (candidates.length === 0) await table.leases.scanRows({ limit: 1 })
  const last = candidates[limit - 1]
  const nextCursor = candidates.length > limit && last !== undefined ? cursorAt(sort, order, last) : null
  const started = services.clock.now().monotonicMs
  const views = await confirm(table, candidates.slice(0, limit), signal)
  const now = services.clock.now()
  const { rows, tookMs, endedAt } = scanFactsFor(view, watched.scanFacts)
  const body: LeaseList = {
    leases: shown(views, watched, view, order).map(({ lease, row }) =>
      leaseJson(
        table,
        lease,
        now,
        row && { renewed: row.renewed, flapping: isFlapping(row, now.monotonicMs) },
      ),
    ),
    nextCursor,
    now: iso(now.wallMs),
    scan: { rows, tookMs, endedAt },
  }
  const timing = `confirm;dur=${(now.monotonicMs - started).toFixed(1)}`
  return { status: 200, body, headers: { 'Server-Timing': timing } }
}

/** @throws HttpProblem not-ready: no scan has ended yet; StoreUnavailableError: none can */
async function scannedTable({ watch }: WatchServices, table: LeaseTable): Promise<TableWatch> {
  watch.begin()
  const watched = watch.table(table.id)
  if (await watched.ready(AbortSignal.timeout(firstScanWithinMs))) return watched
  await table.leases.scanRows({ limit: 1 })
  throw new HttpProblem(
    'not-ready',
    'The first scan of this table is still under way. Ask again in a few seconds.',
  )
}

/** A row as a SERIAL read showed it; or as the watch knows it, where Cassandra refuses to read it by itself. */
type Shown = LeaseView | WatchedRow

/**
 * Reads each row at SERIAL. A row that cannot be read fails no page, unless the table cannot be read either.
 * @param client aborted when the client has hung up: no more rows are read
 */
async function confirm(
  { leases }: LeaseTable,
  rows: readonly WatchedRow[],
  client: AbortSignal,
): Promise<(Shown | null)[]> {
  let isRefused = false
  const confirmed = (row: WatchedRow): Promise<Shown | null> =>
    leases.read(row.name).catch((thrown) => {
      if (!isLeaseholdError(thrown, 'store-refused') && !isLeaseholdError(thrown, 'invalid-argument'))
        throw thrown
      isRefused = true
      return row
    })
  const views = await inParallel(rows, confirmed, client)
  if (isRefused) await leases.scanRows({ limit: 1 })
  return views
}

/** The leases that are there and still belong to the view, in its order as they were read. */
function shown(
  views: readonly (Shown | null)[],
  { snapshot }: TableWatch,
  view: ReadableView,
  order: 'asc' | 'desc',
): { lease: Shown; row: WatchedRow | undefined }[] {
  const compare = leaseOrders[view.spec.sort]
  const direction = order === 'asc' ? 1 : -1
  return views
    .filter((lease) => lease !== null)
    .map((lease) => ({ lease, row: snapshot.rows.get(lease.name) }))
    .filter(({ row }) => row === undefined || view.matches(row))
    .sort((one, other) =>
      one.row === undefined || other.row === undefined ? 0 : direction * compare(one.row, other.row),
    )
}
