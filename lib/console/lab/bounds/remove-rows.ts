/** What a run leaves behind, its journal apart: rows of candidates that crashed, the counters, the term, requests to resign. */
import type { Executor } from 'leasehold/cassandra'
import { isLeaseholdError, LeaseProtocol, type LeaseStore } from 'leasehold/lease'
import { Operator } from 'leasehold/operator'
import { labStatements } from '../journal/lab-statements.ts'
import type { RunFacts } from '../journal/run-facts.ts'
import { isOfRun } from '../run/run-owner.ts'

interface Removal {
  readonly session: Executor
  storeOver(executor: Executor): LeaseStore
  readonly facts: RunFacts
}

/**
 * One try each.
 * @returns false: something may be left. The term and a claimed counter never expire, so that it has to be called again.
 * @throws what is no outcome
 */
export async function removeRows({ session, storeOver, facts }: Removal): Promise<boolean> {
  const { run, name } = facts
  const statements = labStatements(session.keyspace, session.serial)
  const tries = await Promise.allSettled([
    removeLease(storeOver(session), { run, name }),
    session.execute(statements.deleteCounters, [run]),
    session.execute(statements.deleteTerm, [name]),
    session.execute(statements.deleteRequests, [`${session.keyspace}.leases`, name]),
  ])
  const failures = tries.filter((tried) => tried.status === 'rejected')
  for (const { reason } of failures) if (!isLeaseholdError(reason)) throw reason
  return failures.length === 0
}

/** The row of a candidate that crashed, or the mark of a break: deleted if it is still that one. */
async function removeLease(store: LeaseStore, { run, name }: { run: string; name: string }): Promise<void> {
  const leases = new LeaseProtocol({ store })
  const owner = (await leases.read(name))?.owner ?? null
  if (owner !== null && isOfRun(owner, run)) await new Operator(leases).kill({ name, owner })
}
