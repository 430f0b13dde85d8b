/** What a cluster says about itself when a session connects. */
import cassandra from 'cassandra-driver'
import { isLeaseholdError } from '../../lease/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import type { ExecutedRows } from './executor.ts'
import { readTimeoutMs, type Statement } from './statement.ts'

/** Tables that each node has for itself. A start is worth waiting for longer than a screen. */
const ofOneNode = { consistency: cassandra.types.consistencies.localOne, readTimeoutMs: 2 * readTimeoutMs }

const statements = {
  node: { cql: 'SELECT cluster_name, release_version FROM system.local', ...ofOneNode },
  keyspace: {
    cql: 'SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?',
    ...ofOneNode,
  },
  /** Of the node that answers; every node of a cluster has to be set alike. */
  paxosVariant: {
    cql: "SELECT value FROM system_views.settings WHERE name = 'paxos_variant'",
    ...ofOneNode,
  },
} satisfies Record<string, Statement>

export interface Replication {
  /** As Cassandra names the class, without its package: `NetworkTopologyStrategy`. */
  readonly strategy: string
  /** Copies in each data centre; null: the strategy knows no data centres. */
  readonly copies: Readonly<Record<string, number>> | null
}

export interface ClusterFacts {
  readonly clusterName: string
  /** Of the node that answered. */
  readonly releaseVersion: string
  /** All that the driver has met, in order. */
  readonly dataCenters: readonly string[]
  /** Of the session's keyspace; null: there is no such keyspace yet. */
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
    // Cassandra 4.0 has no such setting, and v1 alone. Variants with a longer name count as the careful one.
    return rows[0]?.value === 'v2' ? 'v2' : 'v1'
  } catch (thrown) {
    // Not permitted; or a Cassandra without this table.
    if (isLeaseholdError(thrown, 'store-refused')) return null
    throw thrown
  }
}

/** A `map<text, text>`, which a client of the caller's may decode as a `Map`. */
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
