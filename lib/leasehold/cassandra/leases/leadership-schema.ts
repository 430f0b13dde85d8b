import { quoteIdentifier } from '../schema/identifiers.ts'
import type { TableMapping } from './mapping.ts'

export interface LeadershipNames {
  /** Left out: the session's keyspace. */
  keyspace?: string | undefined
  tableName?: string | undefined
  groupColumnName?: string | undefined
  leaderIdColumnName?: string | undefined
}

/**
 * The table of cassandra-leadership, with its own names or others: `leadership_election("group", leader_id)`.
 *
 * @example
 * const schema = new LeadershipSchema({ tableName: 'leaders', groupColumnName: 'team', leaderIdColumnName: 'boss' })
 * const protocol = new LeaseProtocol({ store: new CassandraLeaseStore(session, schema.mapping) })
 */
export class LeadershipSchema {
  /** `leadership_election("group", leader_id)`, as that library has it. */
  static readonly default = new LeadershipSchema()
  /** For `CassandraLeaseStore`. */
  readonly mapping: TableMapping

  constructor(names: LeadershipNames = {}) {
    const { keyspace, tableName: table = 'leadership_election' } = names
    const { groupColumnName: name = 'group', leaderIdColumnName: owner = 'leader_id' } = names
    this.mapping = { keyspace, table, name, owner, value: null }
  }

  /**
   * The DDL for a table that is not there yet. One row a group, everything expires. Hot rows pile up tombstones:
   * they go after three hours, and Paxos state lives as long.
   * @param keyspace where the mapping names none
   * @throws InvalidArgumentError on names that cannot stand in CQL
   */
  createTable(keyspace: string): string {
    const { table, name, owner } = this.mapping
    const quoted = [
      quoteIdentifier('keyspace', this.mapping.keyspace ?? keyspace),
      quoteIdentifier('table', table),
    ].join('.')
    return `CREATE TABLE IF NOT EXISTS ${quoted}
      (${quoteIdentifier('column', name)} text PRIMARY KEY, ${quoteIdentifier('column', owner ?? '')} text)
      WITH gc_grace_seconds = 10800 AND compaction = {'class': 'LeveledCompactionStrategy'}`
  }
}
