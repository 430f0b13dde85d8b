import type { CheckName } from '../../lib/contract/leases/doctor.ts'

/** What each check is called, in the words of Cassandra's own documentation where it has them. */
export const checkTitles: Record<CheckName, string> = {
  canary: 'Canary',
  'transactional-mode': 'Transactional mode',
  columns: 'Columns',
  'plain-writes': 'Plain writes',
  replication: 'Replication',
  'serial-level': 'Serial level',
  'paxos-variant': 'Paxos variant',
  clocks: 'Clocks',
  versions: 'Versions',
  'default-ttl': 'Default TTL',
  'gc-grace': 'gc_grace_seconds',
  compaction: 'Compaction',
}
