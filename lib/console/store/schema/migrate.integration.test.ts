import { CassandraLeaseStore, type CassandraSession } from 'leasehold/cassandra'
import { LeaseProtocol } from 'leasehold/lease'
import { systemClock, systemTimer } from 'leasehold/time'
import { afterEach, expect, it } from 'vitest'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { log } from '../../http/log/log.ts'
import { migrate, migrationsLease } from './migrate.ts'
import { type Migration, migrations } from './schema.ts'

const open: CassandraSession[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.close()))
})

async function instance(keyspace: string, list: readonly Migration[] = migrations, replication = 1) {
  const session = await testSession(keyspace)
  open.push(session)
  const leases = new LeaseProtocol({ store: new CassandraLeaseStore(session), maxClockSkewMs: 100 })
  const run = () =>
    migrate({
      session,
      leases,
      replication,
      clock: systemClock,
      timer: systemTimer,
      beganMs: systemClock.now().monotonicMs,
      log,
      migrations: list,
    })
  return { session, leases, run }
}

it('is applied once by two instances that start at once, and again after the keyspace was dropped', async () => {
  const keyspace = 'migrate_twice'
  for (let round = 0; round < 2; round++) {
    const [one, two] = await Promise.all([instance(keyspace), instance(keyspace)])
    const counts = await Promise.all([one.run(), two.run()])
    expect(counts.toSorted()).toEqual([0, migrations.length])
    expect(await one.run()).toBe(0)
    expect(await one.leases.read(migrationsLease)).toBeNull()
    const outcome = await two.leases.tryAcquire('after')
    expect(outcome.kind).toBe('acquired')
    await one.session.client.execute(`DROP KEYSPACE ${keyspace}`)
  }
})

it('refuses a database whose migration was another one', async () => {
  const first: Migration = {
    version: 1,
    name: 'first',
    statements: ['CREATE TABLE IF NOT EXISTS $k.a (k text PRIMARY KEY)'],
  }
  await (await instance('migrate_changed', [first])).run()
  const changed = { ...first, statements: ['CREATE TABLE IF NOT EXISTS $k.b (k text PRIMARY KEY)'] }
  await expect((await instance('migrate_changed', [changed])).run()).rejects.toThrow(
    /Migration 1 \(first\) was applied .* in another form/,
  )
})

it('continues after a start that was cut off', async () => {
  const list: Migration[] = [
    { version: 1, name: 'one', statements: ['CREATE TABLE IF NOT EXISTS $k.one (k text PRIMARY KEY)'] },
    {
      version: 2,
      name: 'two',
      statements: ['CREATE TABLE IF NOT EXISTS $k.two (k text PRIMARY KEY)', 'NOT CQL'],
    },
  ]
  const broken = await instance('migrate_cut', list)
  await expect(broken.run()).rejects.toThrow()
  const mended = [
    list[0] as Migration,
    { ...(list[1] as Migration), statements: ['CREATE TABLE IF NOT EXISTS $k.two (k text PRIMARY KEY)'] },
  ]
  expect(await (await instance('migrate_cut', mended)).run()).toBeLessThanOrEqual(1)
})

it('sends a change of the schema again when its answer was lost', async () => {
  const { session, leases, run } = await instance('migrate_unanswered')
  const execute = session.client.execute.bind(session.client) as (...args: unknown[]) => Promise<unknown>
  let lost = 0
  session.client.execute = (async (cql: string, ...more: unknown[]) => {
    const answer = await execute(cql, ...more)
    // Each that makes or changes something is carried out, and answered the second time it is sent.
    if (/^(CREATE|ALTER)/.test(cql) && lost++ % 2 === 0)
      throw Object.assign(new Error('no answer in time'), { name: 'OperationTimedOutError' })
    return answer
  }) as never
  expect(await run()).toBe(migrations.length)
  expect(lost).toBeGreaterThan(migrations.length)
  expect(await leases.read(migrationsLease)).toBeNull()
})

it('refuses a replication that no quorum could reach, and says what to set', async () => {
  const { session, leases } = await instance('migrate_unused')
  const other = Object.create(session, { keyspace: { value: 'migrate_never' } }) as CassandraSession
  const run = migrate({
    session: other,
    leases,
    replication: 3,
    clock: systemClock,
    timer: systemTimer,
    beganMs: systemClock.now().monotonicMs,
    log,
  })
  await expect(run).rejects.toThrow(
    /CASSANDRA_REPLICATION is 3, but the data centre datacenter1 has 1 node.*Set it to 1/,
  )
})
