import type { NodeFacts } from '../../cassandra/index.ts'
import { fail, type Judgement, ok, unknown, warn } from '../finding.ts'

/** Whether all nodes settle conditional writes in one way, and in the newer one. */
export function checkPaxosVariant(nodes: readonly NodeFacts[]): Judgement {
  const answers = nodes.flatMap(({ address, answer }) =>
    answer?.paxosVariant == null ? [] : [{ address, variant: answer.paxosVariant }],
  )
  if (answers.length === 0)
    return unknown(
      'This role may not read paxos_variant.',
      'As a superuser: GRANT SELECT ON KEYSPACE system_views to the role that reads. Until then v1 is assumed, which is safe and slower.',
    )
  const weak = answers.find(({ variant }) => /without_linearizable_reads/.test(variant))
  if (weak !== undefined)
    return fail(
      `paxos_variant is ${weak.variant} on ${weak.address}: a SERIAL read there may show an older row.`,
      'Set paxos_variant: v2 in cassandra.yaml on every node, and restart the nodes one by one.',
    )
  const spoken = answers.map(({ variant }) => (variant === 'absent' ? 'v1' : variant))
  const variants = [...new Set(spoken)].sort()
  if (variants.length > 1)
    return fail(
      `The nodes differ in paxos_variant: ${answers.map(({ address, variant }) => `${address} has ${variant}`).join(', ')}.`,
      'Set the same paxos_variant in cassandra.yaml on every node; v2, if all of them know it.',
    )
  if (variants[0] === 'v2') return ok(`paxos_variant is v2 on ${count(answers.length)}.`)
  return warn(
    `paxos_variant is ${variants[0]}. Confirmed reads pre-empt renewals, and a kept lease needs a TTL of 11 s or more.`,
    'Set paxos_variant: v2 in cassandra.yaml on every node (Cassandra 4.1 or newer), and restart the nodes one by one.',
  )
}

const count = (nodes: number): string =>
  nodes === 1 ? 'the one node that was asked' : `all ${nodes} nodes that were asked`
