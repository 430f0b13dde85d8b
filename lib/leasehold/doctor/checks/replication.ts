import type { NodeFacts, TableFacts } from '../../cassandra/index.ts'
import { fail, type Judgement, ok, unknown, warn } from '../finding.ts'

type Replication = Pick<TableFacts, 'keyspace' | 'replication'>

/** Whether a quorum can be reached, and survives a node. `nodes`: all that the driver knows, of every data centre. */
export function checkReplication(
  { keyspace, replication }: Replication,
  nodes: readonly NodeFacts[],
): Judgement {
  if (replication === null)
    return fail(`There is no keyspace ${keyspace}.`, 'Create it, or correct the mapping of the table.')
  const { strategy, options } = replication
  if (strategy === 'NetworkTopologyStrategy') return checkCopies(keyspace, copiesOf(options), nodes)
  if (strategy === 'SimpleStrategy')
    return warn(
      `The keyspace ${keyspace} has SimpleStrategy, which knows no data centres.`,
      `ALTER KEYSPACE ${keyspace} to NetworkTopologyStrategy with the same number of copies, then run a repair.`,
    )
  return unknown(
    `The keyspace ${keyspace} has ${strategy}, which leases were not tried on.`,
    'Use NetworkTopologyStrategy.',
  )
}

/** `3`, or `3/1` with one of them transient, by data centre. */
const copiesOf = (options: Readonly<Record<string, string>>): [dataCenter: string, copies: number][] =>
  Object.entries(options).map(([dataCenter, text]) => [dataCenter, Number.parseInt(text, 10)])

function checkCopies(
  keyspace: string,
  copies: readonly (readonly [string, number])[],
  nodes: readonly NodeFacts[],
): Judgement {
  const nodesIn = (dataCenter: string) => nodes.filter((node) => node.dataCenter === dataCenter).length
  const held = copies.filter(([, count]) => count > 0)
  const wanted = held.reduce((sum, [, count]) => sum + count, 0)
  const there = held.reduce((sum, [dataCenter, count]) => sum + Math.min(count, nodesIn(dataCenter)), 0)
  const text = held.map(([dataCenter, count]) => `${dataCenter}: ${count}`).join(', ')
  const found = `The keyspace ${keyspace} keeps ${wanted} ${wanted === 1 ? 'copy' : 'copies'} of each row (${text || 'none'}).`
  const quorum = Math.floor(wanted / 2) + 1
  if (there < quorum)
    return fail(
      `${found} A quorum is ${quorum} of them, and the nodes can keep ${there}.`,
      `ALTER KEYSPACE ${keyspace} to data centres and numbers of copies that the cluster has, then run a repair.`,
    )
  if (there < wanted)
    return warn(
      `${found} The nodes can keep ${there} of them.`,
      `Add nodes, or ALTER KEYSPACE ${keyspace} to as many copies as each data centre has nodes.`,
    )
  if (wanted === 1)
    return nodes.length === 1
      ? warn(
          `${found} The cluster has one node: while it is down, leases can be neither read nor written, and a lost disk loses every lease, while holders go on.`,
          `This is enough for trying. In production use three nodes, and ALTER KEYSPACE ${keyspace} to 3 copies.`,
        )
      : warn(
          `${found} While its node is down, the leases on it can be neither read nor written, and a lost disk loses its leases, while holders go on.`,
          `ALTER KEYSPACE ${keyspace} to 3 copies in each data centre, then run a repair.`,
        )
  if (wanted === 2)
    return warn(
      `${found} A quorum of two is both: no node may be down.`,
      `ALTER KEYSPACE ${keyspace} to 3 copies, then run a repair.`,
    )
  return ok(`${found} A quorum is ${quorum}; ${wanted - quorum} may be down.`)
}
