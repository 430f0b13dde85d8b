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
 * The table of the Java library cassandra-leadership, `leadership_election("group", leader_id)`, or one of the same
 * shape with other names.
 *
 * @example
 * const schema = new LeadershipSchema({ tableName: 'leaders', groupColumnName: 'team', leaderIdColumnName: 'boss' })
 * const protocol = new LeaseProtocol({ store: new CassandraLeaseStore(session, schema.mapping) })
 */
export class LeadershipSchema {
  /** `leadership_election("group", leader_id)`, that library's own. */
  static readonly default = new LeadershipSchema()
  /** For `CassandraLeaseStore`. */
  readonly mapping: TableMapping

  constructor(names: LeadershipNames = {}) {
    const { keyspace, tableName: table = 'leadership_election' } = names
    const { groupColumnName: name = 'group', leaderIdColumnName: owner = 'leader_id' } = names
    this.mapping = { keyspace, table, name, owner, value: null }
  }

  /**
   * The DDL of the table. One row per group, and everything expires. A busy row collects tombstones: compaction may
   * drop them, and Paxos state, after three hours.
   * @param keyspace for a mapping that names none
   * @throws InvalidArgumentError on an invalid identifier
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
