import type { LeaseCells, ScannedRow, ScanRange } from '../lease/index.ts'
import { asFields, textOf } from './json.ts'
import { cellsOf } from './lease-json.ts'
import type { LeaseholdServer } from './server.ts'

/** The most leases in one page of the server. */
const pageLimit = 200
/** For a page the server does one SERIAL read per row. */
const listTimeoutMs = 30_000

export interface ListedLease {
  name: string
  cells: LeaseCells
  /** The row stands and no process holds the lease. In a table without an owner column the row is the lock. */
  isZombie: boolean
}

/** One page of leases, each one confirmed. @throws StoreUnavailableError, StoreRefusedError, InvalidArgumentError */
export async function leasePage(
  server: LeaseholdServer,
  query: {
    prefix?: string | undefined
    cursor?: string | undefined
    limit?: number | undefined
    table?: string | undefined
  },
): Promise<{ leases: ListedLease[]; nextCursor: string | null }> {
  const { limit = pageLimit, ...rest } = query
  const answer = await server.ask({
    method: 'GET',
    path: ['leases'],
    query: { ...rest, limit: String(Math.min(limit, pageLimit)) },
    timeoutMs: listTimeoutMs,
  })
  const { body } = answer
  if (answer.status !== 200 || !Array.isArray(body.leases)) throw server.refusal('GET', answer)
  return {
    leases: body.leases.map((each: unknown) => {
      const lease = asFields(each)
      return { name: String(lease.name), cells: cellsOf(lease, body.now), isZombie: lease.state === 'zombie' }
    }),
    nextCursor: textOf(body.nextCursor),
  }
}

/**
 * A scan, in the server's pages. The API has no token for each row, so that this store's tokens name a page and a row
 * in it. If that row is gone when the scan goes on, its place in the page counts; at worst a candidate is left out.
 */
export async function listLeases(
  server: LeaseholdServer,
  { afterToken, limit }: ScanRange,
  table: string | undefined,
): Promise<{ rows: ScannedRow[] }> {
  let [cursor, after]: [string | null, { name: string; index: number } | null] = placeOf(afterToken)
  const rows: ScannedRow[] = []
  for (;;) {
    const page = await leasePage(server, { cursor: cursor ?? undefined, table })
    const names = page.leases.map((lease) => lease.name)
    const found = after === null ? -1 : names.indexOf(after.name)
    const begin = found === -1 && after !== null ? after.index : found + 1
    for (let index = begin; index < names.length && rows.length < limit; index++) {
      const { name, cells } = page.leases[index] as ListedLease
      rows.push({ name, token: JSON.stringify([cursor, name, index]), cells })
    }
    if (rows.length >= limit || page.nextCursor === null) return { rows }
    cursor = page.nextCursor
    after = null
  }
}

function placeOf(token: string | undefined): [string | null, { name: string; index: number } | null] {
  if (token === undefined) return [null, null]
  const [cursor, name, index] = JSON.parse(token) as [string | null, string, number]
  return [cursor, { name, index }]
}
