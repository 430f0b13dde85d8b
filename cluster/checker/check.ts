/** Whether a history is one that leases, consoles and their audit may give. */
import { falsehoods } from '../../lib/leasehold/testing/index.ts'
import type { Falsehood } from '../../lib/leasehold/testing/laws/history.ts'
import { aheadSeconds } from '../faults/carry-out.ts'
import { type ClusterHistory, doorOf } from '../history/cluster-history.ts'
import { lawsOfAudit } from './audit-laws.ts'
import { judgements, lawsOfModel } from './lease-model.ts'
import { lawsOfService } from './service-laws.ts'

/** How far the clocks of two nodes were apart at some time, in milliseconds. */
const skewMs = ({ faults }: ClusterHistory): number =>
  faults.some(({ kind }) => kind === 'clock') ? aheadSeconds * 1_000 : 0

const isServed = (client: string): boolean => doorOf(client).startsWith('api')

interface Verdict {
  /** What cannot be true, or must not be. */
  readonly violations: Falsehood[]
  /** Leases whose history leaves too many orders possible to try them all. */
  readonly undecided: string[]
}

export function check(history: ClusterHistory): Verdict {
  const skew = skewMs(history)
  const judged = judgements(history, skew)
  return {
    violations: [
      ...falsehoods(history, { skewMs: skew, isServed }),
      ...lawsOfModel(judged),
      ...lawsOfAudit(history),
      ...lawsOfService(history),
    ],
    undecided: judged.filter(({ judgement }) => judgement.kind === 'undecided').map(({ name }) => name),
  }
}
