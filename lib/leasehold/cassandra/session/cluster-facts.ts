/** The facts that a session reads from the cluster when it connects. */
import cassandra from 'cassandra-driver'
import { isLeaseholdError } from '../../lease/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import type { ExecutedRows } from './executor.ts'
import { readTimeoutMs, type Statement } from './statement.ts'

/** For tables that each node keeps for itself. A program that starts can wait for longer than a screen. */
const ofOneNode = { consistency: cassandra.types.consistencies.localOne, readTimeoutMs: 2 * readTimeoutMs }

const statements = {
  node: { cql: 'SELECT cluster_name, release_version FROM system.local', ...ofOneNode },
  keyspace: {
    cql: 'SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?',
    ...ofOneNode,
  },
  /** The setting of the node that answers; all nodes of a cluster must have the same. */
  paxosVariant: {
    cql: "SELECT value FROM system_views.settings WHERE name = 'paxos_variant'",
    ...ofOneNode,
  },
} satisfies Record<string, Statement>

export interface Replication {
  /** The name of Cassandra's class, without its package: `NetworkTopologyStrategy`. */
  readonly strategy: string
  /** Replicas in each data centre; null: the strategy knows no data centres. */
  readonly copies: Readonly<Record<string, number>> | null
}

export interface ClusterFacts {
  readonly clusterName: string
  /** The version of the node that answered. */
  readonly releaseVersion: string
  /** All data centres that the driver has found, sorted. */
  readonly dataCenters: readonly string[]
  /** The replication of the session's keyspace; null: the keyspace does not exist yet. */
  readonly replication: Replication | null
  /** null: this role may not read `system_views.settings`. */
  readonly paxosVariant: PaxosVariant | null
}

/** @throws StoreUnavailableError, StoreRefusedError */
export async function clusterFacts(
  client: cassandra.Client,
  keyspace: string,
  execute: (statement: Statement, params: unknown[]) => Promise<ExecutedRows>,
): Promise<ClusterFacts> {
  const node = await execute(statements.node, [])
  const stored = await execute(statements.keyspace, [keyspace])
  const dataCenters = client.hosts.values().map((host) => host.datacenter ?? '')
  return {
    clusterName: String(node.rows[0]?.cluster_name),
    releaseVersion: String(node.rows[0]?.release_version),
    dataCenters: [...new Set(dataCenters)].sort(),
    replication: replicationOf(stored.rows[0]?.replication),
    paxosVariant: await paxosVariant(execute),
  }
}

async function paxosVariant(
  execute: (statement: Statement, params: unknown[]) => Promise<ExecutedRows>,
): Promise<PaxosVariant | null> {
  try {
    const { rows } = await execute(statements.paxosVariant, [])
    // Cassandra 4.0 has v1 alone, and no such setting. Any other variant counts as v1, the safe assumption.
    return rows[0]?.value === 'v2' ? 'v2' : 'v1'
  } catch (thrown) {
    // This role may not read the table, or this Cassandra does not have it.
    if (isLeaseholdError(thrown, 'store-refused')) return null
    throw thrown
  }
}

/** A `map<text, text>`; the caller's own client may decode it as a `Map`. */
function replicationOf(stored: unknown): Replication | null {
  if (typeof stored !== 'object' || stored === null) return null
  const options = new Map<string, string>(stored instanceof Map ? stored : Object.entries(stored))
  const strategy = (options.get('class') ?? '').replace(/^.*\./, '')
  options.delete('class')
  if (strategy !== 'NetworkTopologyStrategy') return { strategy, copies: null }
  const copies = [...options].map(
    ([dataCenter, factor]) => [dataCenter, Number.parseInt(factor, 10)] as const,
  )
  return { strategy, copies: Object.fromEntries(copies) }
}
