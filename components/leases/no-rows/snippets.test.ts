import { expect, it } from 'vitest'
import type { ClusterTable } from '../../../lib/contract/leases/cluster.ts'
import { snippet, snippetKinds } from './snippets.ts'

const table: ClusterTable = {
  id: 'leases',
  keyspace: 'leasehold',
  table: 'leases',
  readOnly: false,
  columns: { name: 'name', owner: 'owner', value: 'value' },
  hasOwner: true,
  hasValue: true,
  defaultTtlSeconds: 180,
  distrust: null,
}
const mapped: ClusterTable = {
  ...table,
  id: 'jobs',
  table: 'jobLocks',
  columns: { name: 'job', owner: 'who', value: null },
  hasValue: false,
}
const of = (each: ClusterTable) => ({
  origin: 'http://console',
  embedded: false,
  dataDir: '.leasehold-dev',
  table: each,
})

it('names the table that is meant, with its own columns', () => {
  expect(snippet('curl', of(table))).not.toContain('table=')
  expect(snippet('curl', of(mapped))).toContain('?table=jobs')
  expect(snippet('curl', of(mapped))).not.toContain('"value"')
  expect(snippet('cql', of(mapped))).toContain(
    `INSERT INTO leasehold."jobLocks" (job, who)\nVALUES ('billing/invoice-run', 'client_unique_id_1')`,
  )
  expect(snippet('typescript', of(table))).toContain('new CassandraLeaseStore(session)')
  expect(snippet('typescript', of(mapped))).toContain("name: 'job', owner: 'who', value: null")
})

it('signs in to the node of npm start with what that leaves for programs', () => {
  const embedded = snippet('typescript', { ...of(mapped), embedded: true })
  expect(embedded).toContain("readFileSync('.leasehold-dev/cassandra.json', 'utf8')")
  expect(embedded).toContain("keyspace: 'leasehold'")
  expect(snippet('typescript', of(table))).not.toContain('readFileSync')
})

it('offers no way through a console that only reads', () => {
  expect(snippetKinds({ readOnly: true }).map(({ value }) => value)).toEqual(['typescript', 'cql'])
})
