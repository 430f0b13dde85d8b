import { type BreakOutcome, isSettled, type KillOutcome, Operator, type SentAt } from 'leasehold/operator'
import type { Clock } from 'leasehold/time'
import type { ReleaseMode } from '../../../contract/releases/release.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'

/** An act that was sent, and whose answer never arrived. */
interface UnheardAct extends SentAt {
  name: string
  /** The planned holder. */
  owner: string
}

/**
 * What became of an act, from a read: nothing is sent. `unknown`: it may still take effect.
 * @throws StoreUnavailableError, StoreRefusedError
 */
export async function findOut(
  { leases, resignRequests }: LeaseTable,
  mode: ReleaseMode,
  id: string,
  act: UnheardAct,
  clock: Clock,
): Promise<KillOutcome | BreakOutcome | { kind: 'asked' } | { kind: 'not-asked' }> {
  if (mode === 'kill') return new Operator(leases).findOut({ mode, ...act })
  if (mode === 'break') return new Operator(leases).findOut({ mode, id, ...act })
  const requests = await resignRequests.of(act.name, act.owner)
  if (requests.some((request) => request.id === id)) return { kind: 'asked' }
  return isSettled(clock.now(), act) ? { kind: 'not-asked' } : { kind: 'unknown' }
}
