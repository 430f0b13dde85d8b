import { canaryPrefix } from 'leasehold/doctor'
import { mayBeOfRun } from '../../contract/lab/lab-lease.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { LeaseTable, LeaseTables } from './lease-table.ts'

/** The table that `?table=` names, `leases` unless it does. */
export function tableOf({ tables }: Pick<LeaseTables, 'tables'>, id = 'leases'): LeaseTable {
  const table = tables.get(id)
  if (table !== undefined) return table
  throw new HttpProblem(
    'unknown-table',
    `Unknown table ${JSON.stringify(id)}. Configured: ${[...tables.keys()].join(', ')}.`,
  )
}

/** @throws HttpProblem unknown-table, read-only, canary-failed */
export function writableTableOf(services: Pick<LeaseTables, 'tables'>, id?: string): LeaseTable {
  const table = tableOf(services, id)
  if (table.readOnly) throw new HttpProblem('read-only', `The table ${table.id} is configured as read-only.`)
  table.trust.throwIfLost(table.id)
  return table
}

/** Names of the console itself, in its own table: a program that held one would keep every instance from its work. */
export const ownNames = 'leasehold/'

/** Whether it is the table that the console makes, and has leases of its own in. */
export const isOwnTable = (
  { session }: Pick<LeaseTables, 'session'>,
  { mapping }: Pick<LeaseTable, 'mapping'>,
): boolean => mapping.table === 'leases' && (mapping.keyspace ?? session.keyspace) === session.keyspace

/**
 * For whatever takes a lease. A lease of the lab raises no alarm and is in no history, so a program may not hold one;
 * a run's end, or an operator, may still release it. The names of all days are refused: a holder of one whose day is to
 * come would be refused its renewals then.
 *
 * @throws HttpProblem forbidden
 */
export function refuseReservedName(
  services: Pick<LeaseTables, 'session'>,
  table: LeaseTable,
  name: string,
): void {
  refuseOwnName(services, table, name)
  if (isOwnTable(services, table) && mayBeOfRun(name))
    throw new HttpProblem(
      'forbidden',
      `The name ${name} is reserved for a run of the election lab, as is every name of lab/, eight letters or digits, and /leader or /bakery. Take another one.`,
    )
}

/**
 * The canary acquires its leases in every table that is written to. A program that released one would make it report that the
 * cluster grants a lease twice, and the console would then write to that table no more. Other names below `leasehold/` are
 * the users' own in tables of theirs.
 *
 * @throws HttpProblem forbidden: the console's own leases are acquired and released by the console alone
 */
export function refuseOwnName(
  { session }: Pick<LeaseTables, 'session'>,
  { mapping }: LeaseTable,
  name: string,
): void {
  const reserved = isOwnTable({ session }, { mapping }) ? ownNames : canaryPrefix
  if (name.startsWith(reserved))
    throw new HttpProblem('forbidden', `Names that begin with ${reserved} are reserved for the console.`)
}
