/** The doctor and its canary on a real Cassandra: on tables as they must be, and on one that truly grants a lease twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CassandraLeaseStore,
  type CassandraSession,
  ClusterReader,
  createTables,
  defaultMapping,
} from '../cassandra/index.ts'
import { grantTwice, grantTwiceNoMore } from '../test/lying-table.ts'
import {
  testConnect,
  testContactPoint,
  testCredentials,
  testRelease,
  testSession,
  testVariant,
} from '../test/node-session.ts'
import { harmless } from '../test/patient-sessions.ts'
import { StatementProxy } from '../testing/index.ts'
import { canary, examine, worstOf } from './index.ts'

const keyspace = `doctor_test_${Date.now().toString(36)}`
let session: CassandraSession
const bare = { table: 'bare', name: 'lockname', owner: null, value: null }
const election = { table: 'election', name: 'group', owner: 'leader_id', value: null }

beforeAll(async () => {
  session = await testSession(keyspace)
  await createTables(session, { only: ['leases'] })
  for (const cql of [
    `CREATE TABLE ${keyspace}.bare (lockname text PRIMARY KEY)`,
    `CREATE TABLE ${keyspace}.election ("group" text PRIMARY KEY, leader_id text)`,
    `CREATE TABLE ${keyspace}.lying (name text PRIMARY KEY, owner text, value text)`,
    `CREATE TABLE ${keyspace}.wrong (name text, owner int, slot int, PRIMARY KEY (name, slot))`,
  ])
    await session.client.execute(cql)
})
afterAll(() => session?.close())

const verdictsOf = async (...tables: Parameters<typeof examine>[1]['tables'][number][]) => {
  let findings = await examine(session, { tables })
  // A busy node may leave a question unanswered: it is asked again.
  for (let tries = 1; tries < 4 && findings.some(({ verdict }) => verdict === 'unknown'); tries++)
    findings = await examine(session, { tables })
  return { findings, verdicts: Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict])) }
}

/** The canary, which a busy node may leave without an answer: it is sent again. */
async function answered(store: CassandraLeaseStore) {
  let outcome = await canary(store)
  for (let tries = 1; tries < 4 && outcome.kind === 'unknown'; tries++) outcome = await canary(store)
  return outcome
}

it('finds nothing wrong with the embedded node, but for its one copy, and a table that createTables made', async () => {
  const { findings } = await verdictsOf({ id: 'leases', mapping: defaultMapping })
  // v1 is Cassandra's default, and is safe: the doctor advises against it.
  const warned = testVariant === 'v1' ? ['replication', 'paxos-variant'] : ['replication']
  expect(
    findings.filter(({ verdict }) => verdict !== 'ok').map(({ check, verdict }) => [check, verdict]),
  ).toEqual(warned.map((check) => [check, 'warn']))
  expect(worstOf(findings)).toBe('warn')
  const paxos = findings.find(({ check }) => check === 'paxos-variant')
  expect(paxos?.found).toMatch(
    testVariant === 'v1' ? /^paxos_variant is v1\. .*TTL of 11 s/ : /^paxos_variant is v2 on/,
  )
  // The worst come first.
  const inOrder = [
    'transactional-mode',
    'columns',
    'plain-writes',
    'replication',
    'serial-level',
    'paxos-variant',
    'clocks',
    'versions',
    'default-ttl',
    'gc-grace',
    'compaction',
  ]
  const quiet = inOrder.filter((check) => !warned.includes(check))
  expect(findings.map(({ check }) => check)).toEqual([...warned, ...quiet])
  expect(findings.find(({ check }) => check === 'versions')?.found).toContain(`Cassandra ${testRelease}.`)
})

it('finds what is wrong with other tables, and says what to do', async () => {
  const { verdicts } = await verdictsOf({ id: 'election', mapping: election })
  expect(verdicts).toMatchObject({
    columns: 'ok',
    'default-ttl': 'warn',
    'gc-grace': 'warn',
    compaction: 'warn',
  })
  const wrong = await verdictsOf({ id: 'wrong', mapping: { ...defaultMapping, table: 'wrong' } })
  const columns = wrong.findings.find(({ check }) => check === 'columns')
  expect(columns).toMatchObject({ verdict: 'fail', table: 'wrong' })
  expect(columns?.found).toMatch(/owner is of the type int.*value is missing.*slot is part of the key too/)
  const gone = await verdictsOf({ id: 'gone', mapping: { ...defaultMapping, table: 'gone' } })
  expect(gone.verdicts).toMatchObject({ columns: 'fail', replication: 'warn' })
})

