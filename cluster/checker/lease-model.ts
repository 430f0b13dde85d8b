import type { ClusterClocks, Falsehood } from '../../lib/leasehold/testing/index.ts'
import type { ClusterHistory } from '../history/cluster-history.ts'

export function lawsOfModel(_history: ClusterHistory, _clocks: ClusterClocks): Falsehood[] {
  return []
}
