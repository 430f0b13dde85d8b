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
  keyspace: 'leasehold',
  dataDir: '.leasehold-dev',
  table: each,
})

const kinds = (facts: Parameters<typeof snippetKinds>[0]) => snippetKinds(facts).map(({ value }) => value)

it('names the table that is meant, with its own columns', () => {
  expect(snippet('curl', of(table))).not.toContain('table=')
  expect(snippet('curl', of(mapped))).toContain('?table=jobs')
  expect(snippet('curl', of(mapped))).not.toContain('"value"')
  expect(snippet('cql', of(mapped))).toContain(
    `INSERT INTO leasehold."jobLocks" (job, who)\nVALUES ('billing/invoice-run', 'client_unique_id_1')`,
  )
  expect(snippet('typescript', of(mapped))).toContain("name: 'job', owner: 'who', value: null")
})

it('makes leases that read requests to resign, wait in order, and are closed', () => {
  expect(snippet('typescript', of(table))).toContain('new Leases(session)')
  const theirs = snippet('typescript', of({ ...mapped, keyspace: 'app' }))
  // The requests are in the console's keyspace, whichever keyspace has the leases.
  expect(theirs).toContain("  keyspace: 'leasehold',\n})")
  expect(theirs).toContain("const mapping = { keyspace: 'app', table: 'jobLocks', name: 'job'")
  for (const line of [
    'store: new CassandraLeaseStore(session, mapping)',
    'tickets: new CassandraTicketStore(session, mapping)',
    'resignRequests: new CassandraResignRequests(session, mapping)',
  ])
    expect(theirs).toContain(line)
  for (const text of [snippet('typescript', of(table)), theirs])
    expect(text).toMatch(/await lease\.release\(\)\nawait leases\.close\(\)\nawait session\.close\(\)$/)
})

it('puts no secret into a command line, which every user of the machine can see', () => {
  const curl = snippet('curl', of(table))
  expect(curl).not.toContain('password')
  expect(curl).toContain('read -rsp')
  expect(curl).toContain('-H @<(')
  expect(curl).not.toMatch(/-H ['"]Authorization/)
})

it('signs in to the node of npm start with what that leaves for programs', () => {
  const embedded = snippet('typescript', { ...of(mapped), embedded: true })
  expect(embedded).toContain("readFileSync('.leasehold-dev/cassandra.json', 'utf8')")
  expect(snippet('typescript', of(table))).not.toContain('readFileSync')
})

it('offers no way through a console that only reads', () => {
  expect(kinds({ readOnly: true, hasOwner: true })).toEqual(['typescript', 'cql'])
})

it('offers no lease that is kept alive where a row has no owner: the library refuses it', () => {
  expect(kinds({ readOnly: false, hasOwner: false })).toEqual(['curl', 'cql'])
  expect(kinds({ readOnly: true, hasOwner: false })).toEqual(['cql'])
})