it('waits for a node that describes a table late, as it does while others change the schema', async () => {
  const [host = '', port] = testContactPoint().split(':')
  const proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql }) => (cql.startsWith('DESCRIBE') ? { kind: 'hold-answer', ms: 6_000 } : undefined),
  })
  const through = await testConnect({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testCredentials(),
  })
  // A DESCRIBE that is given up too soon is held again each time; of other questions a busy node may answer none.
  const end = harmless(proxy.contactPoint)
  const findings = await examine(through, { tables: [{ id: 'leases', mapping: defaultMapping }] }).finally(
    end,
  )
  expect(findings.find(({ check }) => check === 'transactional-mode')).toMatchObject({ verdict: 'ok' })
  await through.close()
  await proxy.close()
})

it('sees a change of a table by its definition', async () => {
  const reader = new ClusterReader(session)
  const seen = async () => [await reader.schemaVersion(), await reader.definition(election)]
  const before = await seen()
  expect(before[1]).toMatch(/CREATE TABLE .*leader_id text/)
  expect((await seen())[1]).toBe(before[1])
  await session.client.execute(`ALTER TABLE ${keyspace}.election WITH gc_grace_seconds = 7200`)
  const after = await seen()
  expect(after[0]).not.toBe(before[0])
  expect(after[1]).not.toBe(before[1])
})

it('suspects a plain write that is dated in the future', async () => {
  const future = (Date.now() + 3_600_000) * 1000
  const { client } = session
  await client.execute(
    `INSERT INTO ${keyspace}.election ("group", leader_id) VALUES ('x', 'o') USING TIMESTAMP ${future}`,
  )
  const { findings } = await verdictsOf({ id: 'election', mapping: election })
  expect(findings.find(({ check }) => check === 'plain-writes')).toMatchObject({
    verdict: 'warn',
    found: expect.stringMatching(/"x" is not a time that a coordinator gave/),
  })
})

describe('the canary', () => {
  it.each([
    ['leases', defaultMapping],
    ['a table without a value', election],
    ['a table of names alone', bare],
  ])('passes on %s', async (_, mapping) => {
    expect(await answered(new CassandraLeaseStore(session, mapping))).toMatchObject({ kind: 'passed' })
  })

  it('fails on a table that grants a lease twice, and passes once it does not', async () => {
    const store = new CassandraLeaseStore(session, { ...defaultMapping, table: 'lying' })
    expect(await answered(store)).toMatchObject({ kind: 'passed' })
    await grantTwice(session.client, `${keyspace}.lying`)
    expect(await answered(store)).toMatchObject({
      kind: 'failed',
      isUnsafe: true,
      found: 'The same lease was granted to two owners.',
    })
    const { findings } = await verdictsOf({ id: 'lying', mapping: { ...defaultMapping, table: 'lying' } })
    expect(findings.find(({ check }) => check === 'columns')?.found).toMatch(
      /owner .* was dropped with a time that is 3[56]\d\d s ahead/,
    )
    await grantTwiceNoMore(session.client, `${keyspace}.lying`)
    expect(await answered(store)).toMatchObject({ kind: 'passed' })
  })

  it('accuses no node that times out, whether or not the write is applied', async () => {
    const [host = '', port] = testContactPoint().split(':')
    let statement = 0
    const proxy = await StatementProxy.listen(host, Number(port), {
      fault: () => (++statement % 13 === 0 ? { kind: 'time-out', arrives: statement % 2 === 0 } : undefined),
    })
    const through = await testConnect({
      contactPoints: [proxy.contactPoint],
      localDataCenter: 'datacenter1',
      keyspace,
      ...testCredentials(),
    })
    const ends = new Map<string, number>()
    for (let count = 0; count < 60; count++) {
      const { kind } = await canary(through.store, { part: 'exclusion' })
      ends.set(kind, (ends.get(kind) ?? 0) + 1)
    }
    expect(ends.get('failed')).toBeUndefined()
    expect(ends.get('passed')).toBeGreaterThan(0)
    expect(statement).toBeGreaterThan(400)
    await through.close()
    await proxy.close()
  })

  it('proves nothing on a table that is not there', async () => {
    const store = new CassandraLeaseStore(session, { ...defaultMapping, table: 'gone' })
    expect(await canary(store)).toMatchObject({ kind: 'unknown' })
  })
})
