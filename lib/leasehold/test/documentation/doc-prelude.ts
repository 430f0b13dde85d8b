/**
 * For the documentation's test alone: what an `@example` takes for granted, besides what its package exports. An
 * example may use these names without declaring them, and no others.
 */
import { createTables } from '../../cassandra/index.ts'
import { Election } from '../../election/index.ts'
import { Leases } from '../../lease/index.ts'
import { Locks } from '../../lock/index.ts'
import { systemClock } from '../../time/index.ts'
import { testSession } from '../node-session.ts'

/** Made for one run, and dropped after it. */
export const keyspace = `documentation_${process.pid}`

export const session = await testSession(keyspace)
await createTables(session)

// Tables of the reader's own: one that a `TableMapping` maps, one whose rows are fenced.
for (const table of [
  'leadership_election ("group" text PRIMARY KEY, leader_id text)',
  'accounts (id text PRIMARY KEY, balance int, fence bigint)',
])
  await session.client.execute(`CREATE TABLE "${keyspace}".${table}`, [], { readTimeout: 60_000 })

export const { store, client } = session
export const leases = new Leases(session)
export const lease = await leases.acquire('documentation', { ttlSeconds: 30 })
export const locks = new Locks(leases)
export const election = new Election({ leases, group: 'billing/leader', terms: session.terms })
export const clock = systemClock

/** Aborted soon after an example has begun, so that one which goes on until then ends. */
export let signal = AbortSignal.abort()
export const renewSignal = (): void => {
  signal = AbortSignal.timeout(3_000)
}

export interface Under {
  signal: AbortSignal
  token?: bigint
  fence?: bigint
  term?: bigint | null
}

/** The reader's own work: under a lease, of a leader, and of a process that follows a leader. */
export async function run(_under?: Under): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve))
  return 0
}
export const lead = run
export function follow(_value: string | null): void {}
