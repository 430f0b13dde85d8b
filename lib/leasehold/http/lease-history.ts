import { StoreUnavailableError } from '../lease/index.ts'
import { asFields, type Json, textOf } from './json.ts'
import type { LeaseholdServer } from './server.ts'

const readTimeoutMs = 10_000

export interface LeaseHistoryRequest {
  readonly fromMs: number
  readonly renewals: 'minute' | 'none'
  readonly limit: number
  /** Of the page before. */
  readonly cursor?: string | undefined
  /** The id of a table in the server's configuration; left out: the server's own table. */
  readonly table?: string | undefined
}

/** One page of `GET /v1/leases/{name}/events`: its entries as the API writes them, newest first. */
export interface LeaseHistoryPage {
  readonly events: readonly Json[]
  readonly renewals: readonly Json[]
  readonly notObserved: readonly Json[]
  readonly nextCursor: string | null
}

/** @throws StoreUnavailableError, StoreRefusedError */
export async function leaseHistory(
  server: LeaseholdServer,
  name: string,
  { fromMs, renewals, limit, cursor, table }: LeaseHistoryRequest,
): Promise<LeaseHistoryPage> {
  const from = new Date(fromMs).toISOString()
  const answer = await server.ask({
    method: 'GET',
    path: ['leases', name, 'events'],
    query: { table, from, renewals, limit: String(limit), cursor },
    timeoutMs: readTimeoutMs,
  })
  if (answer.status !== 200) throw server.refusal('GET', answer)
  const { body } = answer
  return {
    events: listOf(body.events),
    renewals: listOf(body.renewals),
    notObserved: listOf(body.notObserved),
    nextCursor: textOf(body.nextCursor),
  }
}

function listOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.map(asFields)
  throw new StoreUnavailableError(
    'The server answered with something other than a history. Check that the URL is that of a Leasehold server.',
  )
}
