/** What the doctor says of a cluster that leaves some of its questions unanswered. */
import { expect, it } from 'vitest'
import { type CassandraSession, defaultMapping } from '../cassandra/index.ts'
import { StoreUnavailableError } from '../lease/index.ts'
import { FakeClock } from '../testing/index.ts'
import { examine } from './examine.ts'

/** A session on one node that answers no statement whose text matches. */
function sessionWithout(unanswered: RegExp): CassandraSession {
  const execute = async ({ cql }: { cql: string }, parameters: readonly unknown[]) => {
    if (unanswered.test(cql)) throw new StoreUnavailableError('Cassandra did not answer in time.')
    return { rows: rowsOf(cql, parameters) }
  }
  return {
    keyspace: 'k',
    serial: 'SERIAL',
    serialAdvice: null,
    nodeList: () => [{ address: '127.0.0.1:9042', dataCenter: 'datacenter1' }],
    execute,
    executeOn: (_: string, statement: { cql: string }, parameters: unknown[]) =>
      execute(statement, parameters),
  } as unknown as CassandraSession
}

function rowsOf(cql: string, [, table]: readonly unknown[]): unknown[] {
  if (cql.includes('system.local'))
    return [{ data_center: 'datacenter1', release_version: '5.0.9', node_ms: 0 }]
  if (cql.includes('system_schema.keyspaces'))
    return [{ replication: { class: 'NetworkTopologyStrategy', datacenter1: '1' } }]
  if (cql.includes('system_schema.tables')) return [{ table_name: table, gc_grace_seconds: 10_800 }]
  return []
}

const examined = (unanswered: RegExp) =>
  examine(sessionWithout(unanswered), {
    tables: [{ id: 'leases', mapping: defaultMapping }],
    clock: new FakeClock(),
  })

it('reports a table whose definition was not answered as unknown, and the cluster as it is', async () => {
  const findings = await examined(/system_schema/)
  expect(findings.filter(({ table }) => table === 'leases')).toEqual([
    expect.objectContaining({
      check: 'columns',
      verdict: 'unknown',
      found: expect.stringContaining('Cassandra did not answer in time'),
    }),
  ])
  expect(findings.find(({ check }) => check === 'versions')).toMatchObject({ verdict: 'ok' })
})

it('judges a table whose rows were not answered by its definition', async () => {
  const findings = await examined(/writetime/)
  const of = (name: string) => findings.find(({ check }) => check === name)
  expect(of('plain-writes')).toMatchObject({ verdict: 'unknown' })
  expect(of('gc-grace')).toMatchObject({ verdict: 'ok' })
})

it('reports a cluster that answers nothing', async () => {
  const findings = await examined(/./)
  expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual(
    expect.arrayContaining([
      ['columns', 'unknown'],
      ['clocks', 'unknown'],
      ['versions', 'unknown'],
    ]),
  )
})
