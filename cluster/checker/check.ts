/** Whether a history is one that leases, consoles and their audit may give. */
import { falsehoods } from '../../lib/leasehold/testing/index.ts'
import type { Falsehood } from '../../lib/leasehold/testing/laws/history.ts'
import { aheadSeconds } from '../faults/carry-out.ts'
import type { ClusterHistory } from '../history/cluster-history.ts'
import { lawsOfAudit } from './audit-laws.ts'
import { lawsOfModel } from './lease-model.ts'
import { lawsOfService } from './service-laws.ts'

/** How far the clocks of two nodes were apart at some time, in milliseconds. */
const skewMs = ({ faults }: ClusterHistory): number =>
  faults.some(({ kind }) => kind === 'clock') ? aheadSeconds * 1_000 : 0

/** What cannot be true, or must not be; empty: nothing. */
export function violations(history: ClusterHistory): Falsehood[] {
  const clocks = { skewMs: skewMs(history) }
  return [
    ...falsehoods(history, clocks),
    ...lawsOfModel(history, clocks),
    ...lawsOfAudit(history),
    ...lawsOfService(history),
  ]
}
