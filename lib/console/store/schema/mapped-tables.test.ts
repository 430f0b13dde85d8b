import type { CassandraSession } from 'leasehold/cassandra'
import { expect, it } from 'vitest'
import { readLeasesConfig } from '../../start/config/leases-config.ts'
import { requireMappedTables } from './mapped-tables.ts'

const keyspaces: Record<string, string[]> = {
  leasehold: ['leases', 'users'],
  programs: ['lock', 'jobs'],
  empty: [],
}

const session = {
  keyspace: 'leasehold',
  client: {
    execute: async (cql: string, [name = '']: string[]) => {
      const names = cql.includes('system_schema.tables')
        ? (keyspaces[name] ?? [])
        : Object.keys(keyspaces).filter((each) => each === name)
      return { rows: names.map((each) => ({ values: () => [each] })) }
    },
  },
} as unknown as CassandraSession

const required = (table: object) =>
  requireMappedTables(
    session,
    readLeasesConfig(JSON.stringify({ tables: { theirs: table } }), session.keyspace).tables,
  )

it('takes the console’s own table and those that exist', async () => {
  await required({ keyspace: 'programs', table: 'jobs' })
})

it.each([
  [
    { keyspace: 'programs', table: 'locks' },
    'LEASEHOLD_CONFIG: tables.theirs is programs.locks, and the keyspace programs has no table locks. It has lock, jobs. Create it, or correct tables.theirs; names are case-sensitive.',
  ],
  [
    { table: 'Leases' },
    'LEASEHOLD_CONFIG: tables.theirs is leasehold.Leases, and the keyspace leasehold has no table Leases. It has leases, users. Create it, or correct tables.theirs; names are case-sensitive.',
  ],
  [
    { keyspace: 'empty', table: 'locks' },
    'LEASEHOLD_CONFIG: tables.theirs is empty.locks, and the keyspace empty has no table locks. Create it, or correct tables.theirs; names are case-sensitive.',
  ],
  [
    { keyspace: 'app', table: 'leadership_election' },
    'LEASEHOLD_CONFIG: tables.theirs is app.leadership_election, and Cassandra has no keyspace app. Create the keyspace and the table, or correct tables.theirs; names are case-sensitive.',
  ],
])('names what does not exist: %j', async (table, sentence) => {
  await expect(required(table)).rejects.toThrow(sentence)
})
