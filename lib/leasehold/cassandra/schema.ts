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
} as const
