import type { CassandraSession } from 'leasehold/cassandra'
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { log } from '../../http/log/log.ts'
import { migrate, migrationsLease } from './migrate.ts'

const list = [
  { version: 1, name: 'one', statements: ['CREATE TABLE IF NOT EXISTS $k.one (k text PRIMARY KEY)'] },
]

/** One keyspace that has all tables, and the instances that migrate it. Each call is one instance with a lease of its own. */
function keyspace() {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const applied: { version: unknown; checksum: unknown }[] = []
  const protocol = () => new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100 })
  const instance = (parts: {
    ddl?: () => Promise<unknown>
    afterwards?: () => Promise<unknown>
    beganMs?: number
  }) => {
    const session = {
      keyspace: 'k',
      serial: 'SERIAL',
      schemaAgreement: async () => true,
      client: {
        execute: async (cql: string) => {
          if (cql.startsWith('CREATE')) await parts.ddl?.()
          // The keyspace, and all tables that the migrations ask for.
          return { rows: ['k', 'leases', 'schema_migrations'].map((name) => ({ values: () => [name] })) }
        },
      },
      execute: async ({ cql }: { cql: string }, [version, , checksum]: unknown[]) => {
        if (cql.startsWith('SELECT')) return { rows: [...applied] }
        applied.push({ version, checksum })
        return { rows: [] }
      },
    } as unknown as CassandraSession
    const leases = protocol()
    const afterwards = { 1: parts.afterwards ?? (async () => {}) }
    const run = migrate({
      session,
      leases,
      replication: 1,
      clock,
      timer: clock,
      beganMs: parts.beganMs ?? clock.now().monotonicMs,
      log,
      migrations: list,
      afterwards,
    })
    return run.then(
      (count) => `applied ${count}`,
      (error) => String(error.message),
    )
  }
  return { clock, applied, instance, protocol }
}

const lost = 'The lease on migrations was lost in the middle; start again.'

it('a start that stood still in its last statement does not go on to the rows', async () => {
  const { clock, applied, instance } = keyspace()
  const changes: string[] = []
  const first = instance({
    ddl: () => clock.sleep(61_000),
    afterwards: async () => changes.push('first'),
  })
  await clock.advance(10)
  const second = instance({ afterwards: async () => changes.push('second') })
  expect(await clock.run(Promise.all([first, second]))).toEqual([lost, 'applied 1'])
  expect(changes).toEqual(['second'])
  expect(applied).toHaveLength(1)
})

it('a start that stood still among the rows does not say that the migration is applied', async () => {
  const { clock, applied, instance } = keyspace()
  const first = instance({ afterwards: () => clock.sleep(61_000) })
  await clock.advance(10)
  const second = instance({})
  expect(await clock.run(Promise.all([first, second]))).toEqual([lost, 'applied 1'])
  expect(applied).toHaveLength(1)
})

it.each([
  ['', 0],
  [', also where Cassandra was silent before', 70_000],
])('a start says whom it waits for before its supervisor ends it%s', async (_, silentMs) => {
  const { clock, instance, protocol } = keyspace()
  await clock.run(protocol().tryAcquire(migrationsLease, { owner: 'one', ttlSeconds: 600 }))
  const beganMs = clock.now().monotonicMs
  await clock.advance(silentMs)
  let said = ''
  void instance({ beganMs }).then((end) => {
    said = end
  })
  await clock.advance(149_000 - silentMs)
  expect(said).toBe('')
  // The supervisor's 180 s began when the process did.
  await clock.advance(11_000)
  expect(said).toMatch(
    /^Another instance \(one\) is migrating k, and did not end within 150 seconds of this start: end it, /,
  )
})
