/**
 * The doctor on Cassandra 6.0-alpha2, which grants a lease twice on Accord tables: `npm run test:long`, where Maven can fetch
 * its jars.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode6 } from '../../../scripts/cassandra/version6/node6.mjs'
import { CassandraLeaseStore, type CassandraSession, connect, defaultMapping } from '../cassandra/index.ts'
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

  const tried = (table: Table | 'altered') => canary(new CassandraLeaseStore(session, mappingOf(table)))
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

  it('finds a table that is altered to Accord under its leases', async () => {
    await session.client.execute(
      `CREATE TABLE IF NOT EXISTS ${keyspace}.leases_altered (name text PRIMARY KEY, owner text, value text)`,
    )
    expect(await tried('altered')).toMatchObject({ kind: 'passed' })
    await session.client.execute(`ALTER TABLE ${keyspace}.leases_altered WITH transactional_mode = 'full'`)
    expect(await tried('altered')).toMatchObject({ kind: 'failed', isUnsafe: true })
  })
})
