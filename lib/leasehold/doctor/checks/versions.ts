import type { NodeFacts } from '../../cassandra/index.ts'
import { type Judgement, ok, unknown, warn } from '../finding.ts'

/** Whether the nodes run one version of Cassandra, and one that leases were tried on. */
export function checkVersions(nodes: readonly NodeFacts[]): Judgement {
  const versions = [...new Set(nodes.flatMap(({ answer }) => answer?.releaseVersion ?? []))].sort()
  const [version] = versions
  if (version === undefined)
    return unknown('No node answered with its version.', 'Check that the nodes are up.')
  if (versions.length > 1)
    return warn(
      `The nodes run different versions: ${versions.join(', ')}.`,
      'Finish the upgrade. Change no schema and no topology before that.',
    )
  if (/^(4\.1|5\.0)\./.test(version)) return ok(`Cassandra ${version}.`)
  if (/^[0-3]\.|^4\.0/.test(version))
    return warn(
      `Cassandra ${version} knows Paxos v1 alone.`,
      'Upgrade to 4.1 or 5.0, then set paxos_variant: v2 on every node.',
    )
  return warn(
    `Leases were not tried on Cassandra ${version}.`,
    'Run the canary on every table after each upgrade, and read what the check of transactional_mode says.',
  )
}
