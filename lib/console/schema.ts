import { createHash } from 'node:crypto'
import { tables } from 'leasehold/cassandra'

/**
 * The schema, as numbered migrations. Each one is idempotent by itself, is applied once, and never changes after it
 * has been released: its checksum is kept, and a difference stops the start.
 */
export interface Migration {
  version: number
  name: string
  /** DDL with `$k` for the quoted keyspace. */
  statements: readonly string[]
}

/**
 * What must be there before a lease can guard the rest. Two instances that create a table at the same time, through
 * two coordinators, give it two ids, and the cluster disagrees until nodes are restarted; an id that both derive from
 * the keyspace makes that impossible.
 */
export function bootstrapTable(keyspace: string): string {
  const digits = createHash('sha256').update(`leasehold:${keyspace}.leases`).digest('hex')
  const id = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
  // One row a lease; everything expires. gc_grace: tombstones of a hot row go after three hours, and Paxos state
  // lives as long. Levelled: a read of a hot row touches few tables.
  return `CREATE TABLE IF NOT EXISTS $k.leases (name text PRIMARY KEY, owner text, value text)
   WITH ID = ${id} AND default_time_to_live = 180 AND gc_grace_seconds = 10800
   AND compaction = {'class': 'LeveledCompactionStrategy'}`
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'users and sessions',
    statements: [
      // One row a user, a few hundred bytes.
      'CREATE TABLE IF NOT EXISTS $k.users (username text PRIMARY KEY, password_hash text, role text, disabled boolean, created_at timestamp)',
      // One row a session, a partition each, gone after 12 h. The id itself is never stored, only its hash.
      `CREATE TABLE IF NOT EXISTS $k.sessions (id_hash text PRIMARY KEY, username text, created_at timestamp)
       WITH default_time_to_live = 43200 AND gc_grace_seconds = 10800`,
    ],
  },
  {
    version: 2,
    name: 'what the library coordinates with, and programs',
    statements: [
      tables.sequences,
      tables.election_terms,
      tables.lock_tickets,
      tables.bakery_choosing,
      tables.bakery_numbers,
      // One row a program.
      'CREATE TABLE IF NOT EXISTS $k.api_tokens (id text PRIMARY KEY, name text, secret_hash text, created_by text, created_at timestamp)',
      // One row a keyed request, a partition each, up to 20 kB, gone after a day.
      `CREATE TABLE IF NOT EXISTS $k.idempotent_requests
       (id text PRIMARY KEY, request_hash text, attempt text, status int, body text)
       WITH default_time_to_live = 86400 AND gc_grace_seconds = 10800`,
    ],
  },
]

export const migrationsTable =
  'CREATE TABLE IF NOT EXISTS $k.schema_migrations (version int PRIMARY KEY, name text, checksum text, applied_at timestamp)'
