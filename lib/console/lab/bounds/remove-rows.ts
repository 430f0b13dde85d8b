/** What a run leaves behind, its journal apart: rows of candidates that crashed, the counters, the term, requests to resign. */
import { CassandraLeaseStore, type Executor } from 'leasehold/cassandra'
import { isLeaseholdError, LeaseProtocol } from 'leasehold/lease'
import { Operator } from 'leasehold/operator'
import { labStatements } from '../journal/lab-statements.ts'
import type { RunFacts } from '../journal/run-facts.ts'

interface Removal {
  readonly session: Executor
  readonly facts: RunFacts
}

/** All of them expire anyway, the term apart; one try each. @throws what is no outcome */
export async function removeRows({ session, facts }: Removal): Promise<void> {
  const { run, name } = facts
  const statements = labStatements(session.keyspace, session.serial)
  const tries = [
    removeLease(session, name),
    session.execute(statements.deleteCounters, [run]),
    session.execute(statements.deleteTerm, [name]),
    session.execute(statements.deleteRequests, [`${session.keyspace}.leases`, name]),
  ]
  for (const tried of await Promise.allSettled(tries))
    if (tried.status === 'rejected' && !isLeaseholdError(tried.reason)) throw tried.reason
}

/** The row of a candidate that crashed, or the mark of a break: deleted if it is still that one. */
async function removeLease(session: Executor, name: string): Promise<void> {
  const leases = new LeaseProtocol({ store: new CassandraLeaseStore(session) })
  const owner = (await leases.read(name))?.owner ?? null
  if (owner !== null) await new Operator(leases).kill({ name, owner })
}
