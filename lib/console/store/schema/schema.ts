import { createHash } from 'node:crypto'
import { tables } from 'leasehold/cassandra'

/**
 * The schema, as numbered migrations. Each one is idempotent by itself, is applied once, and never changes after it
 * has been released: its checksum is kept, and a difference stops the start.
 *
 * A migration only adds: tables, and columns that may be null. During an upgrade the last release works on the new
 * schema, and after a rollback it does so for good. It names its columns, leaves new ones null, and keeps what it does
 * not know. So no migration drops, renames or retypes a column, or changes a table's TTL; code must read a row
 * that has null in its new columns, and a column that is no longer used stays.
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

/** After it, the rows that exist are sealed: start/schema/seal-rows.ts. */
export const sealingMigration = 7

/** After it, the keyspace says which audit key its consoles have: audit/anchors/key-check.ts. */
export const auditKeyMigration = 8

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
  {
    version: 3,
    name: 'roles, sessions that end, and what tokens are good for',
    statements: [
      // session_epoch: every session that was opened under another one has ended. subject: issuer and subject of
      // a person who signs in elsewhere and has no password here.
      'ALTER TABLE $k.users ADD IF NOT EXISTS (session_epoch text, subject text)',
      // The row lives for the idle limit and is written again while the session is used; ends_at is the absolute limit.
      `ALTER TABLE $k.sessions ADD IF NOT EXISTS
       (session_epoch text, via text, address text, ends_at timestamp, elevated_until timestamp, used_at timestamp)`,
      'ALTER TABLE $k.api_tokens ADD IF NOT EXISTS (role text, prefixes list<text>)',
      // Beside the tokens and not in them: an update of a row that was deleted meanwhile would bring a part of it back.
      'CREATE TABLE IF NOT EXISTS $k.token_uses (id text PRIMARY KEY, used_at timestamp)',
      tables.resign_requests,
    ],
  },
  {
    version: 4,
    name: 'the audit log',
    statements: [
      // A partition a chain and day, of 50,000 rows and 28.2 MB at most: the arithmetic is in audit/chain/bucket.ts. Rows are
      // never deleted and never change; the head, which stands in static columns, changes at each append.
      `CREATE TABLE IF NOT EXISTS $k.audit_log
       (bucket text, seq int, id text, body text, prev text, hash text,
        head_seq int static, head_hash text static, head_bytes int static, head_next text static, prev_bucket text static,
        PRIMARY KEY (bucket, seq))`,
    ],
  },
  {
    version: 5,
    name: 'forced releases',
    statements: [
      // One row a plan, a partition each: up to 50 kB by its lease's value twice, mostly below 2 kB; gone after 30 days.
      `CREATE TABLE IF NOT EXISTS $k.releases
       (id text PRIMARY KEY, state text, plan text, mode text, reason text, requested_by text, requested_at timestamp,
        decided_by text, decided_at timestamp, decision_reason text, report text, changed_at timestamp, attempt text)
       WITH default_time_to_live = 2592000 AND gc_grace_seconds = 10800`,
      // What was done to one lease, newest first: a partition a lease, a row an act, gone after a day; of a kill, a day after
      // the old holder's TTL (rules/lease-release.ts).
      `CREATE TABLE IF NOT EXISTS $k.releases_by_lease
       (lease_table text, name text, requested_at timestamp, id text, PRIMARY KEY ((lease_table, name), requested_at, id))
       WITH CLUSTERING ORDER BY (requested_at DESC, id ASC)
       AND default_time_to_live = 86400 AND gc_grace_seconds = 10800`,
      // One partition with what waits for a second person now: rows live for 15 minutes, 1,000 an hour would be 250.
      `CREATE TABLE IF NOT EXISTS $k.awaiting_releases
       (shard int, requested_at timestamp, id text, PRIMARY KEY (shard, requested_at, id))
       WITH default_time_to_live = 900 AND gc_grace_seconds = 10800`,
    ],
  },
  {
    version: 6,
    name: 'changes of users take turns',
    statements: [
      // Of earlier versions: admin-guard.ts needs it no more. Instances of both run side by side during an upgrade.
      'CREATE TABLE IF NOT EXISTS $k.user_changes (scope text PRIMARY KEY, id text, change text)',
      // change_id: which change made the row what it is. elevated_under: the change_id when the elevation was given; it
      // ends with any later one.
      'ALTER TABLE $k.users ADD IF NOT EXISTS (change_id text)',
      'ALTER TABLE $k.sessions ADD IF NOT EXISTS (elevated_under text)',
    ],
  },
  {
    version: sealingMigration,
    name: 'rows that give rights are sealed',
    statements: [
      // version and seal: see sealed-rows.ts. created_by, changed_at, changed_by: who made an account, and who gave it its
      // role or password, so that a requester's own account approves nothing. 200 bytes a row more.
      `ALTER TABLE $k.users ADD IF NOT EXISTS
       (created_by text, changed_at timestamp, changed_by text, version bigint, seal text)`,
      'ALTER TABLE $k.sessions ADD IF NOT EXISTS (version bigint, seal text)',
      'ALTER TABLE $k.api_tokens ADD IF NOT EXISTS (tables list<text>, version bigint, seal text)',
    ],
  },
  {
    version: auditKeyMigration,
    name: 'releases are sealed, and the instances have one audit key',
    statements: [
      // version: raised by each change. seal: HMAC over the row, under the audit key. See row-seal.ts.
      'ALTER TABLE $k.releases ADD IF NOT EXISTS (version int, seal text)',
      // One row: which audit key all instances have, and where in the chain it began. Written by the schema role alone.
      `CREATE TABLE IF NOT EXISTS $k.audit_keys
       (id text PRIMARY KEY, key_id text, since_bucket text, since_seq int, since_hash text, made_at timestamp, seal text)`,
    ],
  },
  {
    version: 9,
    name: 'the history of leases',
    statements: [
      // The arithmetic is beside it: leasehold/cassandra, tables.ts.
      tables.lease_events,
      // When a recorder watched a table, a partition a table and day: a row a stretch of time, which grows at its end. A stretch
      // ends with its recorder, at an outage or at a drop, and the next one begins 2 s later at the soonest: at most 43,200
      // rows of 150 bytes, 6.5 MB.
      `CREATE TABLE IF NOT EXISTS $k.lease_recordings
       (lease_table text, day timestamp, began_at timestamp, recorder text, what text, why text, until_at timestamp,
        PRIMARY KEY ((lease_table, day), began_at, recorder, what))
       WITH CLUSTERING ORDER BY (began_at DESC, recorder ASC, what ASC)
       AND default_time_to_live = 604800 AND gc_grace_seconds = 10800`,
    ],
  },
  {
    version: 10,
    name: 'the election lab',
    statements: [
      // One row a run, a partition a day: four runs at a time, which keep their places for 10 s at least, are 34,560 a day, of
      // 500 bytes, 17 MB. facts and ended are JSON: lab/journal.
      `CREATE TABLE IF NOT EXISTS $k.lab_runs (day int, run text, facts text, ended text, PRIMARY KEY (day, run))
       WITH default_time_to_live = 604800 AND gc_grace_seconds = 10800`,
      // The journal of a run, a partition each: 40,000 entries of 250 bytes, 10 MB, in at most two rows a second for 15 minutes.
      // Rows never change. Everything expires in the order in which it was written.
      `CREATE TABLE IF NOT EXISTS $k.lab_journals (run text, first int, body text, PRIMARY KEY (run, first))
       WITH default_time_to_live = 604800 AND gc_grace_seconds = 10800
       AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS',
       'compaction_window_size': '6'}`,
      // Two rows a run, deleted at its end; an hour later they expire anyway.
      `CREATE TABLE IF NOT EXISTS $k.lab_counters (run text, counter text, value int, fence bigint, PRIMARY KEY (run, counter))
       WITH default_time_to_live = 3600 AND gc_grace_seconds = 10800`,
    ],
  },
  {
    version: 11,
    name: 'the last revocation of a token',
    statements: [
      // One row, written at each revocation: programs/tokens/known-tokens.ts.
      'CREATE TABLE IF NOT EXISTS $k.token_revocations (id text PRIMARY KEY, last text)',
    ],
  },
]

/** Tables that the writer's role may not modify. */
export const schemaRoleTables: readonly string[] = ['audit_keys']

export const migrationsTable =
  'CREATE TABLE IF NOT EXISTS $k.schema_migrations (version int PRIMARY KEY, name text, checksum text, applied_at timestamp)'
