/**
 * The tables, for a keyspace of one's own; the console makes them by its migrations, from these very texts. `$k` stands
 * for the quoted keyspace. Each may be left out as long as what needs it is not used.
 */
export const tables = {
  /** One row a lease. Hot rows pile up tombstones: they go after three hours, and Paxos state lives as long. */
  leases: `CREATE TABLE IF NOT EXISTS $k.leases (name text PRIMARY KEY, owner text, value text)
    WITH default_time_to_live = 180 AND gc_grace_seconds = 10800
    AND compaction = {'class': 'LeveledCompactionStrategy'}`,
  /** One row a sequence, and for good: a number comes again after its row is deleted. */
  sequences: 'CREATE TABLE IF NOT EXISTS $k.sequences (name text PRIMARY KEY, next bigint)',
  /** One row a group, some hundred bytes, and for good: terms begin at 1 again after its row is deleted. */
  election_terms: `CREATE TABLE IF NOT EXISTS $k.election_terms
    ("group" text PRIMARY KEY, "term" bigint, "leader" text, "token" bigint, "since" timestamp)`,
  /**
   * One row a waiter, some 100 bytes, gone 6 s after its last refresh. What piles up is tombstones, one a ticket: at a
   * busy 20 hand-overs/s on one name, 1,200 a minute. The memtable is flushed every minute, four tables are compacted
   * into one, and what is older than gc_grace is dropped there: about (60 s + 4 × 60 s) × 20/s = 6,000 rows, where
   * Cassandra warns at 1,000 in one read and gives up at 100,000. Reads begin above them; only the first look of a
   * process passes them all (6,000: 7 ms instead of 1). gc_grace may be that short, because nothing outlives it which a forgotten tombstone
   * could bring back: a ticket lives for 6 s, and a write is under way for 25 s at most.
   */
  lock_tickets: `CREATE TABLE IF NOT EXISTS $k.lock_tickets
    (name text, number bigint, owner text, PRIMARY KEY (name, number, owner))
    WITH default_time_to_live = 60 AND gc_grace_seconds = 60 AND memtable_flush_period_in_ms = 60000
    AND compaction = {'class': 'SizeTieredCompactionStrategy'}`,
  /**
   * One row a customer, some 150 bytes, gone with its last write's TTL. A turn leaves one tombstone in each of the two
   * tables: at 10 turns/s on one name about (60 s + 4 × 60 s) × 10/s = 3,000 rows until they are compacted away, as for
   * `lock_tickets`; Cassandra warns at 1,000 in one read and gives up at 100,000. gc_grace may be 60 s, because a
   * clearing has to outlast the writes that may land after it, and those are under way for 25 s at most; what comes
   * back all the same, by a replica that missed it, holds the line up until its TTL, and lets nobody in.
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
   * One row a request that somebody resign, gone after a day. Rows are immutable, and their ids are made by who asks, so
   * that a write whose answer was lost is sent again as it is. `lease_table` is the lease's `keyspace.table`. People write
   * them: one a second on one name, for a whole day, would be 86,400 rows of some 300 bytes, 26 MB in its partition.
   */
  resign_requests: `CREATE TABLE IF NOT EXISTS $k.resign_requests
    (lease_table text, name text, owner text, id text, requested_by text, reason text, requested_at timestamp,
    PRIMARY KEY ((lease_table, name), owner, id))
    WITH default_time_to_live = 86400 AND gc_grace_seconds = 10800`,
} as const
