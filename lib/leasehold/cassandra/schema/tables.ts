/**
 * The tables; `$k` stands for the quoted keyspace. `createTables` makes them, and so do the console's migrations. A
 * program needs only the tables of the features that it uses.
 */
export const tables = {
  /**
   * One row per lease. A busy row collects tombstones: compaction may drop them, and Paxos state, after three hours.
   */
  leases: `CREATE TABLE IF NOT EXISTS $k.leases (name text PRIMARY KEY, owner text, value text)
    WITH default_time_to_live = 180 AND gc_grace_seconds = 10800
    AND compaction = {'class': 'LeveledCompactionStrategy'}`,
  /** One row per sequence, without expiry: once the row is deleted, numbers begin at 1 again. */
  sequences: 'CREATE TABLE IF NOT EXISTS $k.sequences (name text PRIMARY KEY, next bigint)',
  /** One row per group, some 100 bytes, without expiry: once the row is deleted, terms begin at 1 again. */
  election_terms: `CREATE TABLE IF NOT EXISTS $k.election_terms
    ("group" text PRIMARY KEY, "term" bigint, "leader" text, "token" bigint, "since" timestamp)`,
  /**
   * One row per waiter, some 100 bytes, which expires 6 s after the last refresh.
   *
   * Each ticket leaves a tombstone: at 20 hand-overs/s on one name, 1,200 a minute. Cassandra flushes the memtable
   * every minute, compacts four SSTables into one, and drops tombstones older than gc_grace. So about (60 s + 4 × 60 s)
   * × 20/s = 6,000 of them remain; Cassandra warns at 1,000 in one read, and fails the read at 100,000. Reads begin
   * above the tombstones; only the first read of a process passes them all (7 ms instead of 1 ms for 6,000).
   *
   * gc_grace may be as short as 60 s, because nothing lives that long: a ticket expires after 6 s, and a write is under
   * way for 25 s at most. So a dropped tombstone cannot bring a ticket back.
   */
  lock_tickets: `CREATE TABLE IF NOT EXISTS $k.lock_tickets
    (name text, number bigint, owner text, PRIMARY KEY (name, number, owner))
    WITH default_time_to_live = 60 AND gc_grace_seconds = 60 AND memtable_flush_period_in_ms = 60000
    AND compaction = {'class': 'SizeTieredCompactionStrategy'}`,
  /**
   * One row per customer, some 150 bytes, which expires with the TTL of the last write.
   *
   * A turn leaves one tombstone in each of the two tables: as for `lock_tickets`, about (60 s + 4 × 60 s) × 10/s =
   * 3,000 remain at 10 turns/s on one name. gc_grace may be as short as 60 s: a clearing must outlast the writes that
   * may land after it, and a write is under way for 25 s at most. If a replica that missed the clearing restores a row
   * all the same, the row delays the line until it expires; it lets no customer in.
   */
  bakery_choosing: `CREATE TABLE IF NOT EXISTS $k.bakery_choosing
    (name text, customer text, choosing boolean, PRIMARY KEY (name, customer))
    WITH default_time_to_live = 60 AND gc_grace_seconds = 60 AND memtable_flush_period_in_ms = 60000
    AND compaction = {'class': 'SizeTieredCompactionStrategy'}`,
  /** As `bakery_choosing`. */
  bakery_numbers: `CREATE TABLE IF NOT EXISTS $k.bakery_numbers
    (name text, customer text, number bigint, PRIMARY KEY (name, customer))
    WITH default_time_to_live = 60 AND gc_grace_seconds = 60 AND memtable_flush_period_in_ms = 60000
    AND compaction = {'class': 'SizeTieredCompactionStrategy'}`,
  /**
   * One row per request to resign, which expires after a day. The caller makes their ids, so that it can repeat a write
   * whose answer was lost: the row is written again, with the later time. `lease_table` is the lease's `keyspace.table`. Operators write
   * these rows: even one a second on one name is 86,400 rows of some 300 bytes a day, 26 MB in one partition.
   */
  resign_requests: `CREATE TABLE IF NOT EXISTS $k.resign_requests
    (lease_table text, name text, owner text, id text, requested_by text, reason text, requested_at timestamp,
    PRIMARY KEY ((lease_table, name), owner, id))
    WITH default_time_to_live = 86400 AND gc_grace_seconds = 10800`,
  /**
   * The history of leases: a partition a lease and hour for transitions, and one for renewals. Rows never change, and their
   * ids are made from what they say. `lease_table` is the lease's `keyspace.table`.
   *
   * Transitions: each process that records writes at most 60 a minute of one lease, so 3,600 an hour; a row has some 250
   * bytes, with the longest owners 1.4 kB. So 27 processes that turn over one lease as fast as they may make 97,200 rows and
   * 24 MB an hour; with the longest owners 6 processes make 30 MB. Renewals: a row a minute and tenure, at most 60 an hour
   * for each process that records, of 100 bytes, and 2 kB with 120 renewals: 266 processes make 32 MB. What a process could
   * not write is a row with `part` = `gap`, in a partition a day: at most two a minute, so 34 processes make 97,920 rows.
   * Everything expires, in the order in which it was written: one time window of SSTables after the other is dropped whole.
   */
  lease_events: `CREATE TABLE IF NOT EXISTS $k.lease_events
    (lease_table text, name text, hour timestamp, part text, at timestamp, id text, kind text, source text, owner text,
    previous_owner text, fencing_token bigint, version bigint, ttl_seconds int, not_before timestamp, not_after timestamp,
    reason text, release_id text, release_mode text, actor text, renewals int, least_margin_ms int,
    renewed frozen<list<int>>, PRIMARY KEY ((lease_table, name, hour, part), at, id))
    WITH CLUSTERING ORDER BY (at DESC, id DESC) AND default_time_to_live = 604800 AND gc_grace_seconds = 10800
    AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS',
    'compaction_window_size': '6'}`,
} as const
