import type { LeaseDetail } from '../../contract/leases/lease.ts'
import type { Routes } from '../../contract/routes.ts'
import type { ReadHandler } from '../http/handler.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import { evidenceOf, leaseJson } from './lease-json.ts'
import type { LeaseServices } from './lease-services.ts'
import { tableOf } from './tables.ts'

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
