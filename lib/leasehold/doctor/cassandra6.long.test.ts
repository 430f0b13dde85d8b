/**
 * The doctor on Cassandra 6.0-alpha2, which grants a lease twice on Accord tables: `npm run test:long`, where Maven can fetch
 * its jars.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode6 } from '../../../scripts/cassandra/version6/node6.mjs'
import {
  CassandraLeaseStore,
  type CassandraSession,
  ClusterReader,
  connect,
  defaultMapping,
} from '../cassandra/index.ts'
import { canary, examine } from './index.ts'

const dataDir = join(process.env.LEASEHOLD_TEST_DIR ?? '', 'nodes', 'version6')
const node = await startNode6({ dataDir }).catch((thrown: Error) => {
  if (/could not (download|fetch)/.test(thrown.message)) return null
  throw thrown
})
const keyspace = 'six'
const modes = { paxos: null, off: 'off', full: 'full', mixed: 'mixed_reads' } as const
type Table = keyof typeof modes
const mappingOf = (table: string) => ({ ...defaultMapping, table: `leases_${table}` })

afterAll(() => node?.stop())

describe.skipIf(node === null)('Cassandra 6.0-alpha2', () => {
  let session: CassandraSession

  beforeAll(async () => {
    if (node === null) return
    const { contactPoint, roles } = node
    session = await connect({
      contactPoints: [contactPoint],
      localDataCenter: 'datacenter1',
      keyspace,
      ...roles.admin,
    })
    const { client } = session
    await client.execute(
      `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
    )
    for (const [table, mode] of Object.entries(modes))
      await client.execute(
        `CREATE TABLE IF NOT EXISTS ${keyspace}.leases_${table} (name text PRIMARY KEY, owner text, value text)
         WITH default_time_to_live = 180 AND gc_grace_seconds = 10800
         AND compaction = {'class': 'LeveledCompactionStrategy'}${mode === null ? '' : ` AND transactional_mode = '${mode}'`}`,
      )
  })
  afterAll(() => session?.close())

  const tried = (table: Table) => canary(new CassandraLeaseStore(session, mappingOf(table)))
  const verdictsOf = async (table: Table) => {
    const findings = await examine(session, { tables: [{ id: table, mapping: mappingOf(table) }] })
    return Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))
  }

  it.each(['paxos', 'off'] as const)('passes on a Paxos table: %s', async (table) => {
    expect(await tried(table)).toMatchObject({ kind: 'passed' })
    expect(await verdictsOf(table)).toMatchObject({
      'transactional-mode': 'ok',
      columns: 'ok',
      versions: 'warn',
      'paxos-variant': 'ok',
    })
  })

  it.each(['full', 'mixed'] as const)('fails on an Accord table: %s', async (table) => {
    expect(await tried(table)).toMatchObject({
      kind: 'failed',
      isUnsafe: true,
      found: 'The same lease was granted to two owners.',
    })
    expect(await verdictsOf(table)).toMatchObject({ 'transactional-mode': 'fail' })
  })

  it('finds a table that is altered to Accord, before a repair has moved its ranges', async () => {
    const { client } = session
    const mapping = mappingOf('altered')
    await client.execute(
      `CREATE TABLE IF NOT EXISTS ${keyspace}.leases_altered (name text PRIMARY KEY, owner text, value text)`,
    )
    const reader = new ClusterReader(session)
    const before = [await reader.schemaVersion(), await reader.definition(mapping)]
    await client.execute(`ALTER TABLE ${keyspace}.leases_altered WITH transactional_mode = 'full'`)
    const after = [await reader.schemaVersion(), await reader.definition(mapping)]
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    const findings = await examine(session, { tables: [{ id: 'altered', mapping }] })
    expect(findings[0]).toMatchObject({
      check: 'transactional-mode',
      verdict: 'fail',
      found: expect.stringMatching(/is full: .* once the migration from off is finished/),
    })
    // Until then conditional writes go on as before.
    expect(await canary(new CassandraLeaseStore(session, mapping))).toMatchObject({ kind: 'passed' })
  })
})
